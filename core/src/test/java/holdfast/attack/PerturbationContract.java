package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Laws;
import holdfast.aggregate.Mean;
import holdfast.aggregate.WorkerUpdate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the attacks promise that go as far along a {@link Perturbation} as they can without standing out. */
abstract class PerturbationContract extends AttackContract {
    protected abstract UpdateAttack attack(Perturbation direction);

    /** Whether the attack's condition holds for liars who send z. */
    protected abstract boolean inconspicuous(List<WorkerUpdate> honest, double[] z);

    @Override
    protected UpdateAttack attack() {
        return attack(Perturbation.STD);
    }

    protected static double distance(double[] a, double[] b) {
        double squares = 0;
        for (int i = 0; i < a.length; i++) {
            squares += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(squares);
    }

    /** The paper's own way: the largest factor of the perturbation, by bisection. */
    private double[] bisected(List<WorkerUpdate> honest, Perturbation direction) {
        int d = honest.get(0).vector().length;
        double[] mean = new double[d];
        double[] p = new double[d];
        for (int i = 0; i < d; i++) {
            int c = i;
            double[] column = honest.stream().mapToDouble(v -> v.vector()[c]).toArray();
            mean[i] = Arrays.stream(column).average().orElseThrow();
            p[i] = switch (direction) {
                case STD ->
                    -Math.sqrt(Arrays.stream(column)
                            .map(x -> (x - mean[c]) * (x - mean[c]))
                            .sum());
                case SIGN -> -Math.signum(mean[i]);
                case UNIT -> -mean[i];
            };
        }
        double low = 0;
        double high = 1e6;
        double[] z = new double[d];
        for (int step = 0; step < 200; step++) {
            double gamma = (low + high) / 2;
            Arrays.setAll(z, i -> mean[i] + gamma * p[i]);
            if (inconspicuous(honest, z)) {
                low = gamma;
            } else {
                high = gamma;
            }
        }
        return z;
    }

    @ParameterizedTest
    @EnumSource(Perturbation.class)
    void goesAsFarAsBisectionFinds(Perturbation direction) {
        Laws.check(50, seed -> {
            AttackContext now = situation(seed, 1);
            double[] expected = bisected(now.honest(), direction);
            assertThat(attack(direction).forge(now))
                    .allSatisfy(v -> assertThat(v).containsExactly(expected, within(1e-9)));
        });
    }

    @Test
    void amongEqualUpdatesThereIsNoRoom() {
        Laws.check(20, seed -> {
            double[] same = seed.random().gaussians(3);
            AttackContext now = withoutData(List.of(same, same, same), 1, new Mean(), seed);
            assertThat(attack().forge(now).get(0)).containsExactly(same, within(1e-15));
        });
    }
}
