package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.model.Model;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.training.Checkpoint;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The laws of every objective: the gradient is that of the value, a shard may be summed in pieces, values and gradients
 * average over workers, nothing is written, and training gives the same bits on any number of threads and across a
 * resume.
 *
 * <p>To test an objective, extend this class and implement {@link #family}, {@link #model} and {@link #duals}.
 */
public abstract class ObjectiveContract {
    private static final double STEP = 1e-6;
    private static final int FEATURES = 3;

    /** Returns the objective to test; draws its parameters from all their legal values. */
    protected abstract ObjectiveFamily family(Randomness random);

    /** Returns a model for two classes that the objective serves. */
    protected abstract Model model();

    /** Returns legal values of the objective's own variables. */
    protected abstract double[] duals(Randomness random);

    /** Returns whether the value on rows is the mean of the values on equal parts of them. */
    protected boolean averagesOverWorkers() {
        return true;
    }

    /** An objective, rows and a place to ask for its value. */
    private record Case(Objective objective, Dataset rows, Iterate at) {
        ShardSums sums(Iterate here, boolean withLoss) {
            return objective.sums(here, rows, withLoss);
        }

        double value(Iterate here) {
            return objective.value(here, sums(here, true), FEATURES);
        }

        double[] gradient() {
            return objective.gradient(at, sums(at, false), FEATURES);
        }
    }

    private void check(int cases, int rows, BiConsumer<Case, Randomness> law) {
        Laws.check(cases, seed -> {
            Randomness random = seed.child("case").random();
            Objective objective = family(random).on(model(), 0.3 * random.nextDouble());
            double[] theta = random.gaussians(model().parameters(FEATURES));
            Dataset data = Samples.dense(seed, rows, FEATURES, 2);
            assertThat(data.weighted()).isTrue();
            law.accept(new Case(objective, data, new Iterate(0, theta, duals(random))), random);
        });
    }

    @Test
    protected void theGradientIsThatOfTheValue() {
        check(20, 300, (c, random) -> {
            double[] gradient = c.gradient();
            for (int i = 0; i < gradient.length; i++) {
                double[] up = c.at.theta().clone();
                double[] down = c.at.theta().clone();
                up[i] += STEP;
                down[i] -= STEP;
                double slope = (c.value(c.at.withTheta(up)) - c.value(c.at.withTheta(down))) / (2 * STEP);
                assertThat(gradient[i]).isCloseTo(slope, within(1e-5 * (1 + Math.abs(slope))));
            }
        });
    }

    @Test
    protected void aShardMayBeSummedInPieces() {
        check(5, 1000, (c, random) -> {
            List<Block> blocks = c.rows.blocks();
            assertThat(blocks).hasSize(4);
            ShardSums whole = c.sums(c.at, true);
            ShardSums merged = c.objective
                    .sums(c.at, blocks.subList(0, 2), true)
                    .merge(c.objective.sums(c.at, blocks.subList(2, 4), true));
            assertThat(Laws.bits(merged.gradient())).isEqualTo(Laws.bits(whole.gradient()));
            assertThat(Laws.bits(merged.duals()))
                    .isEqualTo(Laws.bits(whole.duals()))
                    .hasSameSizeAs(c.at.duals());
            assertThat(merged.loss()).isEqualTo(whole.loss());
            assertThat(merged.rows()).isEqualTo(1000);
        });
    }

    @Test
    protected void theLossIsSummedOnlyIfItIsAskedFor() {
        check(5, 100, (c, random) -> {
            assertThat(c.sums(c.at, false).loss()).isNaN();
            assertThat(c.sums(c.at, true).loss()).isFinite();
        });
    }

    @Test
    protected void equalShardsAverage() {
        if (!averagesOverWorkers()) {
            return;
        }
        check(10, 400, (c, random) -> {
            double value = 0;
            double[] gradient = new double[c.at.theta().length];
            double[] reports = new double[c.at.duals().length];
            for (int w = 0; w < 4; w++) {
                int worker = w;
                Case own = new Case(
                        c.objective,
                        c.rows.select(IntStream.range(0, 400)
                                .filter(r -> r % 4 == worker)
                                .toArray()),
                        c.at);
                value += own.value(c.at) / 4;
                double[] g = own.gradient();
                double[] r = c.objective.dualGradient(c.at, own.sums(c.at, false));
                IntStream.range(0, g.length).forEach(i -> gradient[i] += g[i] / 4);
                IntStream.range(0, r.length).forEach(i -> reports[i] += r[i] / 4);
            }
            assertThat(value).isCloseTo(c.value(c.at), within(1e-9 * (1 + Math.abs(value))));
            assertClose(gradient, c.gradient());
            assertClose(reports, c.objective.dualGradient(c.at, c.sums(c.at, false)));
        });
    }

    private static void assertClose(double[] made, double[] expected) {
        for (int i = 0; i < made.length; i++) {
            assertThat(made[i]).isCloseTo(expected[i], within(1e-9 * (1 + Math.abs(expected[i]))));
        }
    }

    @Test
    protected void nothingIsWritten() {
        check(5, 100, (c, random) -> {
            double[] theta = c.at.theta().clone();
            double[] duals = c.at.duals().clone();
            ShardSums sums = c.sums(c.at, true);
            double[] gradient = sums.gradient().clone();
            double[] reports = sums.duals().clone();
            c.objective.gradient(c.at, sums, FEATURES);
            c.objective.value(c.at, sums, FEATURES);
            c.objective.nextDuals(c.at.duals(), c.objective.dualGradient(c.at, sums), 0.1);
            assertThat(c.at.theta()).isEqualTo(theta);
            assertThat(c.at.duals()).isEqualTo(duals);
            assertThat(sums.gradient()).isEqualTo(gradient);
            assertThat(sums.duals()).isEqualTo(reports);
        });
    }

    @Test
    protected void trainingGivesTheSameBitsOnAnyThreadsAndAcrossAResume() {
        Dataset rows = Samples.dataset(Seed.of(6), 1200, FEATURES);
        List<Checkpoint> saved = new ArrayList<>();
        TrainingRun whole = training(rows).checkpoints(7, saved::add).run();
        assertThat(saved).hasSizeGreaterThan(2);
        assertThat(Arrays.stream(whole.state().theta()).anyMatch(x -> x != 0)).isTrue();
        for (Checkpoint checkpoint : saved) {
            TrainingRun resumed = training(rows).threads(2).resume(checkpoint).run();
            assertThat(Laws.bits(resumed.state().theta()))
                    .isEqualTo(Laws.bits(whole.state().theta()));
            assertThat(Laws.bits(resumed.state().duals()))
                    .isEqualTo(Laws.bits(whole.state().duals()));
        }
    }

    private Training training(Dataset rows) {
        return Training.of(rows, Plan.defaults().with("rule", "norm-clipping"))
                .workers(8)
                .rounds(25)
                .with(PlanKey.TOLERANCE, 0.0)
                .model(model())
                .objective(family(Seed.of(3).random()));
    }
}
