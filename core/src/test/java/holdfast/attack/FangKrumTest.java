package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.Round;
import holdfast.math.Vectors;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FangKrumTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new FangKrum();
    }

    private static long keptLiars(AttackContext now, List<double[]> forged) {
        return Arrays.stream(now.attempt(forged).kept())
                .filter(w -> Arrays.binarySearch(now.byzantine(), w) >= 0)
                .count();
    }

    @Test
    void isTheLongestOfTheHalvedThatTheDefenceKeeps() {
        Laws.check(50, seed -> {
            AttackContext now = situation(seed, 1);
            List<double[]> forged = attack().forge(now);
            if (forged.isEmpty()) {
                return;
            }
            assertThat(keptLiars(now, forged)).isPositive();
            List<double[]> doubled =
                    forged.stream().map(v -> Vectors.scaled(2, v)).toList();
            assertThat(keptLiars(now, doubled)).isZero();
        });
    }

    /** As long as Krum might let pass, where the rule keeps everybody; a millionth of it where it keeps no liar. */
    @Test
    void startsAtEightTimesTheLongestAndHalvesItTwentyTimes() {
        List<double[]> honest = List.of(new double[] {3, -4}, new double[] {0, -1}, new double[] {1, 0});
        assertThat(Vectors.norm(attack().forge(withoutData(honest, 1, new Mean(), Seed.of(1)))
                        .get(0)))
                .isCloseTo(40, within(1e-12));
        List<double[]> small = List.of(new double[] {0.03, -0.04});
        assertThat(Vectors.norm(attack().forge(withoutData(small, 1, new Mean(), Seed.of(1)))
                        .get(0)))
                .isCloseTo(0.4, within(1e-12));
        List<double[]> huge = List.of(new double[] {1.5e308, 0});
        assertThat(attack().forge(withoutData(huge, 1, new Mean(), Seed.of(1))).get(0))
                .containsExactly(-Double.MAX_VALUE, -0.0);
        Aggregator deaf = new Aggregator() {
            @Override
            public Aggregate aggregate(Round round) {
                return new Aggregate(new double[2], new int[0], Carry.NONE, "");
            }

            @Override
            public int tolerated() {
                return 1;
            }

            @Override
            public int minWorkers() {
                return 1;
            }
        };
        assertThat(Vectors.norm(
                        attack().forge(withoutData(honest, 1, deaf, Seed.of(1))).get(0)))
                .isCloseTo(40 * 0x1p-20, within(1e-12));
    }

    @Test
    void pointsAgainstTheSignsOfTheMean() {
        double[] honest = {3, -4};
        AttackContext now = withoutData(List.of(honest, honest, honest), 1, new NormScreening(1), Seed.of(1));
        // Eight times the norm 5, halved until it is below 5: 2.5 once the tie at 5 is lost to the lower ids.
        double each = 2.5 / Math.sqrt(2);
        assertThat(attack().forge(now).get(0)).containsExactly(new double[] {-each, each}, within(1e-12));
    }
}
