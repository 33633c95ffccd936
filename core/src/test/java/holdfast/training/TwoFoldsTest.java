package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of half the rows: who takes part, and with what. */
class TwoFoldsTest {
    private static final Plan PLAN = Plan.defaults()
            .with("test-share", "0")
            .with("rounds", "10")
            .with("lambda", "8")
            .with("recalibration", "none");

    /** Sources of 40 rows, the first few of which have fewer. */
    private static Dataset sources(int count, int... fewer) {
        int[] sizes = IntStream.range(0, count)
                .map(s -> s < fewer.length ? fewer[s] : 40)
                .toArray();
        int[] sourceOf = IntStream.range(0, count)
                .flatMap(s -> IntStream.generate(() -> s).limit(sizes[s]))
                .toArray();
        return Samples.dataset(Seed.of(2), sourceOf.length, 3)
                .grouped(IntStream.range(0, count).mapToObj(s -> "s" + s).toList(), sourceOf);
    }

    private static TwoFolds folds(Dataset data, Plan plan) {
        Plan own = data.hasGroups() ? plan.with("workers-by", "source") : plan;
        try (PreparedRun run = PreparedData.of(data, own).startWorkers(own, 1)) {
            return TwoFolds.of(run);
        }
    }

    private static Plan resolved(Dataset data, Plan plan) {
        Plan own = data.hasGroups() ? plan.with("workers-by", "source") : plan;
        try (PreparedRun run = PreparedData.of(data, own).startWorkers(own, 1)) {
            return run.plan();
        }
    }

    /** A source of one row, and one of a row in each class, would leave rules of more than 2f workers with too few. */
    @ParameterizedTest
    @CsvSource({"trimmed-mean,3,1", "median,3,1", "krum,10,3", "nnm + trimmed-mean,5,2"})
    void tinySourcesDoNotPreventThatRowsAreLeftOut(String rule, int count, int f) {
        int[] one = new int[f];
        Arrays.fill(one, 1);
        Plan plan = PLAN.with("rule", rule)
                .with("tolerated", Integer.toString(f))
                .with("workers-by", "source")
                .with("lambda", "auto")
                .with("recalibration", "auto")
                .with("threshold", "auto");
        List<String> logged = Logged.during(() -> {
            Training.of(sources(count, one), plan).run();
            try (PreparedRun run = PreparedData.of(sources(count, one), plan).startWorkers(plan, 1)) {
                assertThat(run.price()).isPresent();
            }
        });
        assertThat(logged).noneMatch(line -> line.contains("left out of training"));
    }

    /** Where a source has rows in both halves, each is tested by the model that has not seen it. */
    @Test
    void everyRowIsTestedByTheOtherHalf() {
        Dataset data = sources(3, 1);
        TwoFolds folds = folds(data, PLAN.with("tolerated", "1"));
        double[][] by = folds.leftOut(new double[][] {{0}, {1}}, (theta, rows) -> {
            double[] half = new double[rows.rows()];
            Arrays.fill(half, theta[0]);
            return half;
        });
        assertThat(by[0]).containsExactly(1);
        for (int s = 1; s < 3; s++) {
            int[] seen = new int[2];
            for (int r = 0; r < by[s].length; r++) {
                int label = (int) folds.shards().get(s).label(r);
                assertThat(by[s][r]).isEqualTo(1 - seen[label]++ % 2);
            }
        }
    }

    /** With as many rows in each half, a half's model is the one that training on its rows alone gives. */
    @Test
    void aTinySourceTrainsOnAllItsRowsInBothHalves() {
        Dataset data = sources(4, 1);
        Plan plan = PLAN.with("scale", "none")
                .with("tolerated", "0")
                .with("rule", "mean")
                .with("tolerance", "0");
        Plan numbers = resolved(data, plan);
        double[][] theta = folds(data, plan).train(numbers, null);
        int[][] seen = new int[4][2];
        int[] half = IntStream.range(0, data.rows())
                .map(r -> seen[data.group(r)][(int) data.label(r)]++ % 2)
                .toArray();
        for (int h = 0; h < 2; h++) {
            int own = h;
            Dataset rows = data.select(IntStream.range(0, data.rows())
                    .filter(r -> data.group(r) == 0 || half[r] == own)
                    .toArray());
            assertThat(theta[h])
                    .isEqualTo(Training.of(rows, numbers).run().model().theta());
        }
    }

