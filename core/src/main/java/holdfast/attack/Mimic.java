package holdfast.attack;

import holdfast.Check;
import holdfast.aggregate.WorkerUpdate;
import java.util.List;

/**
 * Every liar copies one honest update, which then counts too much (Karimireddy, He, Jaggi 2022). No rule can tell a
 * copy from its original; it does harm when honest workers differ.
 *
 * @param worker which of the honest workers, in order of their ids from 0; wraps around if there are fewer
 */
public record Mimic(int worker) implements UpdateAttack {
    public Mimic {
        Check.that(worker >= 0, "mimic: worker must be >= 0, got %d", worker);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        List<WorkerUpdate> honest = context.honest();
        return UpdateAttack.together(context, honest.get(worker % honest.size()).vector());
    }
}
