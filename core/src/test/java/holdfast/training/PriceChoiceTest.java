package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.UnusableSource;
import holdfast.evaluation.Metric;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@code --lambda auto} chooses, and what that costs. */
class PriceChoiceTest {
    private static final Plan AUTO = Plan.defaults().with("lambda", "auto").with("test-share", "0");

    private static PreparedRun prepared(Dataset data, Plan plan) {
        Plan own = data.hasGroups() ? plan.with("workers-by", "source") : plan;
        return PreparedData.of(data, own).startWorkers(own, 1);
    }

    private static PriceChoice choice(Dataset data, Plan plan) {
        try (PreparedRun run = prepared(data, plan)) {
            assertThat(run.plan().get(PlanKey.LAMBDA))
                    .isEqualTo(run.price().orElseThrow().price());
            return run.price().orElseThrow();
        }
    }

    /** The excess and its standard error by the textbook, from models that are trained on each half by themselves. */
    @Test
    void lossesAreThoseOfRowsThatTheModelHasNotSeen() {
        Dataset data = Samples.dataset(Seed.of(4), 400, 3);
        Plan exact = AUTO.with("workers", "1")
                .with("rule", "mean")
                .with("tolerated", "0")
                .with("scale", "none")
                .with("statistics", "pooled")
                .with("tolerance", "1e-9");
        PriceChoice found = choice(data, exact);
        assertThat(found.trials().size()).isGreaterThan(2);
        double[] plain = leftOutLosses(data, exact.with("lambda", "none"));
        for (PriceChoice.Trial trial : found.trials()) {
            double[] losses = leftOutLosses(data, exact.with(PlanKey.LAMBDA, trial.price()));
            double[] more = IntStream.range(0, losses.length)
                    .mapToDouble(r -> losses[r] - plain[r])
                    .toArray();
            double mean = Arrays.stream(more).average().orElseThrow();
            double variance = Arrays.stream(more)
                    .map(d -> (d - mean) * (d - mean))
                    .average()
                    .orElseThrow();
            assertThat(trial.loss()).isCloseTo(Arrays.stream(losses).average().orElseThrow(), within(1e-4));
            assertThat(trial.excess()).isCloseTo(mean, within(1e-4));
            assertThat(trial.standardError()).isCloseTo(Math.sqrt(variance / more.length), within(1e-4));
        }
    }

    /** Trains on the first, third, ... row of each class and on the others, and returns log(1 + exp(-margin)) of the rest. */
    private static double[] leftOutLosses(Dataset data, Plan plan) {
        int[] seen = new int[2];
        int[] half = IntStream.range(0, data.rows())
                .map(r -> seen[(int) data.label(r)]++ % 2)
                .toArray();
        double[] losses = new double[data.rows()];
        for (int h = 0; h < 2; h++) {
            int trained = h;
            int[] own = IntStream.range(0, half.length)
                    .filter(r -> half[r] == trained)
                    .toArray();
            double[] theta = Training.of(data.select(own), plan).run().model().theta();
            for (int r = 0; r < losses.length; r++) {
                if (half[r] != trained) {
                    double[] x = data.row(r);
                    double u = theta[x.length];
                    for (int i = 0; i < x.length; i++) {
                        u += theta[i] * x[i];
                    }
                    losses[r] = Math.log1p(Math.exp(data.label(r) == 1 ? -u : u));
                }
            }
        }
        return losses;
    }

    @Test
    void theChosenPriceCostsNothingToSpeakOf() {
        Laws.check(4, seed -> {
            for (Dataset data : List.of(
                    Samples.dataset(seed, 600, 4, 6),
                    Samples.classes(seed, 600, 4, 3, 6),
                    Samples.numbers(seed, 600, 4, 6),
                    Samples.dataset(seed, 300, 5))) {
                PriceChoice found = choice(data, AUTO);
                assertThat(found.plain().price()).isEqualTo(Price.NONE);
                assertThat(found.plain().excess()).isZero();
                assertThat(found.metric()).isEqualTo(data.schema().classes().isEmpty() ? Metric.RMSE : Metric.ERROR);
                double level = found.plain().loss();
                PriceChoice.Trial chosen = found.chosen();
                assertThat(chosen.excess())
                        .isLessThanOrEqualTo(Math.max(0.001 * level, Math.min(chosen.standardError(), 0.01 * level)));
                double last = Double.POSITIVE_INFINITY;
                for (PriceChoice.Trial trial : found.trials()) {
                    assertThat(lambda(trial.price())).isLessThanOrEqualTo(last);
                    last = lambda(trial.price());
                    assertThat(trial.shifted()).isGreaterThanOrEqualTo(trial.figure() - 1e-12);
                }
            }
        });
    }

    /** With pooled statistics means are means, so the best of the larger prices can be compared with as well. */
    @Test
    void theChosenPriceIsNearlyTheBest() {
        Laws.check(6, seed -> {
            PriceChoice found = choice(Samples.dataset(seed, 300, 20), AUTO.with("statistics", "pooled"));
            double best = found.trials().stream()
                    .filter(trial -> lambda(trial.price()) >= lambda(found.price()))
                    .mapToDouble(PriceChoice.Trial::loss)
                    .min()
                    .orElseThrow();
            assertThat(found.chosen().loss()).isLessThanOrEqualTo(1.01 * best + 1e-12);
        });
    }

