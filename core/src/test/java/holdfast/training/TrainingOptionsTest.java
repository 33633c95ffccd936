package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.plan.Plan;
import holdfast.rounds.LocalWork;
import holdfast.rounds.RowSampling;
import holdfast.shift.Shift;
import holdfast.testkit.Logged;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a run can be asked for besides its plan, and what it says of its data. */
class TrainingOptionsTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "3")
            .with("screened", "0")
            .with("lambda", "none")
            .with("rounds", "60")
            .with("learning-rate", "0.1");

    private final Dataset data = Samples.dataset(Seed.of(1), 300, 3);

    @Test
    void numbersThatMeanNothingAreRefused() {
        Training training = Training.of(data, PLAN);
        training.threads(1).checkpoints(1, checkpoint -> {});
        assertThatThrownBy(() -> training.threads(0)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> training.checkpoints(0, checkpoint -> {})).isInstanceOf(InputException.class);
        LocalWork.Sent gradient = new LocalWork.Gradient();
        assertThatThrownBy(() -> new LocalWork(RowSampling.ALL, 0, 1, gradient)).isInstanceOf(InputException.class);
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new LocalWork(RowSampling.ALL, 1, bad, gradient))
                    .isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new LocalWork(RowSampling.ALL, 2, 1, new LocalWork.Newton(0)))
                .isInstanceOf(InputException.class)
                .hasMessage("--update newton is one step: --local-steps must be 1, got 2");
        assertThatThrownBy(() -> new RowSampling.Batch(0, Seed.of(1)))
                .isInstanceOf(InputException.class)
                .hasMessage("--batch must be at least 1, got 0");
        assertThat(PLAN.with("schedule", "steps(every=1)").schedule().factor(2)).isEqualTo(0.25);
        assertThatThrownBy(() -> Training.of(data.source(), PLAN).run()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void everyLocalStepDrawsItsOwnBatch() {
        RowSampling batch = new RowSampling.Batch(20, Seed.of(4));
        List<String> drawn = IntStream.range(0, 4)
                .mapToObj(step -> Arrays.toString(batch.of(data, 3, step).row(0)))
                .toList();
        assertThat(drawn).doesNotHaveDuplicates();
    }

    @Test
    void theServersOwnRowsAreAskedForTheGradientThatJudges() {
        Plan plan = PLAN.with("rule", "fltrust").with("root", "60");
        TrainingRun run = Training.of(data, plan).run();
        assertThat(run.evaluate(Shift.NONE).error()).isLessThan(0.3);
        assertThat(run.ledger()).allMatch(line -> line.screened() < run.state().round() / 2);
    }

    @Test
    void constantColumnsAreNamedOnce() {
        for (int constants : new int[] {0, 5, 6}) {
            DatasetBuilder builder = new DatasetBuilder(8);
            Randomness random = Seed.of(2).random();
            for (int r = 0; r < 60; r++) {
                double[] x = random.gaussians(8);
                Arrays.fill(x, 0, constants, 3);
                builder.add(x, x[7] > 0 ? 1 : 0);
            }
            List<String> logged = Logged.during(
                    () -> Training.of(builder.build(Samples.schema(8), DataSource.MEMORY), PLAN.with("rounds", "1"))
                            .run());
            assertThat(logged.stream().filter(line -> line.contains("constant")).toList())
                    .hasSize(constants == 0 ? 0 : 1)
                    .allMatch(line -> line.equals(
                            "memory: constant up to rounding in the training rows, so counted as zero: x0, x1, x2, x3, x4"
                                    + (constants > 5 ? " and " + (constants - 5) + " more" : "")));
        }
    }
}
