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
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BelowCutOptimisedTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new BelowCutOptimised(4);
    }

    @Test
    void doesAtLeastAsMuchHarmAsBelowCutToEveryRule() {
        Laws.check(10, seed -> {
            for (AttackContext now : BelowCutTest.beforeEveryRule(BelowCutTest.screened(seed))) {
                double plain = BelowCutTest.progress(now, new BelowCut().forge(now));
                assertThat(BelowCutTest.progress(now, attack().forge(now)))
                        .as("%s", now.defence())
                        .isLessThanOrEqualTo(plain + 1e-9 * (1 + Math.abs(plain)));
            }
        });
    }

    /** Keeps liars, whose ids are 10 and 11, if they are no longer than the limit. */
    private record Limit(double limit) implements Aggregator {
        @Override
        public Aggregate aggregate(Round round) {
            List<WorkerUpdate> kept = round.updates().stream()
                    .filter(v -> v.worker() < 10 || Vectors.norm(v.vector()) <= limit)
                    .toList();
            return new Aggregate(Mean.of(kept), round.senders(), Carry.NONE, "");
        }

        @Override
        public int tolerated() {
            return 2;
        }

        @Override
        public int minWorkers() {
            return 1;
        }
    }

    /** Ten honest updates of 1, so the cut is 1; two liars as long as the scale before the limit: (10 - 2 scale) / 12. */
    @ParameterizedTest
    @CsvSource({"0.3, 0.25", "0.6, 0.5", "1.1, 1", "2.1, 2", "4.1, 4", "16.1, 16", "100, 16"})
    void takesTheMostHarmfulScale(double limit, double scale) {
        List<double[]> honest = Collections.nCopies(10, new double[] {1});
        AttackContext now = withoutData(honest, 2, new Limit(limit), Seed.of(1));
        assertThat(BelowCutTest.progress(now, attack().forge(now))).isCloseTo((10 - 2 * scale) / 12, within(1e-8));
    }

    @Test
    void noTwoLiarsSendTheSame() {
        Laws.check(100, seed -> {
            List<double[]> forged = attack().forge(BelowCutTest.screened(seed));
            for (int i = 1; i < forged.size(); i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(forged.get(i)).isNotEqualTo(forged.get(j));
                }
            }
        });
    }

    @Test
    void refusesFewerTriesThanNone() {
        assertThatThrownBy(() -> new BelowCutOptimised(-1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tries");
    }
}
