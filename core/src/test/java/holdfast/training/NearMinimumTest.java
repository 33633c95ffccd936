package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that says it has converged is near the minimum, and gets there in few rounds. */
class NearMinimumTest {
    /** Columns of very different spread that depend on each other. */
    private static Dataset rows(Seed seed, int n, int d) {
        Randomness random = seed.random();
        DatasetBuilder rows = new DatasetBuilder(d);
        double[] truth = random.gaussians(d);
        for (int r = 0; r < n; r++) {
            double[] x = random.gaussians(d);
            double score = 0;
            for (int i = 1; i < d; i++) {
                x[i] = 0.6 * x[i - 1] + 0.8 * x[i];
                score += truth[i] * x[i];
            }
            for (int i = 0; i < d; i++) {
                x[i] = Math.scalb(x[i], i % 7);
            }
            rows.add(x, score + random.nextGaussian() > 0 ? 1 : 0);
        }
        return rows.build(
                new Schema(IntStream.range(0, d).mapToObj(i -> "x" + i).toList(), "y", List.of("no", "yes"), List.of()),
                DataSource.MEMORY);
    }

    private static final Plan PLAN =
            Plan.defaults().with(PlanKey.TEST_SHARE, 0.0).with("rule", "mean").with("tolerated", "0");

    private static double objective(Dataset rows, Plan plan) {
        return Training.of(rows, plan).run().objective();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "3", "none"})
    void aConvergedRunIsNearTheMinimum(String lambda) {
        Laws.check(6, seed -> {
            Dataset rows = rows(seed, 400, 12);
            Plan plan = PLAN.with("lambda", lambda).with("l2", lambda.equals("none") ? "0.01" : "0");
            TrainingRun run = Training.of(rows, plan).run();
            assertThat(run.converged()).isTrue();
            // Steps of one safe size, many of them, are another way to the minimum.
            double minimum = objective(
                    rows,
                    plan.with("learning-rate", "adaptive(first=0.05)")
                            .with(PlanKey.TOLERANCE, 1e-12)
                            .with(PlanKey.ROUNDS, 20_000));
            assertThat(run.objective() / minimum - 1).isLessThan(1e-3);
            assertThat(run.state().round()).isLessThan(60);
        });
    }

    @Test
    void aSmallerToleranceComesNearer() {
        Dataset rows = rows(Seed.of(3), 400, 12);
        double minimum = objective(rows, PLAN.with(PlanKey.TOLERANCE, 1e-13));
        for (double tolerance : new double[] {1e-2, 1e-4, 1e-6, 1e-8}) {
            assertThat(objective(rows, PLAN.with(PlanKey.TOLERANCE, tolerance)) / minimum - 1)
                    .isLessThan(20 * tolerance);
        }
    }

    /** With another direction in every round, as liars make it, there is nothing to converge to. */
    @Test
    void aRunThatNeverComesNearDoesNotSaySo() {
        Plan plan = Plan.defaults()
                .with(PlanKey.TEST_SHARE, 0.0)
                .with("attack", "below-cut")
                .with("liars", "2")
                .with("tolerated", "2")
                .with(PlanKey.TOLERANCE, 1e-7)
                .with(PlanKey.ROUNDS, 60);
        TrainingRun run = Training.of(rows(Seed.of(4), 600, 12), plan).run();
        assertThat(run.converged()).isFalse();
        assertThat(run.objective()).isBetween(0.0, 0.69);
    }
}