    /** Rows far out move far for little, so a small price costs much; standard normal rows pay less. */
    @Test
    void skewedFeaturesGetALargerPrice() {
        Dataset data = Samples.dataset(Seed.of(2), 3000, 4);
        Dataset skewed = data.changed(
                IntStream.range(0, data.rows()).toArray(), (r, row) -> Arrays.setAll(row, i -> Math.exp(2 * row[i])));
        double usual = lambda(choice(data, AUTO).price());
        double large = lambda(choice(skewed, AUTO).price());
        assertThat(large).isGreaterThanOrEqualTo(usual);
    }

    private static double lambda(Price price) {
        return price.lambda().orElse(Double.POSITIVE_INFINITY);
    }

    /** One of ten sources swaps its labels and has columns in another unit; the rule tolerates one. */
    @Test
    void oneSourceDoesNotDecide() {
        Laws.check(4, seed -> {
            Dataset data = Samples.dataset(seed, 2000, 4, 10);
            int[] bad = IntStream.range(0, data.rows())
                    .filter(r -> data.group(r) == 3)
                    .toArray();
            Dataset poisoned = data.changed(bad, (r, row) -> Arrays.setAll(row, i -> 1000 * row[i]))
                    .relabel(r -> data.group(r) == 3 ? 1 - data.label(r) : data.label(r));
            double clean = lambda(choice(data, AUTO).price());
            double other = lambda(choice(poisoned, AUTO).price());
            assertThat(Math.min(256, other)).isBetween(Math.min(256, clean) / 8, 8 * Math.min(256, clean));
        });
    }

    @Test
    void aChoiceIsMadeOnlyWhereThePlanLeavesItOpen() {
        Dataset data = Samples.dataset(Seed.of(1), 200, 3);
        try (PreparedRun run = prepared(data, Plan.defaults())) {
            assertThat(run.price()).isEmpty();
        }
        try (PreparedRun run = prepared(data, AUTO.with("objective", "cvar(level=0.5)"))) {
            assertThat(run.price()).isEmpty();
        }
    }

    @Test
    void rowsThatCannotBeLeftOutGetTheUsualPrice() {
        SourceProbe broken = new SourceProbe() {
            @Override
            public int workers() {
                return 1;
            }

            @Override
            public List<UnusableSource> unusable() {
                return List.of();
            }

            @Override
            public int columns() {
                return 3;
            }

            @Override
            public long rows() {
                return 10;
            }

            @Override
            public SourceSample sample(int rowsPerWorker) {
                throw new InputException("no rows");
            }
        };
        Dataset data = Samples.dataset(Seed.of(1), 200, 3);
        List<String> logged = Logged.during(() -> {
            Optional<PriceChoice> none = PriceChoice.of(
                    AUTO,
                    broken,
                    PreparedData.of(data, AUTO).preparation(),
                    data.schema(),
                    new long[] {200},
                    List.of(),
                    plan -> Optional.empty(),
                    plan -> {});
            assertThat(none).isEmpty();
            assertThat(PriceChoice.priced(AUTO, none).lambda()).contains(8.0);
        });
        assertThat(logged).anyMatch(line -> line.contains("--lambda auto is 8") && line.contains("no rows"));
    }

    @Test
    void whatNoPriceAllowsIsAnErrorAndNoWarning() {
        Dataset data = Samples.dataset(Seed.of(1), 200, 3);
        Plan network = AUTO.with("model", "mlp(hidden=4)");
        for (Plan plan : List.of(network.with("learning-rate", "proven"), network.with("maximiser", "exact"))) {
            List<String> logged = Logged.during(() ->
                    assertThatThrownBy(() -> Training.of(data, plan).run()).isInstanceOf(InputException.class));
            assertThat(logged).noneMatch(line -> line.contains("--lambda auto"));
        }
    }

    @Test
    void runsWithAnAutomaticPriceRepeatToTheBit() {
        Dataset data = Samples.dataset(Seed.of(6), 500, 4, 5);
        Plan plan = AUTO.with("workers-by", "source").with("l2", "auto");
        double[] once = Training.of(data, plan).run().model().theta();
        double[] threads = Training.of(data, plan).threads(3).run().model().theta();
        assertThat(threads).isEqualTo(once);
        try (PreparedRun run = prepared(data, plan)) {
            assertThat(Training.of(data, plan.with(PlanKey.LAMBDA, run.plan().get(PlanKey.LAMBDA)))
                            .run()
                            .model()
                            .theta())
                    .isEqualTo(once);
        }
    }

    /** Few rows for each column: plain training overfits, so the largest price may cost a little and smaller ones gain. */
    @Test
    void aPriceThatCostsALittleDoesNotEndTheSearch() {
        Laws.check(6, seed -> {
            List<PriceChoice.Trial> trials =
                    choice(Samples.dataset(seed, 120, 25), AUTO).trials();
            double level = trials.get(0).loss();
            for (int t = 1; t + 1 < trials.size(); t++) {
                assertThat(trials.get(t).excess()).isLessThanOrEqualTo(0.01 * level);
            }
            PriceChoice.Trial last = trials.get(trials.size() - 1);
            double best =
                    trials.stream().mapToDouble(PriceChoice.Trial::loss).min().orElseThrow();
            boolean costsMuch = last.excess() > 0.01 * level || last.loss() - best > 0.01 * best;
            assertThat(costsMuch || lambda(last.price()) <= 0.5).isTrue();
        });
    }
}
