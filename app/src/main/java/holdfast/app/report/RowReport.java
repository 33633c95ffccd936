package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.RowExplanation;
import holdfast.evaluation.TrainedModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Why a model predicts what it does for one row, the largest contributions first, as text, CSV and JSON. */
public final class RowReport {
    private static final int MAX_LINES = 20;

    private final TrainedModel trained;
    private final RowExplanation explanation;
    private final String name;
    private final ScoreWords words;

    /** @param name of the row, for people */
    public RowReport(TrainedModel trained, RowExplanation explanation, String name) {
        this.trained = trained;
        this.explanation = explanation;
        this.name = name;
        this.words = new ScoreWords(trained);
    }

    private List<Integer> bySize(RowExplanation.Score score) {
        return IntStream.range(0, score.contributions().length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -Math.abs(score.contributions()[i])))
                .toList();
    }

    private String feature(int i) {
        return trained.schema().features().get(i);
    }

    private String predicted() {
        double label = explanation.prediction().label(0);
        List<String> classes = trained.schema().classes();
        return classes.isEmpty() ? CoefficientReport.brief(label) : Scores.printable(classes.get((int) label));
    }

    /** The probability of the predicted class, if the model gives one. */
    private String probability() {
        Predictions said = explanation.prediction();
        return said.hasProbabilities()
                ? ", with probability " + Scores.number(said.probabilities(0)[(int) said.label(0)])
                : "";
    }

    /** @param all whether to show every contribution, and not only the largest */
    public String text(boolean all) {
        StringBuilder out = new StringBuilder();
        Summary.line(
                out,
                "%s: predicted %s = %s%s",
                name,
                Scores.printable(trained.schema().label()),
                predicted(),
                probability());
        Summary.line(out, "%s: %s", trained.kind(), words.meaning());
        for (int s = 0; s < explanation.scores().size(); s++) {
            RowExplanation.Score score = explanation.scores().get(s);
            List<Integer> order = bySize(score);
            int shown = all ? order.size() : Math.min(MAX_LINES, order.size());
            out.append('\n');
            if (explanation.scores().size() > 1) {
                Summary.line(out, "%s", words.nameWithOffset(s));
            }
            List<List<String>> cells = new ArrayList<>();
            cells.add(List.of("feature", "value", "contribution"));
            order.stream().limit(shown).forEach(i -> cells.add(cells(i, score)));
            if (shown < order.size()) {
                double rest = order.stream()
                        .skip(shown)
                        .mapToDouble(i -> score.contributions()[i])
                        .sum();
                cells.add(List.of((order.size() - shown) + " more (--all)", "", CoefficientReport.brief(rest)));
            }
            cells.add(List.of("base: " + words.base(), "", CoefficientReport.brief(score.base())));
            cells.add(List.of("score: their sum", "", CoefficientReport.brief(score.value())));
            out.append(Scores.aligned(cells));
        }
        String cut = IntStream.range(0, explanation.cutOff().length)
                .filter(i -> explanation.cutOff()[i])
                .mapToObj(i -> Scores.printable(feature(i)))
                .reduce((a, b) -> a + ", " + b)
                .orElse("");
        if (!cut.isEmpty()) {
            Summary.line(
                    out,
                    "%n* cut off, counted as %s times %s: %s",
                    Spec.print(trained.scaling().clip()),
                    words.step(),
                    cut);
        }
        return out.toString();
    }

    private List<String> cells(int i, RowExplanation.Score score) {
        return List.of(
                Scores.printable(feature(i)) + (explanation.cutOff()[i] ? " *" : ""),
                CoefficientReport.brief(explanation.values()[i]),
                CoefficientReport.brief(score.contributions()[i]));
    }

    /** All contributions, one per line, in full precision, and the base, which they add to. */
    public String csv() {
        boolean several = explanation.scores().size() > 1;
        Stream<String> names = Stream.of("feature", "value", "contribution", "cut_off");
        StringBuilder out = new StringBuilder(CsvText.line(several ? Stream.concat(Stream.of("class"), names) : names));
        for (int s = 0; s < explanation.scores().size(); s++) {
            RowExplanation.Score score = explanation.scores().get(s);
            List<String> of = several ? List.of(trained.schema().classes().get(s)) : List.of();
            for (int i : bySize(score)) {
                out.append(CsvText.line(Stream.concat(
                        of.stream(),
                        Stream.of(
                                feature(i),
                                "" + explanation.values()[i],
                                "" + score.contributions()[i],
                                explanation.cutOff()[i] ? "yes" : "no"))));
            }
            out.append(CsvText.line(Stream.concat(of.stream(), Stream.of("(base)", "", "" + score.base(), ""))));
        }
        return out.toString();
    }

    public String json() {
        ObjectNode root = JsonText.object();
        root.put("row", name);
        root.put("model", trained.kind().toString());
        root.put("label", trained.schema().label());
        Predictions said = explanation.prediction();
        List<String> classes = trained.schema().classes();
        if (classes.isEmpty()) {
            JsonText.put(root, "predicted", said.label(0));
        } else {
            root.put("predicted", classes.get((int) said.label(0)));
        }
        if (said.hasProbabilities()) {
            ObjectNode probabilities = root.putObject("probabilities");
            for (int c = 0; c < classes.size(); c++) {
                JsonText.put(probabilities, classes.get(c), said.probabilities(0)[c]);
            }
        }
        root.put("base_is", words.base());
        ArrayNode scores = root.putArray("scores");
        for (int s = 0; s < explanation.scores().size(); s++) {
            RowExplanation.Score score = explanation.scores().get(s);
            ObjectNode node = scores.addObject();
            if (explanation.scores().size() > 1) {
                node.put("class", classes.get(s));
            }
            JsonText.put(node, "score", score.value());
            JsonText.put(node, "base", score.base());
            ArrayNode contributions = node.putArray("contributions");
            for (int i : bySize(score)) {
                ObjectNode item = contributions.addObject();
                item.put("feature", feature(i));
                JsonText.put(item, "value", explanation.values()[i]);
                JsonText.put(item, "contribution", score.contributions()[i]);
                item.put("cut_off", explanation.cutOff()[i]);
            }
        }
        return JsonText.print(root);
    }
}
