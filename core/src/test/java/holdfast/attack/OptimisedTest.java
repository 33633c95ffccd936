package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OptimisedTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new Optimised(InnerProduct::new, 20);
    }

    private static double error(AttackContext now, UpdateAttack attack) {
        double[] gap = now.attempt(attack.forge(now)).direction().clone();
        Vectors.addScaled(gap, -1, Cloud.of(now).mean(), gap.length);
        return Vectors.norm(gap);
    }

    @Test
    void halfOfTheTriesCoverTheRangeAndTheOthersGoNearTheBest() {
        // Over 2^-5 to 2^7 the error grows: first the middle of the range or of each of its halves, then half of that
        // up.
        assertThat(tried(2)).containsExactly(2.0, 128.0);
        assertThat(tried(3)).containsExactly(0.25, 16.0, 128.0);
    }

    private static List<Double> tried(int tries) {
        double[] g = {3, 4};
        AttackContext now = withoutData(List.of(g, g, g, g), 1, new Mean(), Seed.of(1));
        List<Double> tried = new ArrayList<>();
        UpdateAttack attack = new Optimised(
                tau -> {
                    tried.add(tau);
                    return new InnerProduct(tau);
                },
                tries);
        attack.forge(now);
        return tried;
    }

    @Test
    void findsTheLongestThatScreeningKeeps() {
        // Equal honest updates: -tau g is kept up to tau = 1, and the error grows with tau.
        double[] g = {3, 4};
        AttackContext now = withoutData(List.of(g, g, g, g), 1, new NormScreening(1), Seed.of(1));
        double[] v = new Optimised(InnerProduct::new, 60).forge(now).get(0);
        assertThat(Vectors.norm(v)).isCloseTo(5, within(1e-3)).isLessThanOrEqualTo(5);
    }

    @Test
    void isNearTheWorstOfAllStrengths() {
        Laws.check(20, seed -> {
            AttackContext now = situation(seed, 1);
            if (now.byzantine().length == 0) {
                return;
            }
            double ipm = error(now, new Optimised(InnerProduct::new, 200));
            double alie = error(now, new Optimised(ALittle::new, 200));
            // A hundred strengths 2^0.12 apart are tried, so the last one below a jump is at most 9% too weak.
            for (double x = -5; x < 6.9; x += 0.03) {
                double tau = Math.pow(2, x);
                assertThat(error(now, new InnerProduct(tau))).isLessThan(1.1 * ipm);
                assertThat(error(now, new ALittle(tau))).isLessThan(1.1 * alie);
            }
        });
    }

    @Test
    void triesAsOftenAsAskedAndNeverMore() {
        AtomicInteger calls = new AtomicInteger();
        Aggregator counting = new Aggregator() {
            @Override
            public Aggregate aggregate(Round round) {
                calls.incrementAndGet();
                return new Aggregate(Mean.of(round.updates()), round.senders(), Carry.NONE, "all kept");
            }

            @Override
            public int tolerated() {
                return 1;
            }

            @Override
            public int minWorkers() {
                return 2;
            }
        };
        AttackContext now = withoutData(List.of(new double[] {1}, new double[] {2}), 1, counting, Seed.of(1));
        for (int tries = 1; tries < 12; tries++) {
            calls.set(0);
            new Optimised(ALittle::new, tries).forge(now);
            assertThat(calls).hasValue(tries);
        }
        calls.set(0);
        new Strongest().forge(now);
        assertThat(calls).hasValue(57);
        assertThatThrownBy(() -> new Optimised(ALittle::new, 0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tries");
    }
}
