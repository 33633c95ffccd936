package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Mean;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttackContextTest {
    private static final int WORKERS = 11;
    private static final double[] ONE = {1, 0};
    private static final double[] TWO = {2, 0};
    private static final double[] SIX = {6, 3};
    private static final double[] LIE = {-9, 9};
    private static final double[] OTHER = {-7, 7};
    private static final double[] TRUSTED = {5, 5};
    private static final Carry CARRY = new Carry(new double[] {4});

    /** Remembers the rounds it is asked about. */
    private static final class Recorder implements Aggregator {
        private final List<Round> rounds = new ArrayList<>();

        @Override
        public int tolerated() {
            return 1;
        }

        @Override
        public int minWorkers() {
            return 1;
        }

        @Override
        public Aggregate aggregate(Round round) {
            rounds.add(round);
            return new Mean()
                    .aggregate(Round.of(
                            round.updates().stream().map(WorkerUpdate::vector).toArray(double[][]::new)));
        }
    }

    private final Recorder defence = new Recorder();

    private AttackContext situation(int workers, List<WorkerUpdate> votes, int... liars) {
        Round truth = new Round(7, workers, votes, new double[] {8, 8}, Seed.of(1), CARRY, TRUSTED);
        return new AttackContext(truth, liars, defence, Seed.of(2));
    }

    private AttackContext ofThree(int... liars) {
        return situation(
                3, List.of(new WorkerUpdate(0, ONE), new WorkerUpdate(1, TWO), new WorkerUpdate(2, SIX)), liars);
    }

    @Test
    void theMeanIsOfAllAndTheHonestAreTheRest() {
        assertThat(ofThree(1).trueMean()).containsExactly(3, 1);
        assertThat(ofThree(1).honest()).extracting(WorkerUpdate::worker).containsExactly(0, 2);
        assertThat(ofThree().honest()).hasSize(3);
        assertThat(ofThree(0, 1, 2).honest()).hasSize(3);
    }

    @Test
    void anAttemptPutsTheLiesInTheirPlaces() {
        double[] direction = ofThree(0, 2).attempt(List.of(LIE, OTHER)).direction();
        assertThat(direction).containsExactly((-9 + 2 - 7) / 3.0, (9 + 0 + 7) / 3.0);
        Round asked = defence.rounds.get(0);
        assertThat(asked.senders()).containsExactly(0, 1, 2);
        assertThat(asked.updates()).extracting(WorkerUpdate::vector).containsExactly(LIE, TWO, OTHER);
    }

    @Test
    void liarsWithoutDataVoteTooAndWhoFailedDoesNot() {
        situation(5, List.of(new WorkerUpdate(0, ONE), new WorkerUpdate(3, SIX)), 1, 3)
                .attempt(List.of(LIE, OTHER));
        Round asked = defence.rounds.get(0);
        assertThat(asked.workers()).isEqualTo(5);
        assertThat(asked.senders()).containsExactly(0, 1, 3);
        assertThat(asked.updates()).extracting(WorkerUpdate::vector).containsExactly(ONE, LIE, OTHER);
    }

    @Test
    void theDefenceKnowsWhatTheServerKnowsAndDrawsOtherwise() {
        AttackContext now = ofThree(1);
        now.attempt(List.of(LIE));
        now.attempt(List.of(OTHER));
        assertThat(defence.rounds).hasSize(2).allSatisfy(asked -> {
            assertThat(asked.number()).isEqualTo(7);
            assertThat(asked.theta()).containsExactly(8, 8);
            assertThat(asked.carry()).isSameAs(CARRY);
            assertThat(asked.trusted()).isSameAs(TRUSTED);
            assertThat(asked.seed().value())
                    .isNotEqualTo(now.truth().seed().value())
                    .isNotEqualTo(now.seed().value())
                    .isEqualTo(defence.rounds.get(0).seed().value());
        });
        assertThat(now.truth().updates()).extracting(WorkerUpdate::vector).containsExactly(ONE, TWO, SIX);
    }

    /** Thirty rounds of a rule under an attack. */
    private static long[][] directions(Aggregator rule, UpdateAttack attack) {
        List<long[]> directions = new ArrayList<>();
        Carry carry = Carry.NONE;
        for (int number = 0; number < 30; number++) {
            Randomness random = Seed.of(1).child("round", number).random();
            List<WorkerUpdate> votes = IntStream.range(0, WORKERS)
                    .mapToObj(w -> new WorkerUpdate(w, random.gaussians(3)))
                    .toList();
            Round truth = new Round(number, WORKERS, votes, new double[3], Seed.of(number), carry, null);
            AttackContext now = new AttackContext(truth, new int[] {2, 7}, rule, Seed.of(5));
            Aggregate made = rule.aggregate(now.sent(attack.forge(now), truth.seed()));
            carry = made.carry();
            directions.add(Laws.bits(made.direction()));
        }
        return directions.toArray(long[][]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "centered-clipping(tau=0.5)",
                "adaptive-screening(factor=1.5, memory=0.3)",
                "bucketing + centered-clipping(tau=1, steps=3)"
            })
    void attemptsNeverChangeWhatTheServersRuleMakesOfALie(String text) {
        Aggregator rule = Aggregators.create(text, 2);
        UpdateAttack lie = new InnerProduct(2);
        UpdateAttack afterManyAttempts = now -> {
            new Strongest().forge(now);
            new Optimised(ALittle::new, 20).forge(now);
            return lie.forge(now);
        };
        assertThat(directions(rule, afterManyAttempts)).isDeepEqualTo(directions(rule, lie));
    }
}
