package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FangTrimmedMeanTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new FangTrimmedMean();
    }

    @Test
    void everyCoordinateIsJustBeyondTheExtremeOppositeToTheMean() {
        Laws.check(100, seed -> {
            Situation now = situation(seed, 1);
            List<double[]> forged = attack().forge(now);
            for (int i = 0; i < now.truth().theta().length; i++) {
                int c = i;
                double[] honest =
                        now.honest().stream().mapToDouble(v -> v.vector()[c]).toArray();
                double mean = Arrays.stream(honest).average().orElseThrow();
                double low = Arrays.stream(honest).min().orElseThrow();
                double high = Arrays.stream(honest).max().orElseThrow();
                for (double[] v : forged) {
                    if (mean > 0) {
                        assertThat(v[c]).isBetween(low > 0 ? low / 2 : 2 * low, low);
                    } else {
                        assertThat(v[c]).isBetween(high, high > 0 ? 2 * high : high / 2);
                    }
                }
            }
            if (forged.size() > 1) {
                assertThat(forged.get(0)).isNotEqualTo(forged.get(1));
            }
        });
    }
}
