package holdfast.aggregate;

import holdfast.Check;
import holdfast.InputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Norm-based screening, the paper's Algorithm 1: drops the f = beta m longest updates and returns the mean of the others.
 * Equal norms: the higher worker id counts as longer. A worker that sent nothing valid counts as infinitely long, so
 * exactly m - f updates are kept however many of the f failed.
 *
 * <p>Theorem 1: with alpha m liars, alpha &lt;= beta, for every S, ||G - S|| &lt;= 2 alpha/(1-beta) ||S|| + max over honest
 * i of ||g_i - S||; see {@link holdfast.theory.ScreeningBound}.
 */
public record NormScreening(int tolerated) implements NormRule {
    public NormScreening {
        Aggregator.checkTolerated("norm-screening", tolerated);
    }

    /**
     * The number f of updates to tolerate: a whole number as it is, a share beta below 1 as the smallest whole number not below beta m,
     * in decimal arithmetic, so 0.28 of 25 is 7 and not 8. {@code auto} is a tenth, but less than a third of the
     * workers, where screening breaks.
     */
    public static int count(String countOrShare, int workers) {
        if (countOrShare.equals("auto")) {
            return Math.min(workers / 10 + (workers % 10 == 0 ? 0 : 1), (workers - 1) / 3);
        }
        BigDecimal value;
        try {
            value = new BigDecimal(countOrShare.strip());
        } catch (NumberFormatException e) {
            throw new InputException("tolerated must be a count or a share below 1, got '" + countOrShare + "'");
        }
        boolean share = value.compareTo(BigDecimal.ONE) < 0;
        Check.that(
                value.signum() >= 0 && (share || value.stripTrailingZeros().scale() <= 0),
                "tolerated must be a whole number >= 0 or a share below 1, got %s",
                countOrShare);
        BigDecimal count = share ? value.multiply(BigDecimal.valueOf(workers)) : value;
        Check.that(
                count.compareTo(BigDecimal.valueOf(workers - 1)) <= 0,
                "tolerated must be below the number of workers, got %s for %d workers",
                countOrShare,
                workers);
        if (share && count.signum() > 0 && count.compareTo(BigDecimal.ONE) < 0) {
            return 1; // Rounding 1e-999999999 would need as many digits.
        }
        return count.setScale(0, RoundingMode.CEILING).intValue();
    }

    @Override
    public Weights weigh(int workers, int[] senders, double[] norms) {
        int keep = senders.length - lies(workers, senders.length);
        List<Integer> byNorm = IntStream.range(0, norms.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> norms[i]).thenComparingInt(i -> senders[i]))
                .toList();
        String explanation = keep == norms.length
                ? "all kept"
                : String.format(
                        Locale.ROOT,
                        "screened %s: norms %.4g to %.4g, longest kept %.4g",
                        byNorm.subList(keep, norms.length).stream()
                                .map(i -> senders[i])
                                .sorted()
                                .toList(),
                        norms[byNorm.get(keep)],
                        norms[byNorm.get(norms.length - 1)],
                        norms[byNorm.get(keep - 1)]);
        return Weights.mean(
                byNorm.subList(0, keep).stream()
                        .mapToInt(i -> senders[i])
                        .sorted()
                        .toArray(),
                explanation);
    }

    @Override
    public Aggregate aggregate(Round round) {
        return weigh(round.workers(), round.senders(), WorkerUpdate.norms(round.updates(), round.threads()))
                .applyTo(round);
    }

    @Override
    public int minWorkers() {
        return tolerated + 1;
    }
}
