package holdfast.app.report;

import holdfast.data.UnusableSource;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.HeldOutFigures;
import holdfast.formats.ShellArgument;
import holdfast.plan.PlanKey;
import holdfast.rounds.Ledger;
import holdfast.rounds.RoundHistory;
import holdfast.sources.RunReview;
import holdfast.sources.SourceValue;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.Verdict;
import holdfast.training.PreparedRun;
import holdfast.training.TrainingRun;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The part of a run's page that is about its sources: those that are named or unusable come first. */
final class SourceSection {
    private static final int MAX_LINES = 1000;
    private static final int MAX_STRIPS = 200;
    private static final int MAX_OPEN_FINDINGS = 3;
    private static final int MAX_NAMED = 12;

    private final RunReview review;
    private final TrainingRun run;
    private final PreparedRun prepared;
    private final RoundHistory history;
    private final Optional<HeldOutFigures> figures;
    private final List<Line> lines;

    /** One worker, with what is said about its source. */
    private record Line(int worker, String name, Standing standing, List<String> why) {}

    /** What is said about a source; the worst comes first. */
    private enum Standing {
        SUSPECT,
        DIFFERS,
        UNUSABLE,
        NONE;

        String word() {
            return this == NONE ? "-" : look();
        }

        String look() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    SourceSection(RunReview review, PreparedRun prepared, RoundHistory history) {
        this.review = review;
        this.run = review.run();
        this.prepared = prepared;
        this.history = history;
        this.figures = review.figures()
                .filter(f -> run.plan().bySource() && !f.sources().isEmpty());
        this.lines = IntStream.range(0, run.ledger().size())
                .mapToObj(this::line)
                .sorted(Comparator.comparing(Line::standing))
                .toList();
    }

    private Line line(int worker) {
        String name = LedgerText.source(run, worker);
        Optional<Verdict> verdict = verdict(worker);
        List<String> found = verdict.stream()
                .flatMap(v -> v.findings().stream())
                .map(f -> f.words() + ", " + Scores.pValue(f.pValue()))
                .toList();
        Optional<UnusableSource> unusable =
                run.unusable().stream().filter(u -> u.name().equals(name)).findFirst();
        Standing standing = unusable.isPresent()
                ? Standing.UNUSABLE
                : found.isEmpty()
                        ? Standing.NONE
                        : verdict.orElseThrow().suspect() ? Standing.SUSPECT : Standing.DIFFERS;
        return new Line(
                worker,
                run.ledger().get(worker).worker(),
                standing,
                unusable.map(u -> List.of(u.reason())).orElse(found));
    }

    private Optional<Verdict> verdict(int worker) {
        return worker < review.verdicts().size() ? Optional.of(review.verdicts().get(worker)) : Optional.empty();
    }

    /** Returns the number of sources and what was found, in one sentence. */
    String headline() {
        String who = run.plan().bySource() ? "sources" : "workers";
        long unusable = count(Standing.UNUSABLE);
        long named = count(Standing.SUSPECT) + count(Standing.DIFFERS);
        return (review.verdicts().isEmpty()
                        ? lines.size() + " " + who + ", not compared with each other"
                        : named == 0
                                ? "None of " + lines.size() + " " + who + " stands out"
                                        + (review.labelsNotCompared().isPresent()
                                                ? ", but labels could not be compared"
                                                : "")
                                : named + " of " + lines.size() + " " + who + (named == 1 ? " is" : " are") + " named: "
                                        + lines.stream()
                                                .limit(Math.min(named, MAX_NAMED))
                                                .map(l -> Page.name(l.name))
                                                .collect(Collectors.joining(", "))
                                        + (named > MAX_NAMED ? ", ..." : ""))
                + (unusable == 0 ? "." : "; " + unusable + (unusable == 1 ? " is" : " are") + " unusable.");
    }

    private long count(Standing standing) {
        return lines.stream().filter(l -> l.standing == standing).count();
    }

