package holdfast.certificate;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Scratch;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.objective.CategoryGains;
import holdfast.objective.MixedCost;
import java.util.Arrays;
import java.util.List;

/**
 * The exact worst moves of a model with one score where categories of some columns change as a whole: for every sum (P, G) that
 * {@link CategoryGains} leaves, the moves of {@link OneScoreMoves} from the score u + G, less lambda P; the best of them.
 */
final class MixedMoves implements WorstMoves {
    /** Stands for an infinite loss; finite, so that no share of it is NaN. */
    private static final double UNBOUNDED = 1e300;

    private final LinearModel model;
    private final ScoredRows rows;
    private final OneScoreMoves rest;
    private final List<MixedCost.Change> changes;
    private final CategoryGains[] gains;
    private final int blockRows;
    private final int columns;
    private final double size;

    /** @param scaled the rows in the order of {@code rows} */
    MixedMoves(LinearModel model, double[] weights, MixedCost cost, ScoredRows rows, Dataset scaled) {
        this.model = model;
        this.rows = rows;
        this.rest = new OneScoreMoves(model, weights, cost.features(), rows);
        this.changes = cost.changes();
        this.blockRows = scaled.blockRows();
        this.columns = weights.length;
        List<Block> blocks = scaled.blocks();
        gains = new CategoryGains[blocks.size()];
        Threads.here().each(gains.length, b -> gains[b] = CategoryGains.of(changes, weights, blocks.get(b)));
        size = CategoryGains.size(changes, weights);
        Check.that(Double.isFinite(size), "the weights of the model are too large to be certified");
    }

    /** What rows do that keep their categories. */
    OneScoreMoves rest() {
        return rest;
    }

    /** Whether no category changes any score. */
    boolean none() {
        return Arrays.stream(gains).allMatch(CategoryGains::none);
    }

    @Override
    public boolean exact() {
        return true;
    }

    @Override
    public double[] lossesAtRest() {
        return rest.lossesAtRest();
    }

    /** Whether the loss has no worst case: squared, at a price not above n. */
    private boolean unbounded(double lambda) {
        return model instanceof LinearRegression && !(lambda > rest.squared());
    }

    /** Moves every residual r by s n away from 0, very far: the loss (|r| + s n)^2/2 is at least n times the cost s^2 n/2. */
    private Moves unbounded() {
        double n = rest.squared();
        double cost = UNBOUNDED / Math.max(1, n);
        double far = Math.sqrt(2 * cost / n);
        double[] bounds = new double[rows.rows()];
        double[] losses = new double[bounds.length];
        double[] costs = new double[bounds.length];
        Arrays.fill(bounds, UNBOUNDED);
        Arrays.fill(losses, cost * n * (1 - 0x1p-50));
        Arrays.fill(costs, cost);
        double[] along = rest.along();
        return new Moves(
                bounds,
                losses,
                costs,
                (row, x) -> Vectors.addScaled(
                        x, rows.scores()[row] < rows.labels()[row] ? -far : far, along, along.length));
    }

    @Override
    public Moves at(double lambda) {
        if (unbounded(lambda)) {
            return unbounded();
        }
        int n = rows.rows();
        double[] bounds = new double[n];
        double[] losses = new double[n];
        double[] costs = new double[n];
        double[] s = new double[n];
        int[] counts = new int[n];
        Threads.here().each(gains.length, b -> new Candidates(b, lambda).choose(bounds, losses, costs, s, counts));
        double[] along = rest.along();
        return new Moves(bounds, losses, costs, new Displacement() {
            @Override
            public void apply(int row, double[] x) {
                CategoryGains.put(changes, categories(row), x, 0);
                Vectors.addScaled(x, s[row], along, along.length);
            }

            @Override
            public int[] categories(int row) {
                return gains[row / blockRows].categories(row % blockRows, counts[row]);
            }
        });
    }

    /** The rows of a block as they are, then all sums, each moved to its worst case. */
    private final class Candidates {
        private final double lambda;
        private final int first;
        private final int count;
        private final CategoryGains.Sums sums;

        Candidates(int block, double lambda) {
            this.lambda = lambda;
            first = block * blockRows;
            count = Math.min(blockRows, rows.rows() - first);
            sums = gains[block].worthwhile(model, Arrays.copyOfRange(rows.labels(), first, first + count), lambda);
        }

        private int row(int candidate) {
            return candidate < count ? candidate : sums.rows()[candidate - count];
        }

        void choose(double[] bounds, double[] losses, double[] costs, double[] s, int[] counts) {
            int all = count + sums.rows().length;
            double n = rest.squared();
            double[] u = new double[all];
            double[] labels = new double[all];
            for (int i = 0; i < all; i++) {
                u[i] = rows.scores()[first + row(i)] + (i < count ? 0 : sums.gains()[i - count]);
                labels[i] = rows.labels()[first + row(i)];
            }
            double[] own = new double[all];
            double bracket = model.worstMoves(u, labels, n, lambda, own, all, new Scratch());
            double[] moved = new double[all];
            for (int i = 0; i < all; i++) {
                moved[i] = u[i] + own[i] * n;
            }
            double[] after = new double[all];
            model.scoreLosses(moved, labels, after, all);
            double[] values = new double[count];
            for (int i = 0; i < all; i++) {
                int at = first + row(i);
                double paid = own[i] * (own[i] * n) / 2 + (i < count ? 0 : sums.prices()[i - count]);
                double value = after[i] - lambda * paid;
                double reach = Math.abs(moved[i]);
                double slope = model.slopeBound(reach, Math.abs(labels[i]));
                // As in OneScoreMoves; the score of a row with other categories is a sum of as many products as it has
                // features.
                double bound = value
                        + lambda * bracket * (bracket * n) / 2
                        + OneScoreMoves.ROUNDING * slope * (1 + reach + Math.abs(u[i]))
                        + (i < count ? 0 : OneScoreMoves.ROUNDING * slope * (1 + columns / 8.0) * size)
                        + OneScoreMoves.ROUNDING * lambda * paid;
                if (i < count || value > values[row(i)]) {
                    values[row(i)] = value;
                    losses[at] = after[i];
                    costs[at] = paid;
                    s[at] = own[i];
                    counts[at] = i < count ? 0 : sums.counts()[i - count];
                }
                bounds[at] = i < count ? bound : Math.max(bounds[at], bound);
            }
        }
    }
}
