package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.plan.Plan;
import holdfast.shift.Shift;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two of twelve sources hand in counts or numbers of any size; one column has a long tail. */
class PoisonedNumbersTest {
    private static final int SOURCES = 12;

    private static Dataset table(String model, String poison) {
        Randomness random = Seed.of(5).random();
        DatasetBuilder rows = new DatasetBuilder(3);
        for (int r = 0; r < 3000; r++) {
            int source = r % SOURCES;
            double[] x = random.gaussians(3);
            double score = 0.5 * x[0] - 0.3 * x[1] + 0.2 * x[2];
            x[2] = Math.exp(1.5 * x[2]);
            double y = model.equals("poisson")
                    ? Samples.count(Math.exp(0.5 + score), random)
                    : score + 0.5 * random.nextGaussian();
            boolean lies = source < 2;
            boolean even = r / SOURCES % 2 == 0;
            y = !lies
                    ? y
                    : switch (poison) {
                        case "x100" -> 100 * y;
                        case "huge" -> 1e300;
                        case "both" -> even ? 1.7e308 : model.equals("poisson") ? 0 : -1.7e308;
                        default -> y;
                    };
            if (lies && poison.equals("units")) {
                IntStream.range(0, 3).forEach(i -> x[i] *= 1000);
            }
            rows.add(x, y, source, 1);
        }
        Schema schema = new Schema(List.of("a", "b", "c"), "y", List.of(), List.of())
                .withGroups(IntStream.range(0, SOURCES).mapToObj(s -> "s" + s).toList());
        return rows.build(schema, DataSource.MEMORY);
    }

    @ParameterizedTest
    @CsvSource({
        "poisson, x100", "poisson, huge", "poisson, both", "poisson, units",
        "linear, x100", "linear, huge", "linear, both", "linear, units",
        "huber, both"
    })
    void theModelIsNearlyTheCleanOne(String model, String poison) {
        Plan plan = Plan.defaults()
                .with("workers-by", "site")
                .with("tolerated", "2")
                .with("model", model)
                .with("test-share", "0");
        Dataset test = table(model, "none");
        double clean = headline(test, plan, test);
        assertThat(headline(table(model, poison), plan, test)).isLessThan(1.05 * clean);
    }

    private static double headline(Dataset training, Plan plan, Dataset test) {
        return Evaluation.of(Training.of(training, plan).run().model(), test, Shift.NONE)
                .headline();
    }
}