    /** Returns what verdicts mean, and why there are none if so. */
    String meaning() {
        if (!run.plan().bySource()) {
            return "The rows were dealt to workers, so there are no sources to compare."
                    + " <code>--workers-by COLUMN</code> makes each value of a column a source.";
        }
        if (review.verdicts().isEmpty()) {
            return run.plan().get(PlanKey.REPLICAS) > 1
                    ? "There are no verdicts where sources have replicas; who is outvoted is screened."
                    : "There are no verdicts: comparing sources needs at least " + SourceVerdicts.MIN_SOURCES
                            + " of them.";
        }
        return review.labelsNotCompared()
                        .map(why -> "<b>" + Page.escaped(Character.toUpperCase(why.charAt(0)) + why.substring(1))
                                + ".</b> ")
                        .orElse("")
                + "Each source is compared with the others. As far as honest ones differ by normal amounts, the probability"
                + " that any of them is named is " + SourceVerdicts.LEVEL
                + ". <b>Suspect</b>: its labels contradict what the others' rows and labels say."
                + " <b>Differs</b>: it stands out in another way, which may be an error or may be how this source is."
                + " <b>Unusable</b>: a value could not be read, so none of its rows took part. A verdict is a reason to"
                + " ask the source, not a proof of bad intent; no verdict is no proof of good data.";
    }

