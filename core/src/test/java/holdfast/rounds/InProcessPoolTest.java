package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.model.LogisticRegression;
import holdfast.objective.Effort;
import holdfast.objective.InnerMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.objective.WorstCase;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.testkit.WorkerPoolContract;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InProcessPoolTest {
    @Nested
    class OneThread extends WorkerPoolContract {
        @Override
        protected WorkerPool pool(List<Worker> workers) {
            return new InProcessPool(workers, 1);
        }
    }

    @Nested
    class TwoThreads extends WorkerPoolContract {
        @Override
        protected WorkerPool pool(List<Worker> workers) {
            return new InProcessPool(workers, 2);
        }
    }

    @Nested
    class MoreThreadsThanWorkers extends WorkerPoolContract {
        @Override
        protected WorkerPool pool(List<Worker> workers) {
            return new InProcessPool(workers, 8);
        }
    }

    @Test
    void anyNumberOfThreadsSharesAnyNumberOfShardsToTheSameBits() {
        Dataset data = Samples.dataset(Seed.of(3), 7000, 6);
        for (String update : List.of("gradient", "newton")) {
            for (int workers : new int[] {1, 2, 5}) {
                Plan plan = Plan.defaults()
                        .with("workers", Integer.toString(workers))
                        .with("screened", "0")
                        .with("update", update)
                        .with("rounds", "5");
                TrainingRun one = Training.of(data, plan).run();
                for (int threads = 2; threads <= 5; threads++) {
                    TrainingRun many = Training.of(data, plan).threads(threads).run();
                    assertThat(Laws.bits(many.model().theta()))
                            .isEqualTo(Laws.bits(one.model().theta()));
                    assertThat(many.objective()).isEqualTo(one.objective());
                    assertThat(many.learningRate()).isEqualTo(one.learningRate());
                }
            }
        }
    }

    @Test
    void aWorkerThatBreaksInTheMiddleOfALargeShardSaysTheSameOnAnyNumberOfThreads() {
        Dataset data = Samples.dataset(Seed.of(4), 5000, 3);
        Block broken = data.blocks().get(11);
        InnerMaximiser breaking = new InnerMaximiser() {
            @Override
            public WorstCase maximise(double[] theta, Block block, Effort effort) {
                if (block == broken) {
                    throw new IllegalStateException("disk on fire");
                }
                return InnerMaximiser.none().maximise(theta, block, effort);
            }

            @Override
            public double lambda() {
                return 1;
            }
        };
        RobustLoss loss = new RobustLoss(new LogisticRegression(true), breaking, Effort.always(new Effort.Steps(1)), 0);
        for (int threads = 1; threads <= 3; threads++) {
            try (InProcessPool pool = new InProcessPool(List.of(new Worker(0, data, loss)), threads)) {
                assertThatThrownBy(() -> pool.ask(new RoundRequest(0, new double[4], false)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("disk on fire");
            }
        }
    }

    @Test
    void noThreadsAreRefused() {
        assertThatThrownBy(() -> new InProcessPool(List.of(), 0))
                .isInstanceOf(InputException.class)
                .hasMessage("threads must be from 1 to 1024, got 0");
    }
}
