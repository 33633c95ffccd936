package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.preparation.AcrossSources;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The threshold against brute force: every row is compared with every threshold, as predictions do it. */
class ThresholdChoiceTest {
    /** Returns a score whose probability is just below p, or the next one, whose probability is not. */
    private static double score(double p, boolean below) {
        double score = Math.log(p / (1 - p));
        // Near 0, the next score would not change the probability.
        double step = Math.max(Math.ulp(score), 0x1p-54);
        while (Calibration.NONE.probability(score) < p) {
            score += step;
        }
        while (Calibration.NONE.probability(score) >= p) {
            score -= step;
        }
        return below ? score : score + step;
    }

    private static double score(Randomness random) {
        return random.nextInt(4) == 0
                ? score((1 + random.nextInt(999)) / 1000.0, random.nextInt(2) == 0)
                : random.nextInt(20) == 0 ? -9 : random.nextGaussian();
    }

    /** One row on either side of a multiple of 1/1000, as near as scores can be: only that multiple tells them apart. */
    @Test
    void aThresholdTellsRowsApartThatAreNextToIt() {
        for (int k = 1; k < 1000; k++) {
            double p = k / 1000.0;
            ScoredSource two = new ScoredSource(new double[] {score(p, true), score(p, false)}, new double[] {0, 1});
            assertThat(ThresholdChoice.largestF1(List.of(two), Calibration.NONE, AcrossSources.POOLED))
                    .hasValue(p);
        }
    }

    private static double mean(double[] values, int f) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        return Arrays.stream(sorted, f, sorted.length - f).average().orElseThrow();
    }

    /** Rounding of means may order thresholds that are equally good, so the F1 found is compared. */
    @Test
    void noThresholdHasALargerF1() {
        Laws.check(150, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(2);
            List<ScoredSource> sources = new ArrayList<>();
            for (int s = 0; s < 4 + f; s++) {
                int rows = 1 + random.nextInt(6);
                double[] scores =
                        IntStream.range(0, rows).mapToDouble(j -> score(random)).toArray();
                double[] labels = Arrays.stream(scores)
                        .map(score -> random.nextDouble() < (score > 0 ? 0.7 : 0.4) ? 1 : 0)
                        .toArray();
                sources.add(new ScoredSource(scores, labels));
            }
            double[] f1 = IntStream.range(1, 1000)
                    .mapToDouble(t -> f1(sources, t / 1000.0, f))
                    .toArray();
            double most = Arrays.stream(f1).max().orElseThrow();
            double found = ThresholdChoice.largestF1(sources, Calibration.NONE, new AcrossSources(f))
                    .orElse(Double.NaN);
            if (most == 0) {
                assertThat(found).isNaN();
            } else {
                assertThat(f1(sources, found, f)).isGreaterThan(most - 1e-12);
            }
        });
    }

    private static double f1(List<ScoredSource> sources, double threshold, int f) {
        double[][] shares = new double[3][sources.size()];
        for (int s = 0; s < sources.size(); s++) {
            ScoredSource source = sources.get(s);
            for (int j = 0; j < source.rows(); j++) {
                boolean flagged = Calibration.NONE.probability(source.scores()[j]) >= threshold;
                boolean positive = source.labels()[j] == 1;
                if (flagged || positive) {
                    shares[flagged && positive ? 0 : flagged ? 1 : 2][s] += 1.0 / source.rows();
                }
            }
        }
        double found = mean(shares[0], f);
        return found == 0 ? 0 : 2 * found / (2 * found + mean(shares[1], f) + mean(shares[2], f));
    }
}
