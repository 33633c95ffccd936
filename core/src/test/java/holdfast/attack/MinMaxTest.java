package holdfast.attack;

import holdfast.aggregate.WorkerUpdate;
import holdfast.testkit.PerturbationContract;
import java.util.List;

class MinMaxTest extends PerturbationContract {
    @Override
    protected UpdateAttack attack(Perturbation direction) {
        return new MinMax(direction);
    }

    @Override
    protected boolean inconspicuous(List<WorkerUpdate> honest, double[] z) {
        double own =
                honest.stream().mapToDouble(v -> distance(v.vector(), z)).max().orElseThrow();
        double theirs = honest.stream()
                .flatMapToDouble(a -> honest.stream().mapToDouble(b -> distance(a.vector(), b.vector())))
                .max()
                .orElseThrow();
        return own <= theirs;
    }
}
