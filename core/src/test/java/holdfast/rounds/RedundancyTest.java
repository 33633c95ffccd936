package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.attack.Attacks;
import holdfast.attack.RawAttack;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Shards held by several workers. */
class RedundancyTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "15")
            .with("statistics", "pooled")
            .with("replicas", "5")
            .with("screened", "2")
            .with("rule", "mean")
            .with("lambda", "3")
            .with("rounds", "25")
            .with("tolerance", "0.001");

    private final Dataset data = Samples.dataset(Seed.of(1), 300, 4);

    /** Each shard once, and nobody lies. */
    private static Plan honest(Plan plan) {
        return plan.without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE, PlanKey.REPLICAS)
                .with("workers", "3")
                .with("screened", "0");
    }

    /** Attacks on raw rows are refused: replicas of a shard would all hold the poison. */
    static List<String> attacks() {
        return Attacks.catalogue().names().stream()
                .filter(name ->
                        !name.equals("none") && !(Attacks.catalogue().create(Spec.parse(name)) instanceof RawAttack))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void withEnoughReplicasNoAttackChangesABit(String attack) {
        Laws.check(3, seed -> {
            Randomness random = seed.random();
            Plan plan = PLAN.with(PlanKey.SEED, seed.value())
                    .with("rule", random.nextInt(2) == 0 ? "mean" : "norm-screening")
                    .with("batch", random.nextInt(2) == 0 ? "all" : "9")
                    .with("worker-momentum", random.nextInt(2) == 0 ? "0" : "0.5")
                    .with("local-steps", random.nextInt(2) == 0 ? "1" : "2")
                    .with("update", random.nextInt(2) == 0 ? "gradient" : "delta")
                    .with("validation", random.nextInt(2) == 0 ? "0" : "0.2")
                    .with("attack", attack)
                    .with("liars", "2");
            // In the same shard half of the times, where they are as many as can be borne.
            Plan attacked =
                    random.nextInt(2) == 0 ? plan : plan.with("liars", "0").with("byzantine", "5,8");
            TrainingRun run = Training.of(data, attacked).run();
            TrainingRun truth = Training.of(data, honest(attacked)).run();
            assertThat(Laws.bits(run.state().theta()))
                    .isEqualTo(Laws.bits(truth.state().theta()));
            assertThat(run.state().round()).isEqualTo(truth.state().round());
            assertThat(Laws.bits(run.model().theta()))
                    .isEqualTo(Laws.bits(truth.model().theta()));
        });
    }

    @Test
    void belowThatAnAttackDoesChangeSomethingThoughARobustRuleBearsIt() {
        Plan plan = PLAN.with("workers", "21")
                .with("replicas", "3")
                .with("rule", "median")
                .with("attack", "aggressive")
                .with("byzantine", "3,4")
                .with("rounds", "200");
        TrainingRun attacked = Training.of(data, plan).run();
        TrainingRun truth = Training.of(data, honest(plan).with("workers", "7").with("rule", "mean"))
                .run();
        assertThat(Laws.bits(attacked.state().theta()))
                .isNotEqualTo(Laws.bits(truth.state().theta()));
        assertThat(attacked.objective()).isLessThan(truth.objective() + 0.02);
        // Where the liars hold different shards they are outvoted.
        Plan apart = plan.with("byzantine", "3,7");
        assertThat(Laws.bits(Training.of(data, apart).run().state().theta()))
                .isEqualTo(Laws.bits(Training.of(data, apart.without(PlanKey.ATTACK, PlanKey.BYZANTINE))
                        .run()
                        .state()
                        .theta()));
    }

    @Test
    void tooFewReplicasAreWarnedOfOnce() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger("holdfast.training");
        logger.setFilter(entry -> {
            logged.add(new SimpleFormatter().formatMessage(entry));
            return false;
        });
        try {
            Training.of(data, PLAN.with("lambda", "none")).run();
            assertThat(logged).isEmpty();
            Training.of(data, PLAN.with("lambda", "none").with("rule", "median").with("screened", "4"))
                    .run();
            assertThat(logged)
                    .containsExactly(
                            "--replicas 5 is below 2f+1 for f = 4 liars: they can spoil up to 1 of 3 shards, which"
                                    + " the rule must tolerate");
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void theLedgerShowsWhoWasOutvoted() {
        TrainingRun run = Training.of(data, PLAN.with("attack", "aggressive").with("byzantine", "6"))
                .run();
        assertThat(run.ledger())
                .allSatisfy(line ->
                        assertThat(line.screened()).isEqualTo(line.worker().equals("1#2") ? line.rounds() : 0));
    }

    /** Honest, but now and then one of them does not answer. */
    private record Forgetful(WorkerPool sound, int fails) implements WorkerPool {
        @Override
        public int workers() {
            return sound.workers();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            List<WorkerReply> replies = new ArrayList<>(sound.ask(request));
            for (int i = 0; i < fails; i++) {
                int w = (request.round() * 2 + i) % workers();
                replies.set(w, new WorkerReply.Fault(w, "asleep"));
            }
            return replies;
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @CsvSource({"0", "0.9"})
    void workersThatFailNowAndThenAgreeAgainAfterwards(String momentum) {
        Plan plan = PLAN.with("worker-momentum", momentum)
                .with("learning-rate", "0.3")
                .with("batch", "10");
        PreparedData prepared = PreparedData.of(data, plan);
        try (InProcessPool sound = new InProcessPool(prepared.workers(plan), 1)) {
            TrainingLoop loop = Loops.of(plan, new Forgetful(sound, 2), data.schema());
            TrainingState end = loop.run(loop.start(), round -> {});
            assertThat(Laws.bits(end.theta())).isEqualTo(Laws.bits(prepared.train(plan)));
        }
    }

    @Test
    void aRoundInWhichTooFewAgreeIsLost() {
        Plan plan = PLAN.with("workers", "6")
                .with("replicas", "2")
                .with("screened", "1")
                .with("rule", "median")
                .with("attack", "strongest")
                .with("byzantine", "0,2");
        assertThatThrownBy(() -> Training.of(data, plan).run())
                .isInstanceOf(TrainingException.class)
                .hasMessage(
                        "round 0: in 2 of 3 shards no more than half of the 2 replicas agree, but at most 1 such shards are tolerated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workers=16 | --workers must be a multiple of --replicas, got 16 workers for 5 replicas",
                "screened=3 | --rule mean: tolerates 0 false updates, so f = 3 liars need --replicas >= 2f+1 = 7, got 5",
                "rule=median(f=1) | --rule median(tolerated=1): with --replicas, --tolerated says how many workers may lie, and the"
                        + " rule's own number follows from it",
                "rule=median screened=12 | --rule median: tolerated = 12 needs at least 45 workers, got 15"
            })
    void whatCannotBeIsRefusedInOneLine(String settings, String message) {
        Plan plan = PLAN;
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=", 2);
            plan = plan.with(parts[0], parts[1]);
        }
        Plan wrong = plan;
        assertThatThrownBy(() -> Training.of(data, wrong).run())
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void everySourceIsHeldByAsManyWorkers() {
        Dataset sources = Samples.dataset(Seed.of(1), 300, 2, 3);
        PreparedData prepared =
                PreparedData.of(sources, Plan.defaults().with("workers-by", "s").with("replicas", "2"));
        assertThat(prepared.partition().workers()).containsExactly("s0#1", "s0#2", "s1#1", "s1#2", "s2#1", "s2#2");
        for (int w = 0; w < 6; w += 2) {
            assertThat(prepared.shards().get(w + 1)).isSameAs(prepared.shards().get(w));
        }
        assertThat(prepared.shards().get(2)).isNotSameAs(prepared.shards().get(0));
    }
}
