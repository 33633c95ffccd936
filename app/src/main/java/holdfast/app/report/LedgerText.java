package holdfast.app.report;

import holdfast.evaluation.HeldOutFigures;
import holdfast.formats.ShellArgument;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.Ledger;
import holdfast.sources.Finding;
import holdfast.sources.RunReview;
import holdfast.sources.SourceValue;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.Verdict;
import holdfast.training.PreparedRun;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What happened to each worker and what is said about each source, as text. */
final class LedgerText {
    private static final int MAX_LINES = 40;
    private static final int MAX_NAMED = 12;
    private static final int MAX_FINDINGS = 3;

    private LedgerText() {}

    /** Returns one line per worker, and what their values say. */
    static String of(RunReview review, PreparedRun prepared) {
        StringBuilder out = new StringBuilder();
        TrainingRun run = review.run();
        List<Verdict> verdicts = review.verdicts();
        boolean valued = !review.values().isEmpty();
        Optional<HeldOutFigures> bySource = review.figures()
                .filter(f -> f.sources().stream().anyMatch(own -> sources(run).contains(own.source())));
        out.append("\nLedger (being screened is no accusation: in most rounds an honest worker is)\n");
        int width = Math.max(
                6,
                run.ledger().stream().mapToInt(l -> l.worker().length()).max().orElse(0));
        String names = "%-" + Math.min(width, 30) + "s";
        Summary.line(
                out,
                names + " %7s %9s %7s %11s%s%s%s",
                "worker",
                "rows",
                "screened",
                "failed",
                "norm ratio",
                bySource.map(f -> String.format("  %-23s", f.all().headlineMetric() + ", 95 % interval"))
                        .orElse(""),
                verdicts.isEmpty() ? "" : "  agreement",
                valued ? String.format("  %-24s", "value") : "");
        List<Integer> order = order(run.ledger(), verdicts);
        for (int w : order.subList(0, Math.min(MAX_LINES, order.size()))) {
            Ledger.Line l = run.ledger().get(w);
            Summary.line(
                    out,
                    names + " %7d %8.1f%% %7d %11s%s%s%s",
                    l.worker(),
                    rows(prepared, w),
                    100.0 * l.screened() / Math.max(1, l.rounds()),
                    l.failed(),
                    l.failed() == l.rounds() ? "-" : String.format(Locale.ROOT, "%.2f", l.medianNormRatio()),
                    bySource.map(f -> String.format(
                                    "  %-23s",
                                    f.of(source(run, w)).map(Scores::figure).orElse("-")))
                            .orElse(""),
                    w < verdicts.size() ? String.format("  %9s", agreement(verdicts.get(w))) : "",
                    valued
                            ? String.format(
                                    "  %-24s",
                                    review.value(l.worker()).map(Scores::value).orElse("-"))
                            : "");
        }
        if (order.size() > MAX_LINES) {
            Summary.line(out, "... and %d more workers, screened less often", order.size() - MAX_LINES);
        }
        if (valued) {
            Summary.line(
                    out,
                    "value: how much larger the others' held-out %s is without the source, 95 %% for all together: above 0, it"
                            + " helps",
                    review.values().get(0).metric());
            Summary.line(out, "%s", byValue("helps", review, SourceValue::helps, -1));
            Summary.line(out, "%s", byValue("harms", review, SourceValue::harms, 1));
        }
        int[] liars = ResolvedPlan.liars(run.plan(), order.size());
        if (liars.length > 0) {
            Summary.line(
                    out,
                    "simulated liars (%s): %s",
                    run.plan().get(PlanKey.ATTACK),
                    Arrays.stream(liars)
                            .mapToObj(w -> run.ledger().get(w).worker())
                            .collect(Collectors.joining(", ")));
        }
        return out.toString();
    }

