package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.data.Schema;
import holdfast.evaluation.CoefficientErrors;
import holdfast.evaluation.Coefficients;
import holdfast.evaluation.Interval;
import holdfast.evaluation.TrainedModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The coefficients of a model in the units of its table, those with the largest effect first, as text, CSV and JSON. */
public final class CoefficientReport {
    private static final int MAX_LINES = 20;

    private final TrainedModel trained;
    private final ScoreWords words;
    private final List<Coefficients> scores;

    /** @throws holdfast.InputException for a model that is not linear in its scores */
    public CoefficientReport(TrainedModel trained) {
        this.trained = trained;
        this.words = new ScoreWords(trained);
        this.scores = trained.coefficients();
    }

    /**
     * One coefficient.
     *
     * @param score which score it belongs to
     * @param value per unit of the feature
     * @param effect per step of the feature, such as its standard deviation
     * @param interval of the value
     * @param effectInterval of the effect
     */
    record Line(
            int score,
            String feature,
            double value,
            double effect,
            Optional<Interval> interval,
            Optional<Interval> effectInterval) {
        private static final Comparator<Line> BY_SIZE = Comparator.comparingDouble(line -> -Math.abs(line.effect));
    }

    /** Returns the coefficients of a score, those with the largest effect first. */
    private List<Line> lines(int score) {
        Coefficients own = scores.get(score);
        Schema schema = trained.schema();
        return IntStream.range(0, own.values().length)
                .mapToObj(i -> {
                    double value = own.values()[i];
                    double step = own.steps()[i];
                    Optional<Interval> interval = trained.errors().map(errors -> errors.interval(score, i, value));
                    return new Line(
                            score,
                            schema.features().get(i),
                            value,
                            own.effect(i),
                            interval,
                            interval.map(found -> new Interval(found.low() * step, found.high() * step)));
                })
                .sorted(Line.BY_SIZE)
                .toList();
    }

    /** Returns the coefficients of all scores with the largest effects. */
    List<Line> largest(int count) {
        return IntStream.range(0, scores.size())
                .mapToObj(this::lines)
                .flatMap(List::stream)
                .sorted(Line.BY_SIZE)
                .limit(count)
                .toList();
    }

    int count() {
        return scores.size() * trained.schema().features().size();
    }

    /** Returns the name of a feature and, if there are several scores, of the class that its coefficient is for. */
    String name(Line line) {
        return line.feature + (scores.size() == 1 ? "" : " for " + words.name(line.score));
    }

    /** Returns what effects are per, such as "one standard deviation of the feature". */
    String step() {
        return words.step();
    }

    /** Returns where the intervals come from. */
    static String origin(CoefficientErrors errors) {
        return "Intervals are 95 %, from " + errors.resamples() + " resamples of the " + errors.resampled();
    }

    /** @param all whether to show every coefficient, and not only those with the largest effects */
    public String text(boolean all) {
        StringBuilder out = new StringBuilder();
        Summary.line(out, "%s: %s", trained.kind(), words.meaning());
        Summary.line(out, "An effect is that of %s.", words.step());
        trained.errors().ifPresent(errors -> Summary.line(out, "%s.", origin(errors)));
        for (int score = 0; score < scores.size(); score++) {
            Coefficients own = scores.get(score);
            List<Line> lines = lines(score);
            int shown = all ? lines.size() : Math.min(MAX_LINES, lines.size());
            out.append('\n');
            if (scores.size() > 1) {
                Summary.line(out, "%s", words.nameWithOffset(score));
            }
            List<List<String>> cells = new ArrayList<>();
            cells.add(Stream.of(
                            Stream.of("feature", "coefficient", "effect"),
                            words.ratio().stream(),
                            trained.errors().isEmpty() ? Stream.<String>of() : Stream.of("interval of coefficient"))
                    .flatMap(names -> names)
                    .toList());
            lines.stream()
                    .limit(shown)
                    .map(line -> cells(Scores.printable(line.feature), line.value, brief(line.effect), line.interval))
                    .forEach(cells::add);
            int at = score;
            cells.add(cells(
                    "intercept",
                    own.intercept(),
                    "",
                    trained.errors().map(errors -> errors.interceptInterval(at, own.intercept()))));
            out.append(Scores.aligned(cells));
            if (shown < lines.size()) {
                Summary.line(out, "... and %d more; --all shows them", lines.size() - shown);
            }
        }
        return out.toString();
    }

