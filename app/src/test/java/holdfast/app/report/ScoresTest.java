package holdfast.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Interval;
import holdfast.evaluation.Metric;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScoresTest {
    private static Evaluation evaluation(int[][] confusion, Evaluation.Bin... bins) {
        Map<Metric, Double> metrics = new LinkedHashMap<>();
        metrics.put(Metric.ERROR, 0.25);
        metrics.put(Metric.AUC, Double.NaN);
        int rows = Arrays.stream(confusion).flatMapToInt(Arrays::stream).sum();
        return new Evaluation(
                "none",
                rows,
                metrics,
                Map.of(Metric.ERROR, new Interval(0.125, 0.5)),
                confusion,
                List.of(bins),
                List.of());
    }

    private static Schema schema(List<String> classes) {
        return new Schema(List.of("x"), "kind", classes, List.of());
    }

    /** Row c has c * 100 + i rows taken for class i. */
    private static int[][] confusion(int k) {
        return IntStream.range(0, k)
                .mapToObj(c -> IntStream.range(0, k).map(i -> 100 * c + i).toArray())
                .toArray(int[][]::new);
    }

    @Test
    void namesStandLeftAndNumbersRight() {
        Evaluation e = evaluation(
                new int[][] {{1500, 2}, {0, 3}},
                new Evaluation.Bin(1500, 0.0123, 0.5),
                new Evaluation.Bin(5, 0.98765, 1));
        assertThat(Scores.table(List.of(e))).isEqualTo("""
                rows                error
                1505, as they are  0.2500
                """);
        assertThat(Scores.details(e, schema(List.of("ham", "spam")))).isEqualTo("""
                error 0.2500, 95 % interval 0.1250 to 0.5000

                Rows of each class (lines) by predicted class (columns):
                kind   ham  spam
                ham   1500     2
                spam     0     3

                Rows by the predicted probability of kind = spam, and the share for which it holds:
                probability   share  rows
                0.0123       0.5000  1500
                0.9877       1.0000     5
                """);
    }

    @Test
    void namesTooLongForAScreenAreNumberedInTheHeading() {
        List<String> names = IntStream.range(0, 12)
                .mapToObj(c -> "a class whose name\nruns over several lines and does not end " + c)
                .toList();
        List<String> lines =
                Scores.details(evaluation(confusion(12)), schema(names)).lines().toList();
        assertThat(lines).hasSize(3 + 13);
        assertThat(lines.subList(3, 16))
                .allSatisfy(line -> assertThat(line).hasSameSizeAs(lines.get(3)).hasSizeLessThan(110));
        assertThat(lines.get(3)).matches("kind +\\(1\\) +\\(2\\) .* +\\(12\\)");
        assertThat(lines.get(15)).startsWith("(12) a class whose name runs ove...  1100  1101  1102 ");
    }

    @Test
    void ofManyClassesTheFirstAreShownAndTheOthersSummed() {
        List<String> names = IntStream.range(0, 15).mapToObj(c -> "c" + c).toList();
        List<String> lines =
                Scores.details(evaluation(confusion(15)), schema(names)).lines().toList();
        assertThat(lines.get(3)).matches("kind +c0 .* +c11 +others");
        assertThat(lines.get(5)).matches("c1 +100 .* +111 +339");
        assertThat(lines.get(16)).isEqualTo("... and 3 more classes; --json has them all");
        assertThat(Scores.json(evaluation(confusion(15)), names)
                        .get("confusion")
                        .get(14)
                        .get(14)
                        .asInt())
                .isEqualTo(1414);
    }

    @Test
    void numbersHaveNothingMoreToShow() {
        Evaluation e = new Evaluation(
                "l2 0.3", 7, Map.of(Metric.RMSE, 123456.0), Map.of(), new int[0][], List.of(), List.of());
        assertThat(Scores.table(List.of(e))).isEqualTo("""
                rows                  RMSE
                7, l2 0.3 shift  1.235e+05
                """);
        assertThat(Scores.details(e, schema(List.of()))).isEmpty();
        assertThat(Scores.json(e, List.of()))
                .hasToString("{\"shift\":\"l2 0.3\",\"rows\":7,\"rmse\":123456.0,\"intervals\":{}}");
    }

    @Test
    void jsonHasEverything() {
        Evaluation e = evaluation(new int[][] {{5, 2}, {0, 1}}, new Evaluation.Bin(8, 0.25, 0.375));
        assertThat(Scores.json(e, List.of("no", "yes")))
                .hasToString("{\"shift\":\"none\",\"rows\":8,\"error\":0.25,\"auc\":null,"
                        + "\"intervals\":{\"error\":{\"low\":0.125,\"high\":0.5}},\"accuracy\":0.75,"
                        + "\"classes\":[\"no\",\"yes\"],\"confusion\":[[5,2],[0,1]],"
                        + "\"calibration\":[{\"probability\":0.25,\"share\":0.375,\"rows\":8}]}");
    }
}
