package holdfast.certificate;

import holdfast.certificate.ShiftCurve.Point;
import holdfast.certificate.WorstDistribution.Part;
import holdfast.certificate.WorstMoves.Moves;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Minimises G(lambda) = lambda rho + (the mean of the largest source means of phi_lambda) over the price lambda.
 *
 * <p>Every G(lambda) is an upper bound, so how well lambda is found decides only how sharp the bound is. phi_lambda is convex in
 * lambda with the derivative -c, and so is G: its derivative rho - (mean cost) changes sign once. The change is bracketed over the
 * bits of lambda, first by halves, so that every rho tries the same prices, then by interpolation as long as that does better. If C
 * is the mean cost, the moves at the ends of a bracket [low, high], mixed so that they cost rho, lose no less than G(high) - (high -
 * low) (C(low) - C(high)); the search stops where this is negligible.
 *
 * <p>Bounds that are not exact have minima elsewhere: from the bracket, the search goes on over a fixed grid of prices as long as
 * the bound falls.
 */
final class DualSearch implements WorstDistribution.Search {
    /** Powers of two apart, so that halves of the bracket's bits are round numbers. */
    private static final long SMALLEST = Double.doubleToRawLongBits(0x1p-256);

    private static final long LARGEST = Double.doubleToRawLongBits(0x1p256);
    private static final long OCTAVE = 1L << 52;
    /** Between prices of the grid. */
    private static final long GRID = OCTAVE / 16;
    /** More than the rounding of a mean of rows or sources. */
    private static final double ROUNDING = 0x1p-45;

    /** A gap that does not matter, relative to lambda rho. */
    private static final double NEGLIGIBLE = 0x1p-44;

    /** How often interpolation may shrink the bracket by less than half: costs that jump would make it do so for ever. */
    private static final int MAX_MISSES = 3;

    private final ScoredRows rows;
    private final WorstMoves moves;
    private final int kept;
    /** Known already; computed outside the maps, because a computation may run on threads that wait for another. */
    private final Map<Long, Means> means = new ConcurrentHashMap<>();

    private final Map<Long, double[]> costs = new ConcurrentHashMap<>();
    private final double[] lossesAtRest;

    /** @param kept how many sources count, those with the largest values */
    DualSearch(ScoredRows rows, WorstMoves moves, int kept) {
        this.rows = rows;
        this.moves = moves;
        this.kept = kept;
        this.lossesAtRest = moves.lossesAtRest();
    }

    /** Means over each source's rows. */
    private record Means(double[] bounds, double[] losses, double[] costs) {}

    private Means means(long price) {
        Means known = means.get(price);
        if (known == null) {
            double lambda = Double.longBitsToDouble(price);
            known = means(lambda, moves.at(lambda));
            means.put(price, known);
        }
        return known;
    }

    private Means means(double lambda, Moves at) {
        double[] bounds = rows.means(at.bounds());
        double[] sizes = rows.means(Arrays.stream(at.losses()).map(Math::abs).toArray());
        double[] own = rows.means(at.costs());
        for (int g = 0; g < bounds.length; g++) {
            bounds[g] += ROUNDING * (sizes[g] + lambda * own[g]);
        }
        return new Means(bounds, rows.means(at.losses()), own);
    }

    private double[] costs(long price) {
        double[] known = costs.get(price);
        if (known == null) {
            known = rows.means(moves.costs(Double.longBitsToDouble(price)));
            costs.put(price, known);
        }
        return known;
    }

    @Override
    public WorstDistribution within(double rho) {
        return new Among(IntStream.range(0, rows.sources()).toArray(), rho).search();
    }

    /** The search for one budget among some of the sources. */
    private final class Among {
        private final int[] sources;
        private final double rho;

        Among(int[] sources, double rho) {
            this.sources = sources;
            this.rho = rho;
        }

        private int[] chosen(long price) {
            return kept == sources.length ? sources : LargestSources.of(means(price).bounds, sources, kept);
        }

        private double cost(long price) {
            return LargestSources.mean(
                    kept == sources.length && moves.exact() ? costs(price) : means(price).costs, chosen(price));
        }

        private double bound(long price) {
            double paid = Double.longBitsToDouble(price) * rho;
            return paid * (1 + ROUNDING) + LargestSources.mean(means(price).bounds, chosen(price));
        }

