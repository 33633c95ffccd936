package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.objective.Effort;
import holdfast.objective.InnerMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.objective.WorstCase;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.training.PreparedData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * The laws of every engine: workers reply in order with the bits of their own answers, an error in a worker's code is
 * thrown and charged to nobody, an interrupted round ends, and closing ends the threads.
 *
 * <p>To test an engine, extend this class and implement {@link #pool}.
 */
public abstract class WorkerPoolContract {
    private static final Plan PLAN = Plan.defaults().with(PlanKey.WORKERS, 7);

    /** Starts the engine to test with these workers; the contract closes it. */
    protected abstract WorkerPool pool(List<Worker> workers);

    private static List<Worker> workers() {
        return PreparedData.of(Samples.dataset(Seed.of(1), 900, 5), PLAN).workers(PLAN.loss(Samples.TWO_CLASSES));
    }

    private static RoundRequest request(int round) {
        return new RoundRequest(round, Seed.of(2).child("theta", round).random().gaussians(6), round % 2 == 0);
    }

    /** Returns the workers, one of which has a maximiser that does something else. */
    private static List<Worker> with(int id, Runnable instead) {
        InnerMaximiser broken = new InnerMaximiser() {
            @Override
            public WorstCase maximise(double[] theta, Block block, Effort effort) {
                instead.run();
                return InnerMaximiser.none().maximise(theta, block, effort);
            }

            @Override
            public double lambda() {
                return 1;
            }
        };
        List<Worker> workers = new ArrayList<>(workers());
        Worker old = workers.get(id);
        RobustLoss loss = (RobustLoss) old.objective();
        workers.set(id, new Worker(id, old.shard(), new RobustLoss(loss.model(), broken, loss.effort(), 0)));
        return workers;
    }

    @Test
    protected void everyWorkerRepliesInOrderWithTheBitsOfItsOwnAnswer() {
        List<Worker> workers = workers();
        try (WorkerPool pool = pool(workers)) {
            assertThat(pool.workers()).isEqualTo(workers.size());
            for (int round = 0; round < 20; round++) {
                RoundRequest request = request(round);
                double[] theta = request.theta().clone();
                List<WorkerReply> replies = pool.ask(request);
                assertThat(replies).hasSameSizeAs(workers);
                for (int w = 0; w < workers.size(); w++) {
                    var expected = (WorkerReply.Update) workers.get(w).answer(request);
                    assertThat(replies.get(w)).isInstanceOfSatisfying(WorkerReply.Update.class, reply -> {
                        assertThat(reply.worker()).isEqualTo(expected.worker());
                        assertThat(Laws.bits(reply.vector())).isEqualTo(Laws.bits(expected.vector()));
                        assertThat(reply.loss()).isEqualTo(Double.valueOf(expected.loss()));
                        assertThat(reply.precision()).isEqualTo(expected.precision());
                    });
                }
                assertThat(Laws.bits(request.theta())).isEqualTo(Laws.bits(theta));
            }
        }
    }

    @Test
    protected void whatTheCodeOfAWorkerThrowsIsThrownAndChargedToNobody() {
        List<Worker> workers = with(3, () -> {
            throw new IllegalStateException("disk on fire");
        });
        try (WorkerPool pool = pool(workers)) {
            for (int round = 0; round < 3; round++) {
                RoundRequest request = request(round);
                assertThatThrownBy(() -> pool.ask(request))
                        .isNotInstanceOf(CancellationException.class)
                        .hasMessageContaining("disk on fire");
            }
        }
    }

    @Test
    protected void parametersThatAllowNoUpdateAreTheFaultOfNoWorker() {
        List<Worker> workers = with(3, () -> {
            throw new InputException("lambda is too small");
        });
        try (WorkerPool pool = pool(workers)) {
            for (int round = 0; round < 3; round++) {
                RoundRequest request = request(round);
                assertThatThrownBy(() -> pool.ask(request))
                        .isInstanceOf(InputException.class)
                        .hasMessage("worker 3: lambda is too small");
            }
        }
    }

    @Test
    protected void anInterruptedThreadIsCancelledAndKeepsItsFlag() {
        try (WorkerPool pool = pool(workers())) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> pool.ask(request(0))).isInstanceOf(CancellationException.class);
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    protected void anInterruptionDuringARoundEndsItThoughAWorkerHangs() {
        Thread asker = Thread.currentThread();
        List<Worker> workers = with(6, () -> {
            asker.interrupt();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("woken");
            }
        });
        try (WorkerPool pool = pool(workers)) {
            assertThatThrownBy(() -> pool.ask(request(0))).isInstanceOf(CancellationException.class);
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    protected void closingEndsItsThreads() throws InterruptedException {
        WorkerPool pool = pool(workers());
        pool.ask(request(0));
        pool.close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("holdfast-worker")) {
                thread.join(5000);
                assertThat(thread.isAlive()).as("%s is alive", thread).isFalse();
            }
        }
    }
}
