package holdfast.attack;

import holdfast.aggregate.WorkerUpdate;
import holdfast.testkit.PerturbationContract;
import java.util.List;

class MinSumTest extends PerturbationContract {
    @Override
    protected UpdateAttack attack(Perturbation direction) {
        return new MinSum(direction);
    }

    @Override
    protected boolean inconspicuous(List<WorkerUpdate> honest, double[] z) {
        double most = honest.stream()
                .mapToDouble(v -> squaresFrom(honest, v.vector()))
                .max()
                .orElseThrow();
        return squaresFrom(honest, z) <= most;
    }

    private static double squaresFrom(List<WorkerUpdate> honest, double[] z) {
        return honest.stream()
                .mapToDouble(v -> distance(v.vector(), z) * distance(v.vector(), z))
                .sum();
    }
}