        WorstDistribution search() {
            if (rho == 0) {
                return atRest();
            }
            long low = SMALLEST;
            long high = LARGEST;
            long step = moves.exact() ? 1 : GRID;
            int misses = 0;
            while (high - low > step && !tight(low, high)) {
                long width = high - low;
                boolean interpolate = moves.exact() && width <= OCTAVE && misses < MAX_MISSES;
                long next = interpolate ? interpolated(low, high) : low + width / 2;
                if (cost(next) > rho) {
                    low = next;
                } else {
                    high = next;
                }
                misses += high - low > width / 2 + 1 ? 1 : 0;
            }
            long best = bound(low) < bound(high) ? low : high;
            if (!moves.exact()) {
                best = descend(descend(best, -GRID), GRID);
            }
            Mixture mixture = mixture(low, high);
            return new WorstDistribution(
                    new Point(rho, Double.longBitsToDouble(best), bound(best), mixture.loss),
                    mixture.sources,
                    mixture.parts);
        }

        /**
         * Returns where the logarithm of the cost would equal that of rho if it were linear in the price, moved towards the
         * middle by the square of the width, so that the price sought is likely to lie on the shorter side.
         */
        private long interpolated(long low, long high) {
            long width = high - low;
            double above = StrictMath.log(cost(low) / rho);
            double below = StrictMath.log(cost(high) / rho);
            double part = above / (above - below);
            double nudge = (double) width / OCTAVE / 4;
            part = part < 0.5 ? Math.min(0.5, part + nudge) : Math.max(0.5, part - nudge);
            // Costs of 0 have no logarithm.
            long at = part > 0 && part < 1 ? low + (long) (part * width) : low + width / 2;
            return Math.max(low + 1, Math.min(high - 1, at));
        }

        private boolean tight(long low, long high) {
            double from = Double.longBitsToDouble(low);
            double to = Double.longBitsToDouble(high);
            return low > SMALLEST
                    && high < LARGEST
                    && moves.exact()
                    && (to - from) * (cost(low) - cost(high)) <= NEGLIGIBLE * to * rho;
        }

        private long descend(long from, long by) {
            long best = from;
            while (best + by >= SMALLEST && best + by <= LARGEST && bound(best + by) < bound(best)) {
                best += by;
            }
            return best;
        }

        private WorstDistribution atRest() {
            Means rest = means(0, Moves.none(lossesAtRest));
            int[] largest = LargestSources.of(rest.bounds, sources, kept);
            return new WorstDistribution(
                    new Point(
                            0,
                            Double.POSITIVE_INFINITY,
                            LargestSources.mean(rest.bounds, largest),
                            LargestSources.mean(rest.losses, largest)),
                    largest,
                    List.of(new Part(1, () -> Moves.none(lossesAtRest))));
        }

        /** Returns the mixture that costs rho; if other sources count on either side of the bracket, the worse of both. */
        private Mixture mixture(long low, long high) {
            int[] below = chosen(low);
            int[] above = chosen(high);
            if (Arrays.equals(below, above)) {
                return mixed(below, low, high);
            }
            Mixture first = new Among(below, rho).onlyMixture();
            Mixture second = new Among(above, rho).onlyMixture();
            return first.loss >= second.loss ? first : second;
        }

        private Mixture onlyMixture() {
            WorstDistribution found = search();
            return new Mixture(found.sources(), found.point().attained(), found.parts());
        }

        private Mixture mixed(int[] chosen, long low, long high) {
            Means dear = means(high);
            double least = LargestSources.mean(dear.costs, chosen);
            Part dearPart = new Part(1, () -> moves.at(Double.longBitsToDouble(high)));
            if (least > rho) { // Only at the largest price: mix with rows that stay.
                dear = means(0, Moves.none(lossesAtRest));
                least = 0;
                dearPart = new Part(1, () -> Moves.none(lossesAtRest));
            }
            Means cheap = means(low);
            double most = LargestSources.mean(cheap.costs, chosen);
            // At the smallest price rows may have nowhere left to go.
            double share = most > rho ? (rho - least) / (most - least) : 1;
            double loss = share * LargestSources.mean(cheap.losses, chosen)
                    + (1 - share) * LargestSources.mean(dear.losses, chosen);
            return new Mixture(
                    chosen,
                    loss,
                    List.of(
                            new Part(share, () -> moves.at(Double.longBitsToDouble(low))),
                            new Part(1 - share, dearPart.moves())));
        }
    }

    private record Mixture(int[] sources, double loss, List<Part> parts) {}
}
