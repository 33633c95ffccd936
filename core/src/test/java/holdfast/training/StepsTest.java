package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.LocalWork;
import holdfast.rounds.Loops;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.RowSampling;
import holdfast.rounds.StepSchedule;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches, schedules and the server's momentum. */
class StepsTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "4")
            .with("screened", "0")
            .with("learning-rate", "0.5")
            .with("tolerance", "0")
            .with("rounds", "6");

    private final Dataset data = Samples.dataset(Seed.of(1), 200, 3);

    @ParameterizedTest
    @CsvSource({
        "constant, 500, 1",
        "inverse(rounds=10), 0, 1",
        "inverse(rounds=10), 30, 0.25",
        "root(rounds=10), 30, 0.5",
        "'steps(every=7, factor=0.1)', 6, 1",
        "'steps(every=7, factor=0.1)', 7, 0.1",
        "'steps(every=7, factor=0.1)', 21, 0.001"
    })
    void schedulesAreTheirFormulas(String text, int round, double factor) {
        assertThat(StepSchedule.CATALOGUE.create(Spec.parse(text)).factor(round))
                .isCloseTo(factor, within(1e-15));
    }

    @Test
    void aStepIsTheScheduledPartOfTheVelocity() {
        Plan plan = PLAN.with("schedule", "inverse(rounds=2)").with("server-momentum", "0.75");
        PreparedData prepared = PreparedData.of(data, plan);
        double[] theta = new double[4];
        double[] v = new double[4];
        for (int t = 0; t < 6; t++) {
            double[] g = new double[4];
            for (Worker worker : prepared.workers(plan)) {
                WorkerReply.Update own = (WorkerReply.Update) worker.answer(new RoundRequest(t, theta, false));
                Vectors.addScaled(g, 0.25, own.vector(), 4);
            }
            for (int i = 0; i < 4; i++) {
                v[i] = 0.75 * v[i] + g[i];
                theta[i] -= 0.5 / (1 + t / 2.0) * v[i];
            }
        }
        assertThat(prepared.train(plan)).containsExactly(theta, within(1e-14));
    }

    @Test
    void workerMomentumAveragesEachWorkersOwnUpdatesBeforeTheRuleSeesThem() {
        Plan plan = PLAN.with("worker-momentum", "0.9").with("rule", "median");
        PreparedData prepared = PreparedData.of(data, plan);
        double[] theta = new double[4];
        double[][] m = new double[4][4];
        for (int t = 0; t < 6; t++) {
            for (Worker worker : prepared.workers(plan)) {
                WorkerReply.Update own = (WorkerReply.Update) worker.answer(new RoundRequest(t, theta, false));
                for (int i = 0; i < 4; i++) {
                    m[worker.id()][i] = 0.9 * m[worker.id()][i] + 0.1 * own.vector()[i];
                }
            }
            for (int i = 0; i < 4; i++) {
                int column = i;
                double[] sorted =
                        Arrays.stream(m).mapToDouble(v -> v[column]).sorted().toArray();
                theta[i] -= 0.5 * (sorted[1] + sorted[2]) / 2;
            }
        }
        assertThat(prepared.train(plan)).containsExactly(theta, within(1e-14));
    }

    @Test
    void aWorkerThatFailsKeepsItsMomentum() {
        Plan plan = PLAN.with("worker-momentum", "0.5").with("screened", "1");
        PreparedData prepared = PreparedData.of(data, plan);
        try (InProcessPool sound = new InProcessPool(prepared.workers(plan), 1)) {
            WorkerPool failing = new WorkerPool() {
                @Override
                public int workers() {
                    return 4;
                }

                @Override
                public List<WorkerReply> ask(RoundRequest request) {
                    List<WorkerReply> replies = new ArrayList<>(sound.ask(request));
                    if (request.round() == 1) {
                        replies.set(2, new WorkerReply.Fault(2, "asleep"));
                    }
                    return replies;
                }

                @Override
                public void close() {}
            };
            TrainingLoop loop = Loops.of(plan, failing, Samples.schema(3));
            TrainingState first = loop.next(loop.start()).state();
            RoundRecord second = loop.next(first);
            assertThat(second.faults()).hasSize(1);
            assertThat(Arrays.copyOfRange(second.state().momenta(), 8, 12))
                    .isEqualTo(Arrays.copyOfRange(first.momenta(), 8, 12));
            assertThat(Arrays.copyOfRange(second.state().momenta(), 0, 4))
                    .isNotEqualTo(Arrays.copyOfRange(first.momenta(), 0, 4));
        }
    }

    @Test
    void aBatchIsDrawnAnewForEveryShardAndRoundWithoutReplacement() {
        Dataset shard = data.select(IntStream.range(0, 50).toArray());
        RowSampling batch = new RowSampling.Batch(20, Seed.of(3));
        int[] seen = new int[50];
        for (int round = 0; round < 400; round++) {
            Dataset rows = batch.of(shard, round, 0);
            assertThat(rows.rows()).isEqualTo(20);
            for (int r = 0; r < 20; r++) {
                seen[position(shard, rows.row(r))]++;
            }
        }
        // Each row is expected in 160 of 400 batches, with standard deviation 9.8.
        assertThat(Arrays.stream(seen)).allMatch(n -> n > 110 && n < 210);
        assertThat(batch.of(shard, 7, 0).row(0)).isEqualTo(batch.of(shard, 7, 0).row(0));
        assertThat(rows(batch, shard, 7))
                .isNotEqualTo(rows(new RowSampling.Batch(20, Seed.of(4)), shard, 7))
                .isNotEqualTo(rows(batch, shard, 8));
        Plan drawing = PLAN.with("batch", "5");
        assertThat(ResolvedPlan.batch(drawing, 1))
                .isEqualTo(ResolvedPlan.batch(drawing, 1))
                .isNotEqualTo(ResolvedPlan.batch(drawing, 2));
        assertThat(ResolvedPlan.batch(PLAN, 1)).isEqualTo(RowSampling.ALL);
        assertThat(RowSampling.ALL.of(shard, 7, 0)).isSameAs(shard);
    }

    private static int[] rows(RowSampling batch, Dataset shard, int round) {
        Dataset drawn = batch.of(shard, round, 0);
        return IntStream.range(0, drawn.rows())
                .map(r -> position(shard, drawn.row(r)))
                .toArray();
    }

    private static int position(Dataset shard, double[] row) {
        return IntStream.range(0, shard.rows())
                .filter(r -> Arrays.equals(shard.row(r), row))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theUpdateIsTheBatchsAndTheLossThatOfAllRows() {
        Laws.check(20, seed -> {
            double[] theta = seed.random().gaussians(4);
            Dataset shard = data.select(IntStream.range(0, 60).toArray());
            RowSampling batch = new RowSampling.Batch(10, seed);
            RoundRequest request = new RoundRequest(3, theta, true);
            WorkerReply.Update some = (WorkerReply.Update) new Worker(
                            2,
                            shard,
                            Optional.empty(),
                            PLAN.loss(Samples.TWO_CLASSES),
                            new LocalWork(batch, 1, 1, new LocalWork.Gradient()))
                    .answer(request);
            WorkerReply.Update drawn = (WorkerReply.Update)
                    new Worker(2, batch.of(shard, 3, 0), PLAN.loss(Samples.TWO_CLASSES)).answer(request);
            WorkerReply.Update all =
                    (WorkerReply.Update) new Worker(2, shard, PLAN.loss(Samples.TWO_CLASSES)).answer(request);
            assertThat(Laws.bits(some.vector())).isEqualTo(Laws.bits(drawn.vector()));
            assertThat(some.loss()).isEqualTo(all.loss()).isNotEqualTo(drawn.loss());
        });
    }

    @Test
    void localStepsSendTheMeanOfTheGradientsAlongTheWorkersOwnPath() {
        Plan plan = PLAN.with("local-steps", "3").with("local-rate", "0.2").with("batch", "20");
        PreparedData prepared = PreparedData.of(data, plan);
        Worker worker = prepared.workers(plan).get(1);
        double[] theta = {0.3, -0.2, 0.1, 0.5};
        double[] here = theta.clone();
        for (int step = 0; step < 3; step++) {
            Dataset rows = worker.work().batch().of(worker.shard(), 4, step);
            WorkerReply.Update g = (WorkerReply.Update)
                    new Worker(1, rows, plan.loss(Samples.TWO_CLASSES)).answer(new RoundRequest(4, here, false));
            Vectors.addScaled(here, -0.2, g.vector(), 4);
        }
        WorkerReply.Update sent = (WorkerReply.Update) worker.answer(new RoundRequest(4, theta, true));
        for (int i = 0; i < 4; i++) {
            // The model delta theta - theta_K is steps x rate times the update.
            assertThat(3 * 0.2 * sent.vector()[i]).isCloseTo(theta[i] - here[i], within(1e-14));
        }
        assertThat(rows(worker.work().batch(), worker.shard(), 4)).hasSize(20);
    }

    @Test
    void federatedAveragingIsAStepOfStepsTimesRateAlongTheMean() {
        Plan plan = PLAN.with("rule", "mean")
                .with("local-steps", "4")
                .with("local-rate", "0.1")
                .with("learning-rate", "0.4")
                .with("rounds", "5");
        PreparedData prepared = PreparedData.of(data, plan);
        double[] theta = new double[4];
        for (int t = 0; t < 5; t++) {
            double[] mean = new double[4];
            for (Dataset shard : prepared.shards()) {
                double[] own = theta.clone();
                for (int step = 0; step < 4; step++) {
                    WorkerReply.Update g = (WorkerReply.Update) new Worker(0, shard, plan.loss(Samples.TWO_CLASSES))
                            .answer(new RoundRequest(t, own, false));
                    Vectors.addScaled(own, -0.1, g.vector(), 4);
                }
                Vectors.addScaled(mean, 0.25, own, 4);
            }
            theta = mean;
        }
        assertThat(prepared.train(plan)).containsExactly(theta, within(1e-13));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void deltasAveragedByTheServerAreFederatedAveraging(int steps) {
        Plan plan = PLAN.with("rule", "mean")
                .with("update", "delta")
                .with("learning-rate", "auto")
                .with("local-rate", "0.3")
                .with("local-steps", Integer.toString(steps))
                .with("rounds", "5");
        PreparedData prepared = PreparedData.of(data, plan);
        double[] theta = new double[4];
        for (int t = 0; t < 5; t++) {
            double[] mean = new double[4];
            for (Dataset shard : prepared.shards()) {
                double[] own = theta.clone();
                for (int step = 0; step < steps; step++) {
                    WorkerReply.Update g = (WorkerReply.Update) new Worker(0, shard, plan.loss(Samples.TWO_CLASSES))
                            .answer(new RoundRequest(t, own, false));
                    Vectors.addScaled(own, -0.3, g.vector(), 4);
                }
                Vectors.addScaled(mean, 0.25, own, 4);
            }
            theta = mean;
        }
        assertThat(prepared.train(plan)).containsExactly(theta, within(1e-13));
    }

    @Test
    void anAutomaticLocalRateOfDeltasIsTheOneThatGradientsWouldHave() {
        Plan plan = PLAN.with("learning-rate", "auto")
                .with("lambda", "4")
                .with("l2", "0.01")
                .with("statistics", "pooled");
        PreparedData prepared = PreparedData.of(data, plan);
        double gradients =
                prepared.resolve(plan).get(PlanKey.LEARNING_RATE).first().orElseThrow();
        Plan deltas = prepared.resolve(plan.with("update", "delta"));
        assertThat(deltas.get(PlanKey.LEARNING_RATE)).isEqualTo(LearningRate.of(1));
        assertThat(deltas.get(PlanKey.LOCAL_RATE)).contains(gradients);
        assertThat(prepared.resolve(plan.with("update", "delta").with("learning-rate", "0.5"))
                        .get(PlanKey.LOCAL_RATE))
                .contains(gradients);
        // One step of each is the same step.
        assertThat(prepared.train(plan.with("update", "delta"))).containsExactly(prepared.train(plan), within(1e-14));
    }

    @Test
    void aNewtonStepSolvesTheHessianFoundByDifferences() {
        Plan plan = PLAN.with("lambda", "none").with("l2", "0.1").with("update", "newton(damping=0.05)");
        Dataset shard = data.select(IntStream.range(0, 90).toArray());
        Worker plain = new Worker(0, shard, plan.loss(Samples.TWO_CLASSES));
        Worker newton = new Worker(
                0,
                shard,
                Optional.empty(),
                plan.loss(Samples.TWO_CLASSES),
                ResolvedPlan.localWork(plan.with("learning-rate", "1"), RowSampling.ALL));
        double[] theta = {0.3, -0.2, 0.1, 0.5};
        double[] step = ((WorkerReply.Update) newton.answer(new RoundRequest(0, theta, false))).vector();
        double[] g = ((WorkerReply.Update) plain.answer(new RoundRequest(0, theta, false))).vector();
        double[] product = Vectors.scaled(0.05, step);
        for (int i = 0; i < 4; i++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[i] += 1e-5;
            down[i] -= 1e-5;
            double[] high = ((WorkerReply.Update) plain.answer(new RoundRequest(0, up, false))).vector();
            double[] low = ((WorkerReply.Update) plain.answer(new RoundRequest(0, down, false))).vector();
            for (int k = 0; k < 4; k++) {
                product[k] += (high[k] - low[k]) / 2e-5 * step[i];
            }
        }
        assertThat(product).containsExactly(g, within(1e-8));
    }

    @Test
    void newtonStepsFindTheOptimumInFewRounds() {
        Plan plan = PLAN.with("workers", "1")
                .with("lambda", "none")
                .with("l2", "0.01")
                .with("learning-rate", "auto")
                .with("update", "newton(damping=0)")
                .with("rounds", "8");
        PreparedData prepared = PreparedData.of(data, plan);
        double[] optimum = prepared.train(plan);
        WorkerReply.Update there = (WorkerReply.Update)
                prepared.workers(plan.loss(Samples.TWO_CLASSES)).get(0).answer(new RoundRequest(0, optimum, false));
        assertThat(Vectors.norm(there.vector())).isLessThan(1e-9);
        // The robust objective too, though the Hessian leaves out how the worst case moves.
        Plan robust = plan.with("lambda", "8").with("rounds", "60");
        double[] settled = prepared.train(robust);
        WorkerReply.Update robustThere = (WorkerReply.Update)
                prepared.workers(robust.loss(Samples.TWO_CLASSES)).get(0).answer(new RoundRequest(0, settled, false));
        assertThat(Vectors.norm(robustThere.vector())).isLessThan(1e-6);
    }

    @Test
    void aLocalRateNeedsLocalSteps() {
        assertThatThrownBy(() -> PreparedData.of(data, PLAN).train(PLAN.with("local-rate", "0.1")))
                .isInstanceOf(InputException.class)
                .hasMessage("--local-rate needs --local-steps above 1 or --update delta");
    }

    @Test
    void aBatchAsLargeAsTheShardsIsAllRows() {
        Plan plan = PLAN.with("test-share", "0");
        PreparedData prepared = PreparedData.of(data, plan);
        assertThat(Laws.bits(prepared.train(plan.with("batch", "50")))).isEqualTo(Laws.bits(prepared.train(plan)));
        assertThatThrownBy(() -> prepared.train(plan.with("batch", "51")))
                .isInstanceOf(InputException.class)
                .hasMessage("--batch must be at most the rows of every worker, got 51, but worker 0 trains on 50");
    }

    @Test
    void batchesLearnAboutAsMuch() {
        Plan plan = PLAN.with("rounds", "300").with("schedule", "root(rounds=20)");
        double all = Training.of(data, plan).run().objective();
        double some = Training.of(data, plan.with("batch", "10")).run().objective();
        assertThat(some).isCloseTo(all, within(0.02));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batch | 0 | must be a whole number >= 1, got 0",
                "schedule | inverse(rounds=0) | rounds must be finite and > 0, got 0.0",
                "schedule | steps(every=0) | every must be at least 1, got 0",
                "schedule | cosine | unknown schedule 'cosine'; known: constant, inverse, root, steps",
                "update | newton(damping=-1) | damping must be finite and >= 0, got -1.0",
                "update | hessian | unknown update 'hessian'; known: gradient, delta, newton",
                "worker-momentum | -0.1 | must be >= 0 and < 1, got -0.1",
                "server-momentum | 1 | must be >= 0 and < 1, got 1"
            })
    void whatMeansNothingIsRefused(String key, String value, String message) {
        assertThatThrownBy(() -> PLAN.with(key, value))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    /** Labels depend on the small difference of two columns, a direction that the first steps do not meet. */
    @Test
    void convergedIsNotSaidBeforeTheDifferenceOfTwoAlikeColumnsIsLearnt() {
        Laws.check(3, seed -> {
            Randomness random = seed.random();
            DatasetBuilder rows = new DatasetBuilder(2);
            for (int r = 0; r < 2000; r++) {
                double x = random.nextGaussian();
                double z = random.nextGaussian();
                rows.add(new double[] {x, x + 0.01 * z}, random.nextDouble() < 1 / (1 + Math.exp(-3 * z)) ? 1 : 0);
            }
            Dataset data =
                    rows.build(new Schema(List.of("a", "b"), "y", List.of("no", "yes"), List.of()), DataSource.MEMORY);
            Plan plan =
                    Plan.defaults().with("lambda", "none").with("rule", "mean").with("test-share", "0");
            TrainingRun run = Training.of(data, plan).run();
            double least = Training.of(data, plan.with("tolerance", "1e-9").with("rounds", "20000"))
                    .run()
                    .objective();
            assertThat(run.objective()).isLessThan(0.6);
            assertThat(!run.converged() || run.objective() <= least * 1.001).isTrue();
        });
    }
}