    private List<String> cells(String name, double value, String effect, Optional<Interval> interval) {
        List<String> cells = new ArrayList<>(List.of(name, brief(value), effect));
        if (words.ratio().isPresent()) {
            cells.add(effect.isEmpty() ? "" : brief(words.ratio(value)));
        }
        interval.ifPresent(found -> cells.add(brief(found)));
        return cells;
    }

    /** A number of four digits. */
    static String brief(double value) {
        return value == 0 ? "0" : String.format(Locale.ROOT, "%.4g", value);
    }

    static String brief(Interval interval) {
        return brief(interval.low()) + " to " + brief(interval.high());
    }

    /** All coefficients, one per line, in full precision. */
    public String csv() {
        boolean several = scores.size() > 1;
        Optional<String> ratio = words.ratio();
        StringBuilder out = new StringBuilder(CsvText.line(Stream.of(
                        several ? Stream.of("class") : Stream.<String>of(),
                        Stream.of("feature", "coefficient", "effect"),
                        ratio.stream().map(CoefficientReport::key),
                        trained.errors().isEmpty() ? Stream.<String>of() : Stream.of("low", "high"))
                .flatMap(names -> names)));
        for (int score = 0; score < scores.size(); score++) {
            double intercept = scores.get(score).intercept();
            int at = score;
            Optional<Interval> interval = trained.errors().map(errors -> errors.interceptInterval(at, intercept));
            Line last = new Line(score, "(intercept)", intercept, Double.NaN, interval, Optional.empty());
            Stream.concat(lines(score).stream(), Stream.of(last)).forEach(line -> {
                boolean isFeature = line != last;
                out.append(CsvText.line(Stream.of(
                                several ? Stream.of(trained.schema().classes().get(line.score)) : Stream.<String>of(),
                                Stream.of(line.feature, "" + line.value, isFeature ? "" + line.effect : ""),
                                ratio.stream().map(name -> isFeature ? "" + words.ratio(line.value) : ""),
                                line.interval.stream().flatMap(i -> Stream.of("" + i.low(), "" + i.high())))
                        .flatMap(cells -> cells)));
            });
        }
        return out.toString();
    }

    /** Returns a name as a key of JSON or a column of CSV. */
    private static String key(String name) {
        return name.replace(' ', '_');
    }

    public String json() {
        ObjectNode root = JsonText.object();
        root.put("model", trained.kind().toString());
        root.put("label", trained.schema().label());
        put(root);
        return JsonText.print(root);
    }

    /** Puts what effects are per, where intervals come from, and the scores with their coefficients. */
    void put(ObjectNode root) {
        root.put("effect_of", words.step());
        trained.errors().ifPresent(errors -> {
            ObjectNode node = root.putObject("intervals");
            node.put("resampled", errors.resampled());
            node.put("resamples", errors.resamples());
        });
        ArrayNode all = root.putArray("scores");
        for (int s = 0; s < scores.size(); s++) {
            int score = s;
            Coefficients own = scores.get(s);
            ObjectNode node = all.addObject();
            if (scores.size() > 1) {
                node.put("class", trained.schema().classes().get(s));
            }
            JsonText.put(node, "intercept", own.intercept());
            trained.errors().ifPresent(errors -> put(node, errors.interceptInterval(score, own.intercept())));
            ArrayNode coefficients = node.putArray("coefficients");
            for (Line line : lines(s)) {
                ObjectNode item = coefficients.addObject();
                item.put("feature", line.feature);
                JsonText.put(item, "coefficient", line.value);
                JsonText.put(item, "effect", line.effect);
                words.ratio().ifPresent(name -> JsonText.put(item, key(name), words.ratio(line.value)));
                line.interval.ifPresent(interval -> put(item, interval));
            }
        }
    }

    private static void put(ObjectNode node, Interval interval) {
        JsonText.put(node, "low", interval.low());
        JsonText.put(node, "high", interval.high());
    }
}