    /** Says which sources surely help or harm, those that do so most first. */
    private static String byValue(String what, RunReview review, Predicate<SourceValue> which, int order) {
        List<String> names = review.values().stream()
                .filter(which)
                .sorted(Comparator.comparingDouble(v -> order * v.change()))
                .map(v -> Scores.printable(v.source()))
                .toList();
        return what + ": "
                + (names.isEmpty()
                        ? "nobody for sure"
                        : names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                                + (names.size() > MAX_NAMED ? ", ..." : ""));
    }

    /** Returns which sources are named and why; empty if workers are no sources. */
    static String verdicts(RunReview review) {
        TrainingRun run = review.run();
        if (!run.plan().bySource()) {
            return "";
        }
        StringBuilder out = new StringBuilder("\n");
        if (review.verdicts().isEmpty()) {
            Summary.line(
                    out,
                    run.plan().get(PlanKey.REPLICAS) > 1
                            ? "Verdicts: none where sources have replicas; who is outvoted is screened"
                            : "Verdicts: none; comparing sources needs at least %d of them, and not more than memory holds",
                    SourceVerdicts.MIN_SOURCES);
            return out.toString();
        }
        List<Verdict> named = review.verdicts().stream().filter(Verdict::named).toList();
        Summary.line(
                out,
                "Verdicts: %s (the chance that any honest one is named is about %s)",
                named.isEmpty()
                        ? "no source stands out"
                        : named.size() + " of " + review.verdicts().size() + " sources named",
                Double.toString(SourceVerdicts.LEVEL));
        review.labelsNotCompared().ifPresent(why -> Summary.line(out, "          %s", why));
        findings(out, named, "--json");
        if (!review.distrusted().isEmpty()) {
            Summary.line(out, "To train without: %s", ShellArgument.option("--without", review.distrusted()));
        }
        return out.toString();
    }

    /** @param complete where all findings are, for sources with many */
    static void findings(StringBuilder out, List<Verdict> named, String complete) {
        for (Verdict verdict : named) {
            Summary.line(out, "  %s", Scores.printable(verdict.source()));
            List<Finding> findings = verdict.findings();
            for (Finding finding : findings.subList(0, Math.min(MAX_FINDINGS, findings.size()))) {
                Summary.line(
                        out, "    %s: %s, %s", finding.verdict(), finding.words(), Scores.pValue(finding.pValue()));
            }
            if (findings.size() > MAX_FINDINGS) {
                Summary.line(out, "    and %d more; %s has them all", findings.size() - MAX_FINDINGS, complete);
            }
        }
    }

    /** Returns how many rows a worker holds: none if its source is unusable. */
    static long rows(PreparedRun prepared, int worker) {
        return worker < prepared.sizes().length ? prepared.sizes()[worker] : 0;
    }

    /** Returns the source of a worker, which is the worker's name without the number of its replica. */
    static String source(TrainingRun run, int worker) {
        String name = run.ledger().get(worker).worker();
        return run.plan().get(PlanKey.REPLICAS) > 1 ? name.substring(0, name.lastIndexOf('#')) : name;
    }

    static String agreement(Verdict verdict) {
        return Double.isNaN(verdict.agreement()) ? "-" : String.format(Locale.ROOT, "%.3f", verdict.agreement());
    }

    /** Orders workers by id; if there are too many for a screen, named ones and the most screened come first. */
    private static List<Integer> order(List<Ledger.Line> ledger, List<Verdict> verdicts) {
        List<Integer> ids = IntStream.range(0, ledger.size()).boxed().collect(Collectors.toList());
        if (ids.size() > MAX_LINES) {
            ids.sort(Comparator.<Integer>comparingInt(
                            w -> w < verdicts.size() && verdicts.get(w).named() ? 0 : 1)
                    .thenComparing(w -> -ledger.get(w).screened()));
        }
        return ids;
    }

    static Set<String> sources(TrainingRun run) {
        return IntStream.range(0, run.ledger().size())
                .mapToObj(w -> source(run, w))
                .collect(Collectors.toSet());
    }
}
