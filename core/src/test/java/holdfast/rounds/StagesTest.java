package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Mean;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.aggregate.Round;
import holdfast.attack.Aggressive;
import holdfast.attack.Attacks;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The stages of a round, each by itself. */
class StagesTest {
    private static final ReplicaAgreement ALONE = ReplicaAgreement.of(new Mean());

    private static TrainingState state(int round, double last, double... velocity) {
        return new TrainingState(
                round,
                new double[] {1, 2},
                new double[0],
                velocity,
                new double[0],
                Carry.NONE,
                last,
                last,
                StepSize.START,
                TrainingState.Best.NONE,
                Stage.START,
                false);
    }

    private static WorkerReply update(int worker, double... vector) {
        return new WorkerReply.Update(worker, vector, 1, 0);
    }

    @Test
    void workersMomentumAveragesValidUpdatesOnly() {
        RoundRequest request = state(1, 1).request(false, false);
        WorkerMomentum.Averaged averaged = new WorkerMomentum(0.75)
                .average(
                        List.of(update(0, 4, 8), update(1, 1), new WorkerReply.Fault(2, "dead")),
                        request,
                        new double[] {4, 0, 1, 1, 2, 2},
                        ALONE);
        assertThat(averaged.momenta()).containsExactly(4, 2, 1, 1, 2, 2);
        assertThat(((WorkerReply.Update) averaged.replies().get(0)).vector()).containsExactly(4, 2);
        assertThat(((WorkerReply.Update) averaged.replies().get(1)).vector()).containsExactly(1);
        assertThat(averaged.replies().get(2)).isEqualTo(new WorkerReply.Fault(2, "dead"));
    }

    @Test
    void withoutMomentumNothingIsGathered() {
        List<WorkerReply> replies = List.of(update(0, 4, 8));
        WorkerMomentum.Averaged averaged =
                WorkerMomentum.NONE.average(replies, state(1, 1).request(false, false), new double[0], ALONE);
        assertThat(averaged.replies()).isSameAs(replies);
        assertThat(averaged.momenta()).isEmpty();
    }

    @Test
    void aStepAddsTheVelocityToTheDirection() {
        ServerStep step = new ServerStep(new StepSize.Fixed(0.5), round -> 1.0 / (1 + round), 0.25);
        StepSize.Current eta = step.length().next(StepSize.START, 1, StepSize.Change.NONE);
        assertThat(step.size(eta, 1)).isEqualTo(0.25);
        ServerStep.Moved first = step.move(state(0, 1), eta, new double[] {2, -4});
        assertThat(first.theta()).containsExactly(1 - 0.5 * 2, 2 + 0.5 * 4);
        assertThat(first.velocity()).containsExactly(2, -4);
        ServerStep.Moved second = step.move(state(1, 1, 4, 8), eta, new double[] {2, -4});
        assertThat(second.velocity()).containsExactly(3, -2);
        assertThat(second.theta()).containsExactly(1 - 0.25 * 3, 2 + 0.25 * 2);
        assertThat(new ServerStep(1)
                        .move(state(0, 1), eta, new double[] {2, -4})
                        .velocity())
                .isEmpty();
    }

    @Test
    void anAttackReplacesTheLiarsUpdatesAndNothingElse() {
        SimulatedAttack attack = new SimulatedAttack(new Aggressive(10), new int[] {0, 2});
        List<WorkerReply> replies =
                List.of(update(0, 1, 0), update(1, 3, 0), new WorkerReply.Fault(2, "dead"), update(3, 2, 0));
        Round truth = new Round(
                0,
                4,
                IntStream.of(0, 1, 3)
                        .mapToObj(w ->
                                new holdfast.aggregate.WorkerUpdate(w, ((WorkerReply.Update) replies.get(w)).vector()))
                        .toList(),
                new double[2],
                Seed.of(1),
                Carry.NONE,
                null);
        List<WorkerReply> sent = attack.forge(replies, truth, new Mean(), Seed.of(2));
        assertThat(((WorkerReply.Update) sent.get(0)).vector()[0]).isEqualTo(-20);
        assertThat(((WorkerReply.Update) sent.get(0)).loss()).isEqualTo(1);
        assertThat(sent.subList(1, 4)).isEqualTo(replies.subList(1, 4));
        assertThat(attack.isActive()).isTrue();
        assertThat(SimulatedAttack.NONE.isActive()).isFalse();
        assertThat(new SimulatedAttack(Attacks.NONE, new int[] {1}).isActive()).isFalse();
        assertThatThrownBy(() -> new SimulatedAttack(Attacks.NONE, new int[] {2, 1}))
                .isInstanceOf(InputException.class)
                .hasMessage("liars must be different and ascending, got [2, 1]");
    }