    String table() {
        boolean compared = !review.verdicts().isEmpty();
        boolean valued = !review.values().isEmpty();
        Drawing.Scale errors = Drawing.Scale.from0(figures.stream()
                .flatMap(f -> f.sources().stream())
                .map(HeldOutFigures.SourceFigure::evaluation)
                .toList());
        Drawing.Scale changes = Drawing.Scale.around0(review.values().stream()
                .flatMapToDouble(v -> DoubleStream.of(
                        v.change(), v.interval().low(), v.interval().high()))
                .toArray());
        StringBuilder out = new StringBuilder("<table class=\"sources\"><thead><tr><th>")
                .append(run.plan().bySource() ? "Source" : "Worker")
                .append("</th>")
                .append(compared || !run.unusable().isEmpty() ? "<th>Verdict</th><th>Why</th>" : "")
                .append(valued ? header("Value", changes) : "")
                .append(figures.map(f -> header("Held-out " + f.all().headlineMetric(), errors))
                        .orElse(""))
                .append("<th class=\"number\">Rows</th>")
                .append(compared ? "<th class=\"number\">Agreement</th>" : "")
                .append("</tr></thead><tbody>\n");
        for (Line line : lines.subList(0, Math.min(MAX_LINES, lines.size()))) {
            out.append("<tr class=\"").append(line.standing.look()).append("\"><th scope=\"row\">");
            out.append(Page.name(line.name)).append("</th>");
            if (compared || !run.unusable().isEmpty()) {
                cell(out, "Verdict", "verdict", line.standing.word());
                cell(out, "Why", "why", why(line.why));
            }
            if (valued) {
                cell(
                        out,
                        "Value",
                        "drawn",
                        review.value(line.name).map(v -> value(changes, v)).orElse("-"));
            }
            figures.ifPresent(f -> cell(
                    out,
                    "Held-out " + f.all().headlineMetric(),
                    "drawn",
                    f.of(LedgerText.source(run, line.worker))
                            .map(figure -> figure(errors, figure))
                            .orElse("-")));
            cell(out, "Rows", "number", Long.toString(LedgerText.rows(prepared, line.worker)));
            if (compared) {
                cell(
                        out,
                        "Agreement",
                        "number",
                        verdict(line.worker).map(LedgerText::agreement).orElse("-"));
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody></table>").append(more(MAX_LINES)).toString();
    }

    private static String header(String name, Drawing.Scale scale) {
        return "<th class=\"drawn\">" + name + "<span class=\"ends\"><span>" + Scores.brief(scale.low())
                + "</span><span>" + Scores.brief(scale.high()) + "</span></span></th>";
    }

    /** @param label what the column is called, for screens too narrow for columns */
    private static void cell(StringBuilder out, String label, String look, String html) {
        out.append("<td class=\"")
                .append(look)
                .append("\" data-label=\"")
                .append(label)
                .append("\">");
        out.append(html).append("</td>");
    }

    private static String why(List<String> findings) {
        String open = findings.stream()
                .limit(MAX_OPEN_FINDINGS)
                .map(SourceSection::item)
                .collect(Collectors.joining());
        if (findings.size() <= MAX_OPEN_FINDINGS) {
            return findings.isEmpty() ? "" : "<ul>" + open + "</ul>";
        }
        return "<ul>" + open + "</ul><details><summary>and " + (findings.size() - MAX_OPEN_FINDINGS)
                + " more</summary><ul>"
                + findings.stream()
                        .skip(MAX_OPEN_FINDINGS)
                        .map(SourceSection::item)
                        .collect(Collectors.joining())
                + "</ul></details>";
    }

    private static String item(String finding) {
        return "<li>" + Page.escaped(finding) + "</li>";
    }

    private static String value(Drawing.Scale scale, SourceValue value) {
        return Drawing.bar(
                        scale,
                        value.change(),
                        Optional.of(value.interval()),
                        value.helps() ? "helps" : value.harms() ? "harms" : "open")
                + small(Scores.value(value));
    }

    private String figure(Drawing.Scale scale, HeldOutFigures.SourceFigure figure) {
        Evaluation e = figure.evaluation();
        return Drawing.dotAndWhisker(
                        scale,
                        e.headline(),
                        e.interval(e.headlineMetric()),
                        figures.flatMap(HeldOutFigures::trusted)
                                .map(Evaluation::headline)
                                .orElse(Double.NaN))
                + small(Scores.figure(figure));
    }

    /** A value and, below it, its interval. */
    private static String small(String valueAndInterval) {
        return "<small>" + valueAndInterval.replaceFirst(", ", "<br>") + "</small>";
    }

    private String more(int shown) {
        return lines.size() <= shown
                ? ""
                : "<p>... and " + (lines.size() - shown) + " more; <code>--json</code> has them all.</p>";
    }

    /** Returns what the columns mean. */
    String legend() {
        return Stream.of(
                        review.values().stream()
                                .findFirst()
                                .map(
                                        v -> "Value: how much larger the held-out " + v.metric()
                                                + " of the sources that no verdict names is if they train without it, with its"
                                                + " 95 % interval for all sources together. To the right of 0 it helps them, to the left it harms them."),
                        figures.map(f -> "Held-out " + f.all().headlineMetric()
                                + ": on the source's own rows that took no part in training, with its 95 % interval; the"
                                + " thin line is that of all sources that are neither named nor unusable."),
                        review.verdicts().stream()
                                .findFirst()
                                .map(v -> "Agreement: how well the source's labels fit a model of the others; 1/2 by"
                                        + " chance."))
                .flatMap(Optional::stream)
                .map(sentence -> "<p class=\"legend\">" + sentence + "</p>\n")
                .collect(Collectors.joining());
    }

    /** One strip per worker over the rounds, as dark as the share of rounds in which it was screened. */
    String screened() {
        List<RoundHistory.Bin> bins = history.bins();
        if (bins.isEmpty()) {
            return "<p>No round was made.</p>";
        }
        if (run.ledger().stream().allMatch(l -> l.screened() == 0 && l.failed() == 0)) {
            return "<p>The rule " + Page.escaped(run.plan().get(PlanKey.RULE).toString())
                    + " left out nobody's update in any round.</p>";
        }
        RoundHistory.Bin last = bins.get(bins.size() - 1);
        StringBuilder out = new StringBuilder("<div class=\"strips\">");
        out.append("<span></span><span class=\"ends\"><span>round ")
                .append(bins.get(0).first() + 1)
                .append("</span><span>")
                .append(last.first() + last.rounds())
                .append("</span></span><span></span>\n");
        for (Line line : lines.subList(0, Math.min(MAX_STRIPS, lines.size()))) {
            int w = line.worker;
            Ledger.Line sums = run.ledger().get(w);
            out.append("<span class=\"name ").append(line.standing.look()).append("\">");
            out.append(Page.name(line.name)).append("</span>");
            out.append(Drawing.strip(
                    bins,
                    RoundHistory.Bin::rounds,
                    List.of(
                            new Drawing.Look<>("screened", bin -> (double) bin.screened()[w] / bin.rounds()),
                            new Drawing.Look<>("failed", bin -> (double) bin.failed()[w] / bin.rounds()))));
            out.append(String.format(
                    Locale.ROOT,
                    "<span class=\"number\">%.0f %%%s</span>%n",
                    100.0 * sums.screened() / Math.max(1, sums.rounds()),
                    sums.failed() == 0 ? "" : ", failed in " + sums.failed()));
        }
        return out.append("</div>").append(more(MAX_STRIPS)).toString();
    }

    /**
     * Returns the command that trains without the sources that are named or unusable; empty if there are none.
     *
     * @param command trains with all sources
     */
    String without(String command) {
        if (review.distrusted().isEmpty()) {
            return "";
        }
        Set<String> out = new LinkedHashSet<>(run.plan().get(PlanKey.WITHOUT));
        out.addAll(review.distrusted());
        return "<section><h2>Train without them</h2><p>First ask the sources: a swapped code or a unit can be put right,"
                + " and then their rows are worth having. To see what they cost, train without them, and compare the"
                + " figures:</p>\n<pre>"
                + Page.escaped(command + " " + ShellArgument.option("--without", out)) + "</pre></section>";
    }
}
