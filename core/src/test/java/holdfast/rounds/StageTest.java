package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first of two stages: when it ends, and that it saves work without harm. */
class StageTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "8")
            .with("tolerated", "2")
            .with("lambda", "2")
            .with("test-share", "0")
            .with("rounds", "200")
            .with("learning-rate", "0.5")
            .with("tolerance", "0")
            .with("ascent-steps", "20")
            .with("early-steps", "1");

    private static final StoppingRule STOPS = new StoppingRule.Tolerance(1e-4);

    private static Stage after(Stage from, double... directions) {
        Stage stage = from;
        for (double direction : directions) {
            stage = stage.after(direction, STOPS, false);
        }
        return stage;
    }

    @Test
    void endsAfterTwoRoundsWithoutAShorterUpdate() {
        Stage falling = after(Stage.START, 10, 8, 7, 6);
        assertThat(falling).isEqualTo(new Stage(true, 4, 10, 6, 0));
        // A twentieth shorter is not a tenth.
        Stage flat = after(falling, 5.7);
        assertThat(flat).isEqualTo(new Stage(true, 5, 10, 6, 1));
        assertThat(after(flat, 5.5).early()).isFalse();
        assertThat(after(flat, 5.3)).isEqualTo(new Stage(true, 6, 10, 5.3, 0));
    }

    @Test
    void lastsLongerInARunWithAFixedNumberOfRounds() {
        Stage stage = Stage.START.after(1, StoppingRule.NEVER, false);
        for (int flat = 0; flat < 9; flat++) {
            stage = stage.after(1, StoppingRule.NEVER, false);
            assertThat(stage.early()).isTrue();
        }
        assertThat(stage.after(1, StoppingRule.NEVER, false).early()).isFalse();
    }

    @Test
    void endsNearItsOwnMinimum() {
        Stage near = after(Stage.START, 10, 5, 2, 1, 0.5, 0.2, 0.11);
        assertThat(near.early()).isTrue();
        assertThat(after(near, 0.1).early()).isFalse();
    }

    @Test
    void endsInsteadOfTheRun() {
        assertThat(Stage.START.after(1, STOPS, true).early()).isFalse();
    }

    private static List<RoundRecord> run(Plan plan, Dataset data) {
        PreparedData prepared = PreparedData.of(data, plan);
        List<RoundRecord> records = new ArrayList<>();
        try (InProcessPool pool = new InProcessPool(prepared.workers(plan), 1)) {
            TrainingLoop loop = Loops.of(plan, pool, prepared.training().schema());
            loop.run(loop.start(), records::add);
        }
        return records;
    }

    private static int early(List<RoundRecord> records) {
        return records.get(records.size() - 1).state().stage().rounds();
    }

    private static double[] end(List<RoundRecord> records) {
        return records.get(records.size() - 1).state().theta();
    }

    @Test
    void switchesByItselfAndEndsWhereOneStageEnds() {
        Dataset data = Samples.dataset(Seed.of(7), 400, 3);
        List<RoundRecord> staged = run(PLAN, data);
        int early = early(staged);
        assertThat(early).isBetween(3, 150);
        assertThat(staged.get(early - 1).state().stage().early()).isFalse();
        List<RoundRecord> one = run(PLAN.without(PlanKey.EARLY_STEPS), data);
        List<RoundRecord> coarse = run(PLAN.without(PlanKey.EARLY_STEPS).with("ascent-steps", "1"), data);
        double[] gap = end(staged);
        Vectors.addScaled(gap, -1, end(one), gap.length);
        double[] coarseGap = end(coarse);
        Vectors.addScaled(coarseGap, -1, end(one), coarseGap.length);
        assertThat(Vectors.norm(gap)).isLessThan(0.05 * Vectors.norm(coarseGap));
    }

    @Test
    void aGivenNumberOfRoundsIsAStageOfThatLength() {
        Dataset data = Samples.dataset(Seed.of(8), 200, 3);
        List<RoundRecord> five = run(PLAN.with("early-rounds", "5").with("rounds", "12"), data);
        List<RoundRecord> coarse =
                run(PLAN.without(PlanKey.EARLY_STEPS).with("ascent-steps", "1").with("rounds", "12"), data);
        for (int round = 0; round < 12; round++) {
            boolean same = Laws.bits(five.get(round).state().theta())[0]
                    == Laws.bits(coarse.get(round).state().theta())[0];
            assertThat(same).as("round %d", round).isEqualTo(round < 5);
        }
    }

    @Test
    void doesNotEndARunThatConvergedInItsFirstStage() {
        Dataset data = Samples.dataset(Seed.of(9), 300, 3);
        Plan plan = PLAN.with("tolerance", "0.01").with("rounds", "1000");
        List<RoundRecord> records = run(plan, data);
        TrainingState last = records.get(records.size() - 1).state();
        assertThat(last.settled()).isTrue();
        assertThat(last.stage().early()).isFalse();
        assertThat(last.stage().rounds()).isLessThan(records.size());
    }

    @Test
    void aResumedRunHasTheSameBits() {
        Dataset data = Samples.dataset(Seed.of(10), 300, 3);
        PreparedData prepared = PreparedData.of(data, PLAN);
        try (InProcessPool pool = new InProcessPool(prepared.workers(PLAN), 1)) {
            TrainingLoop loop = Loops.of(PLAN, pool, prepared.training().schema());
            List<TrainingState> states = new ArrayList<>();
            TrainingState end = loop.run(loop.start(), record -> states.add(record.state()));
            TrainingState resumed = loop.run(states.get(7), record -> {});
            assertThat(Laws.bits(resumed.theta())).isEqualTo(Laws.bits(end.theta()));
            assertThat(resumed.stage()).isEqualTo(end.stage());
        }
    }
}