    @Test
    void someSourceMustHaveRowsInBothHalves() {
        assertThatThrownBy(() -> folds(sources(4, 1, 1, 1, 1), PLAN))
                .isInstanceOf(InputException.class)
                .hasMessage("no worker has training rows enough for two halves");
        Plan plan = PLAN.with("workers-by", "source").with("rounds", "3");
        Dataset data = sources(4, 1, 1, 1, 1);
        assertThat(Logged.during(() -> Training.of(
                                data, plan.with("recalibration", "auto").with("threshold", "auto"))
                        .run()))
                .anyMatch(line -> line.contains("probabilities stay as trained and --threshold auto leaves labels as"
                        + " trained, because rows could not be left out of training in turn: no worker"));
        assertThat(Logged.during(
                        () -> Training.of(data, plan.with("threshold", "auto")).run()))
                .anyMatch(line -> line.startsWith("--threshold auto leaves labels as trained, because rows"));
        assertThat(Logged.during(() ->
                        Training.of(data, plan.with("recalibration", "auto")).run()))
                .anyMatch(line -> line.startsWith("probabilities stay as trained, because rows"));
    }

    @Test
    void simulatedLiarsSpoilTheirRowsHereToo() {
        Dataset data = sources(5);
        TwoFolds honest = folds(data, PLAN);
        TwoFolds attacked = folds(data, PLAN.with("attack", "label-flip").with("byzantine", "2"));
        for (int s = 0; s < 5; s++) {
            Dataset own = honest.shards().get(s);
            Dataset same = attacked.shards().get(s);
            for (int r = 0; r < own.rows(); r++) {
                assertThat(same.label(r)).isEqualTo(s == 2 ? 1 - own.label(r) : own.label(r));
            }
        }
    }

    /** Half of the rows are few enough; none are set aside. */
    @Test
    void noRowsAreSetAsideForValidation() {
        Dataset data = sources(5);
        Plan plan = resolved(data, PLAN.with("validation", "0.3").with("patience", "1"));
        TwoFolds folds = folds(data, PLAN);
        double[][] theta = folds.train(plan, null);
        double[][] without = folds.train(plan.without(PlanKey.VALIDATION, PlanKey.PATIENCE), null);
        assertThat(Laws.bits(theta[0])).isEqualTo(Laws.bits(without[0]));
        assertThat(Laws.bits(theta[1])).isEqualTo(Laws.bits(without[1]));
    }

    /** Half of eight rows of each class are eight rows together. */
    @Test
    void aBatchIsAtMostTheSmallestHalf() {
        int rows = 16;
        Dataset data = Samples.dataset(Seed.of(2), 3 * rows, 3)
                .grouped(
                        List.of("a", "b", "c"),
                        IntStream.range(0, 3 * rows).map(r -> r / rows).toArray())
                .relabel(r -> r % 2);
        TwoFolds folds = folds(data, PLAN.with("batch", "8"));
        Plan fitting = resolved(data, PLAN.with("batch", "8"));
        for (int batch : new int[] {9, 16}) {
            double[][] theta = folds.train(fitting.with(PlanKey.BATCH, Optional.of(batch)), null);
            assertThat(theta).isDeepEqualTo(folds.train(fitting, null));
        }
        assertThat(folds.train(fitting.with(PlanKey.BATCH, Optional.of(7)), null)[0])
                .isNotEqualTo(folds.train(fitting, null)[0]);
    }

    /** About 20,000 rows in all, but at least 100 of each worker. */
    @ParameterizedTest
    @CsvSource({"1,20000", "10,2000", "200,100", "1000,100"})
    void everyWorkerGivesEnoughRows(int workers, int wanted) {
        int[] asked = new int[1];
        SourceProbe probe = new SourceProbe() {
            @Override
            public int workers() {
                return workers;
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
                return 10L * workers;
            }

            @Override
            public SourceSample sample(int rowsPerWorker) {
                asked[0] = rowsPerWorker;
                throw new InputException("asked");
            }
        };
        Dataset data = Samples.dataset(Seed.of(1), 50, 3);
        long[] sizes = new long[workers];
        Arrays.fill(sizes, 10);
        assertThatThrownBy(() -> TwoFolds.of(
                        PLAN,
                        probe,
                        PreparedData.of(data, PLAN).preparation(),
                        data.schema(),
                        sizes,
                        List.of(),
                        plan -> Optional.empty()))
                .hasMessage("asked");
        assertThat(asked[0]).isEqualTo(wanted);
    }
}