    @Test
    void validationSaysWhatIsWrong() {
        RoundRequest request = state(0, 1).request(false, true);
        List<WorkerReply> replies = List.of(
                update(0, 1, 2),
                update(1, 1),
                update(2, Double.NaN, 0),
                new WorkerReply.Update(3, new double[] {1, 1}, Double.NaN, 0),
                new WorkerReply.Fault(4, "late"));
        ValidatedReplies checked = ValidatedReplies.of(replies, request, false);
        assertThat(checked.senders()).containsExactly(0);
        assertThat(checked.faults())
                .containsExactly(
                        new WorkerReply.Fault(1, "update has 1 elements instead of 2"),
                        new WorkerReply.Fault(2, "update is not finite"),
                        new WorkerReply.Fault(3, "loss is not finite"),
                        new WorkerReply.Fault(4, "late"));
        assertThat(checked.notFinite()).isEqualTo(2);
        assertThat(ValidatedReplies.of(replies, request, true).senders()).containsExactly(0, 3);
        WorkerReply infinite = new WorkerReply.Update(3, new double[] {1, 1}, Double.NEGATIVE_INFINITY, 0);
        assertThat(ValidatedReplies.of(List.of(infinite), request, true).senders())
                .isEmpty();
    }

    @Test
    void stoppingRulesCheckAndSettle() {
        assertThat(IntStream.range(0, 300).filter(StoppingRule.NEVER::checks)).containsExactly(0, 100, 200);
        StoppingRule tolerance = new StoppingRule.Tolerance(0.5);
        assertThat(IntStream.range(0, 30).filter(tolerance::checks)).containsExactly(0, 10, 20);
        TrainingState.Best none = TrainingState.Best.NONE;
        assertThat(tolerance.settles(state(10, 4), 2, 0, none)).isTrue();
        assertThat(tolerance.settles(state(10, 4), 1.9, 0, none)).isFalse();
        assertThat(tolerance.settles(state(11, 4), Double.NaN, 0, none)).isFalse();
        assertThat(StoppingRule.NEVER.settles(state(100, 4), 4, 0, none)).isFalse();
        StoppingRule patience = new StoppingRule.Patience(2);
        TrainingState.Best best = best(10, 1);
        assertThat(patience.settles(state(20, 4), 4, 0, best)).isFalse();
        assertThat(patience.settles(state(30, 4), 4, 0, best)).isTrue();
        assertThat(patience.settles(state(31, 4), Double.NaN, 0, best)).isFalse();
        assertThat(patience.best(best, best(20, 1), Double.NaN)).isSameAs(best);
        TrainingState.Best better = best(20, 0.5);
        assertThat(patience.best(best, better, Double.NaN)).isSameAs(better);
        assertThat(patience.best(best, best(20, Double.NaN), Double.NaN)).isSameAs(best);
        // What the workers' own losses say counts, whatever their combination does.
        assertThat(patience.best(best, better, 0)).isSameAs(best);
        assertThat(patience.best(best, better, 0.1)).isSameAs(best);
        TrainingState.Best worse = best(20, 2);
        assertThat(patience.best(best, worse, -0.1)).isSameAs(worse);
        assertThat(tolerance.best(best, better, -1)).isSameAs(best);
    }

    private static TrainingState.Best best(int round, double objective) {
        return new TrainingState.Best(round, new double[2], objective, new double[0]);
    }

    @Test
    void stagesRefuseWhatTheyCannotBe() {
        for (double bad : new double[] {-0.1, 1, Double.NaN}) {
            assertThatThrownBy(() -> new WorkerMomentum(bad)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new ServerStep(new StepSize.Fixed(1), round -> 1, bad))
                    .isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new ValidationRows(bad, Seed.of(1))).isInstanceOf(InputException.class);
        }
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new ServerStep(bad)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new StoppingRule.Tolerance(bad)).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new StoppingRule.Patience(0)).isInstanceOf(InputException.class);
    }
}
