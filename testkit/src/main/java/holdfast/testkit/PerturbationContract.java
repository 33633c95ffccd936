package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.aggregate.Mean;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.AttackContext;
import holdfast.attack.Perturbation;
import holdfast.attack.UpdateAttack;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The laws of attacks that go along a {@link Perturbation} as far as they can without standing out: exactly as far as
 * bisection finds.
 *
 * <p>To test such an attack, extend this class and implement {@link #attack(Perturbation)} and {@link #inconspicuous}.
 */
public abstract class PerturbationContract extends AttackContract {
    /** Returns the attack to test, along this direction. */
    protected abstract UpdateAttack attack(Perturbation direction);

    /** Whether the attack's condition holds for liars who send z. */
    protected abstract boolean inconspicuous(List<WorkerUpdate> honest, double[] z);

    @Override
    protected UpdateAttack attack() {
        return attack(Perturbation.STD);
    }

    /** Returns ||a - b||. */
    protected static double distance(double[] a, double[] b) {
        double squares = 0;
        for (int i = 0; i < a.length; i++) {
            squares += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(squares);
    }

    /** Finds the largest factor of the perturbation by bisection, as Shejwalkar and Houmansadr (2021) do. */
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

    @Test
    protected void goesAsFarAsBisectionFinds() {
        for (Perturbation direction : Perturbation.values()) {
            Laws.check(50, seed -> {
                AttackContext now = situation(seed, 1);
                double[] expected = bisected(now.honest(), direction);
                assertThat(attack(direction).forge(now))
                        .as("%s", direction)
                        .allSatisfy(v -> assertThat(v).containsExactly(expected, within(1e-9)));
            });
        }
    }

    @Test
    protected void amongEqualUpdatesThereIsNoRoom() {
        Laws.check(20, seed -> {
            double[] same = seed.random().gaussians(3);
            AttackContext now = withoutData(List.of(same, same, same), 1, new Mean(), seed);
            assertThat(attack().forge(now).get(0)).containsExactly(same, within(1e-15));
        });
    }
}
