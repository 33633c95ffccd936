package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.WorkerUpdate;
import holdfast.testkit.AttackContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class MimicTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Mimic(0);
    }

    @Test
    void copiesTheHonestUpdateWithThatIndexNotThatId() {
        List<WorkerUpdate> votes = List.of(
                new WorkerUpdate(0, new double[] {1}),
                new WorkerUpdate(1, new double[] {2}),
                new WorkerUpdate(2, new double[] {3}));
        AttackContext now = situation(votes, new int[] {0}, 1, Seed.of(1));
        assertThat(new Mimic(0).forge(now).get(0)).containsExactly(2);
        assertThat(new Mimic(1).forge(now).get(0)).containsExactly(3);
        assertThat(new Mimic(2).forge(now).get(0)).containsExactly(2);
    }

    @Test
    void refusesANegativeIndex() {
        assertThatThrownBy(() -> new Mimic(-1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("worker");
    }
}
