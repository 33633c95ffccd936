package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.model.Model;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of trials against the textbook, and the search against its definition. */
class PriceSearchTest {
    private static final Plan AUTO = Plan.defaults().with("lambda", "auto").with("test-share", "0");

    /** Rows of unequal weights from sources of unequal sizes, which differ. */
    private static Dataset weighted(Seed seed, int sources) {
        Randomness random = seed.child("weighted").random();
        DatasetBuilder builder = new DatasetBuilder(3);
        for (int s = 0; s < sources; s++) {
            for (int r = 0; r < 80 + 20 * s; r++) {
                double[] x = random.gaussians(3);
                double u = (1 + 0.3 * s) * x[0] - x[1];
                double label = random.nextDouble() < 1 / (1 + Math.exp(-u)) ? 1 : 0;
                builder.add(x, label, s, r % 3 == 0 ? 4 : 1);
            }
        }
        return builder.build(
                new Schema(
                        Samples.schema(3).features(),
                        "y",
                        List.of("no", "yes"),
                        IntStream.range(0, sources).mapToObj(s -> "s" + s).toList()),
                DataSource.MEMORY);
    }

    /** The largest price and plain training, from the same rows left out, with f = 2 of nine sources. */
    @Test
    void figuresAreTrimmedMeansAndTheMedianOfStandardErrors() {
        int f = 2;
        Dataset data = weighted(Seed.of(3), 9);
        Plan plan = AUTO.with("workers-by", "source").with("tolerated", "2").with("l2", "0");
        try (PreparedRun run = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            TwoFolds folds = TwoFolds.of(run);
            // Ten times closer to the optimum than the run, within 200 rounds.
            Plan exact = plan.with("rounds", "200").with(PlanKey.TOLERANCE, plan.get(PlanKey.TOLERANCE) * 0.1);
            double[][] none = folds.train(folds.resolve(exact.with(PlanKey.LAMBDA, Price.NONE)), null);
            double[][] robust = folds.train(folds.resolve(exact.with("lambda", "128")), none);
            double[][] before = losses(plan, folds, none);
            double[][] after = losses(plan, folds, robust);
            double[] means = new double[9];
            double[] errors = new double[9];
            for (int s = 0; s < 9; s++) {
                Dataset shard = folds.shards().get(s);
                double[] w = IntStream.range(0, shard.rows())
                        .mapToDouble(shard::weight)
                        .toArray();
                double all = Arrays.stream(w).sum();
                for (int j = 0; j < w.length; j++) {
                    means[s] += w[j] * (after[s][j] - before[s][j]) / all;
                }
                for (int j = 0; j < w.length; j++) {
                    double off = w[j] * (after[s][j] - before[s][j] - means[s]) / all;
                    errors[s] += off * off;
                }
                errors[s] = Math.sqrt(errors[s]);
            }
            Arrays.sort(means);
            Arrays.sort(errors);
            double excess = Arrays.stream(means, f, 9 - f).average().orElseThrow();
            PriceChoice.Trial found = run.price().orElseThrow().trials().get(1);
            assertThat(found.price()).isEqualTo(Price.of(128));
            assertThat(found.excess()).isCloseTo(excess, within(1e-9 * Math.abs(excess)));
            assertThat(found.standardError()).isCloseTo(errors[4] / Math.sqrt(9 - 2 * f), within(1e-9 * errors[4]));
        }
    }

    private static double[][] losses(Plan plan, TwoFolds folds, double[][] theta) {
        Model model = plan.model(folds.shards().get(0).schema());
        return folds.leftOut(theta, (own, rows) -> {
            double[] all = new double[rows.rows()];
            int at = 0;
            for (Block block : rows.blocks()) {
                double[] part = new double[block.rows()];
                model.losses(own, block, part);
                System.arraycopy(part, 0, all, at, part.length);
                at += part.length;
            }
            return all;
        });
    }

    private static Seed seed(int number) {
        return Seed.of(1).child("case", number);
    }

    /** Rows where a limit decides: another one would lead to another price. */
    private static Stream<Arguments> tables() {
        Randomness random = seed(5).child("noise").random();
        Dataset noise = Samples.dataset(seed(5), 200, 2).relabel(r -> random.nextInt(2));
        return Stream.of(
                Arguments.of("the smallest price", noise),
                Arguments.of("what costs nothing, and 1 %", Samples.numbers(seed(10), 150, 10, 0)),
                Arguments.of("1 % over the best price", Samples.dataset(seed(13), 200, 9)),
                Arguments.of("the least loss of counts", Samples.counts(seed(0), 200, 1)));
    }

    /** With pooled statistics, what a price costs over another is the difference of their losses. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void theSearchFollowsItsDefinition(String limit, Dataset data) {
        boolean counts = limit.contains("counts");
        Plan pooled = AUTO.with("statistics", "pooled");
        Plan plan = counts ? pooled.with("model", "poisson").with("learning-rate", "0.02") : pooled;
        try (PreparedRun run = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            double least = !counts
                    ? 0
                    : TwoFolds.of(run).shards().stream()
                            .flatMapToDouble(
                                    shard -> IntStream.range(0, shard.rows()).mapToDouble(shard::label))
                            .map(y -> y > 0 ? y - y * Math.log(y) : 0)
                            .average()
                            .orElseThrow();
            requireFollowed(run.price().orElseThrow(), least);
        }
    }

    /**
     * From 128 down by factors of four, until one costs more than 1 % of the loss, that of plain training or of the best price
     * so far; then the one between the smallest that costs nothing and the next. The loss counts from its least value on.
     */
    private static void requireFollowed(PriceChoice found, double least) {
        Map<Integer, PriceChoice.Trial> trials = new TreeMap<>(found.trials().stream()
                .skip(1)
                .collect(Collectors.toMap(
                        trial -> Math.getExponent(trial.price().lambda().orElseThrow()), trial -> trial)));
        PriceChoice.Trial plain = found.plain();
        PriceChoice.Trial best = plain;
        PriceChoice.Trial chosen = plain;
        List<Integer> tried = new ArrayList<>();
        int smallest = 8;
        boolean between = false;
        for (int exponent = 7; ; exponent = between ? smallest - 1 : exponent - 2) {
            PriceChoice.Trial trial = trials.get(exponent);
            tried.add(exponent);
            assertThat(trial).as("2^%d of %s", exponent, found).isNotNull();
            double level = plain.loss() - least;
            boolean costsMuch =
                    trial.excess() > 0.01 * level || trial.loss() - best.loss() > 0.01 * (best.loss() - least);
            if (!costsMuch
                    && trial.excess() <= Math.max(0.001 * level, Math.min(trial.standardError(), 0.01 * level))) {
                chosen = trial;
                smallest = exponent;
                best = trial.loss() < best.loss() ? trial : best;
            }
            if (between) {
                break;
            }
            between = costsMuch || exponent - 2 < -2;
            if (between && (smallest == 8 || smallest == -2)) {
                break;
            }
        }
        assertThat(found.chosen()).as("%s", found).isEqualTo(chosen);
        assertThat(trials.keySet()).containsExactlyInAnyOrderElementsOf(tried);
    }
}
