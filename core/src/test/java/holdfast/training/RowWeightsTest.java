package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row of weight n counts like n rows, in all that is learnt before the rounds and in the rounds. */
class RowWeightsTest {
    private static final int SOURCES = 5;
    private static final int ROWS = 120;

    private record Weighed(double[] cells, double label, int source, int weight) {}

    private static List<Weighed> random(Randomness random, String model) {
        List<Weighed> rows = new ArrayList<>();
        for (int r = 0; r < SOURCES * ROWS; r++) {
            double[] x = {3 * random.nextGaussian() + 40, random.nextInt(3), random.nextInt(10) == 0 ? 1 : 0};
            double score = (x[0] - 40) / 3 - x[1] + 0.5 * random.nextGaussian();
            double label = switch (model) {
                case "logistic" -> score > -0.5 ? 1 : 0;
                case "softmax" -> score > 0 ? 2 : score > -1 ? 1 : 0;
                case "poisson" -> Math.max(0, Math.rint(3 + score));
                default -> 100 * score;
            };
            if (r % 7 == 0) {
                x[random.nextInt(2)] = Double.NaN;
            }
            rows.add(new Weighed(x, label, r % SOURCES, random.nextInt(4)));
        }
        return rows;
    }

    /** @param repeated whether rows are there as often as their weights say, instead of having weights */
    private static Table table(List<Weighed> rows, int classes, boolean repeated) {
        DatasetBuilder builder = new DatasetBuilder(3);
        for (Weighed row : rows) {
            for (int i = 0; i < (repeated ? row.weight : Math.min(1, row.weight)); i++) {
                builder.add(row.cells, row.label, row.source, repeated ? 1 : 2.5 * row.weight);
            }
        }
        return Table.of(
                List.of(
                        new TableColumn("a", List.of(), TableColumn.Missing.MEAN),
                        new TableColumn("b", List.of("x", "y", "z"), TableColumn.Missing.MEAN),
                        new TableColumn("c", List.of(), TableColumn.Missing.MEAN)),
                builder.build(
                        new Schema(
                                List.of("a", "b", "c"),
                                "label",
                                IntStream.range(0, classes)
                                        .mapToObj(Integer::toString)
                                        .toList(),
                                IntStream.range(0, SOURCES)
                                        .mapToObj(s -> "s" + s)
                                        .toList()),
                        DataSource.MEMORY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logistic",
                "logistic;statistics=pooled",
                "logistic;class-weights=balanced;l2=0.01",
                "logistic;class-weights=balanced;statistics=pooled;source-weights=rows;rule=mean",
                "logistic;source-weights=rows",
                "logistic;scale=sd",
                "logistic;objective=cvar(level=0.5);learning-rate=0.1",
                "softmax;class-weights=balanced",
                "linear",
                "huber",
                "huber;statistics=pooled",
                "poisson",
                "svm;l2=0.1"
            })
    void aRowOfWeightTwoIsLikeTwoRows(String settings) {
        String[] parts = settings.split(";");
        Plan given = Plan.defaults()
                .with("model", parts[0])
                .with("workers-by", "source")
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.TOLERANCE, 0.0)
                .with(PlanKey.ROUNDS, 15);
        for (int i = 1; i < parts.length; i++) {
            given = given.with(
                    parts[i].substring(0, parts[i].indexOf('=')), parts[i].substring(parts[i].indexOf('=') + 1));
        }
        Plan plan = given;
        int classes =
                parts[0].equals("softmax") ? 3 : List.of("logistic", "svm").contains(parts[0]) ? 2 : 0;
        Laws.check(3, (Seed seed) -> {
            List<Weighed> rows = random(seed.random(), parts[0].equals("svm") ? "logistic" : parts[0]);
            double[] weighed =
                    Training.of(table(rows, classes, false), plan).run().model().theta();
            double[] repeated =
                    Training.of(table(rows, classes, true), plan).run().model().theta();
            assertThat(weighed).containsExactly(repeated, within(1e-10));
            double[] ignored = Training.of(
                            Table.of(
                                    table(rows, classes, false).columns(),
                                    table(rows, classes, false).cells().reweigh(r -> 1)),
                            plan)
                    .run()
                    .model()
                    .theta();
            assertThat(IntStream.range(0, ignored.length)
                            .mapToDouble(i -> Math.abs(ignored[i] - repeated[i]))
                            .max()
                            .orElseThrow())
                    .as("weights matter")
                    .isGreaterThan(1e-4);
        });
    }
}
