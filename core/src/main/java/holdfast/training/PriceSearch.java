package holdfast.training;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.evaluation.Metric;
import holdfast.evaluation.Predictions;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.preparation.LabelScaling;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Trains at one price after the other, from the largest on, until one costs more than 1 %. Prices are powers of two; each
 * starts from the parameters of the last that costs nothing. One that costs a little does not end the search, because where
 * plain training overfits smaller prices may cost less. {@link PriceChoice} says what costs too much.
 *
 * <p>Rows are left out in {@link TwoFolds}. With d_j the difference of two parameters' losses of row j, by how much one loss
 * exceeds another is the mean of d_j in each group of sources, averaged over groups without the f largest and the f smallest,
 * and its standard error the median of the groups' own, divided by the root of how many are averaged. So f sources of more than 2f move neither beyond what the honest ones say.
 */
final class PriceSearch {
    /** The shift under which trials are shown. */
    static final WorstCaseShift SHIFT = new WorstCaseShift(WorstCaseShift.Norm.L2, 0.3);

    /** The most that a price may cost, as a share of the loss. */
    private static final double MAX_SHARE = 0.01;
    /** Nearly equal parameters have a tiny standard error; what costs less than this share of the loss costs nothing. */
    private static final double NEGLIGIBLE = 0.001;
    /** The smallest price is 2 to this power. */
    private static final int LOW = -2;
    /** The largest price is 2 to this power. */
    private static final int HIGH = 7;
    /**
     * Rows that separate the classes have no optimum; parameters after this many rounds tell as much. The plan's own number
     * would not do, because a run may go on for more rounds than it began with.
     */
    private static final int MAX_ROUNDS = 200;
    /** Parameters must be closer to their optimum than in a run, so that they differ by their price alone. */
    private static final double CLOSER = 0.1;

    private final Plan plan;
    private final TwoFolds folds;
    private final Model model;
    private final LabelScaling labels;
    private final double[][] weights;
    private final double least;
    private final List<Attempt> attempts = new ArrayList<>();
    private Attempt plain;
    private Attempt accepted;
    private Attempt best;
    /** Whether the last price tried costs more than {@link #MAX_SHARE}, as every smaller one then does. */
    private boolean costsMuch;

    PriceSearch(Plan plan, TwoFolds folds) {
        this.plan = plan.with(PlanKey.ROUNDS, MAX_ROUNDS).with(PlanKey.TOLERANCE, plan.get(PlanKey.TOLERANCE) * CLOSER);
        this.folds = folds;
        this.model = plan.model(folds.shards().get(0).schema());
        this.labels = folds.labels();
        this.weights =
                folds.shards().stream().map(shard -> each(shard, shard::weight)).toArray(double[][]::new);
        this.least = folds.across().mean(groupMeans(leastLosses()));
    }

    PriceChoice run() {
        plain = attempt(Price.NONE);
        accepted = plain;
        best = plain;
        int smallest = HIGH + 1;
        for (int exponent = HIGH; exponent >= LOW && !costsMuch; exponent -= 2) {
            if (isAccepted(exponent)) {
                smallest = exponent;
            }
        }
        if (smallest > LOW && smallest <= HIGH) {
            isAccepted(smallest - 1);
        }
        return new PriceChoice(
                accepted.price,
                model.target().isClass() ? Metric.ERROR : Metric.RMSE,
                attempts.stream()
                        .sorted(Comparator.comparingDouble(
                                one -> -one.price.lambda().orElse(Double.POSITIVE_INFINITY)))
                        .map(this::trial)
                        .toList());
    }

    /** Tries a price and returns whether it costs nothing to speak of. */
    private boolean isAccepted(int exponent) {
        Attempt next = attempt(Price.of(Math.scalb(1.0, exponent)));
        Excess overPlain = excess(next, plain);
        double level = plain.loss - least;
        double allowed = Math.max(NEGLIGIBLE * level, Math.min(overPlain.standardError, MAX_SHARE * level));
        costsMuch = overPlain.mean > MAX_SHARE * level || excess(next, best).mean > MAX_SHARE * (best.loss - least);
        boolean accepts = !costsMuch && overPlain.mean <= allowed;
        if (accepts) {
            accepted = next;
            best = next.loss < best.loss ? next : best;
        }
        return accepts;
    }

    /**
     * A price that was tried.
     *
     * @param theta the parameters of each half
     * @param losses of each row of each source
     * @param loss their mean over groups
     */
    private record Attempt(Price price, double[][] theta, double[][] losses, double loss) {}

    private Attempt attempt(Price price) {
        double[][] theta =
                folds.train(folds.resolve(PriceChoice.priced(plan, price)), accepted == null ? null : accepted.theta);
        double[][] losses =
                folds.leftOut(theta, (own, rows) -> byRow(rows, (block, out) -> model.losses(own, block, out)));
        Attempt attempt = new Attempt(price, theta, losses, folds.across().mean(groupMeans(losses)));
        attempts.add(attempt);
        return attempt;
    }

    /** By how much one loss exceeds another. */
    private record Excess(double mean, double standardError) {}

    private Excess excess(Attempt one, Attempt other) {
        double[][] more = IntStream.range(0, one.losses.length)
                .mapToObj(s -> IntStream.range(0, one.losses[s].length)
                        .mapToDouble(j -> one.losses[s][j] - other.losses[s][j])
                        .toArray())
                .toArray(double[][]::new);
        int averaged = Math.max(1, folds.groups() - 2 * folds.across().tolerated());
        return new Excess(
                folds.across().mean(groupMeans(more)), folds.across().median(groupErrors(more)) / Math.sqrt(averaged));
    }

    private PriceChoice.Trial trial(Attempt one) {
        Excess excess = excess(one, plain);
        return new PriceChoice.Trial(
                one.price,
                plain.loss + excess.mean,
                excess.mean,
                excess.standardError,
                figure(one.theta, Shift.NONE),
                model instanceof LinearScores ? figure(one.theta, SHIFT) : Double.NaN);
    }

    /** Returns the least loss that each row can have, where that is known not to be zero. */
    private double[][] leastLosses() {
        return folds.shards().stream()
                .map(shard -> each(shard, row -> {
                    double y = shard.label(row);
                    return model.target() == Target.COUNT && y > 0 ? y - y * StrictMath.log(y) : 0;
                }))
                .toArray(double[][]::new);
    }

    private double figure(double[][] theta, Shift shift) {
        double[][] misses = folds.leftOut(theta, (own, rows) -> misses(own, rows, shift));
        double mean = folds.across().mean(groupMeans(misses));
        return model.target().isClass() ? mean : Math.sqrt(mean);
    }

    /** Returns for each row whether its class is missed, or how far its number is, squared. */
    private double[] misses(double[] theta, Dataset rows, Shift shift) {
        boolean classes = model.target().isClass();
        return byRow(rows, (block, out) -> {
            double[] scores = new double[block.rows() * model.scoresPerRow()];
            model.scores(theta, shift.apply(model, theta, block), scores);
            Predictions said = new Predictions(model, 0.5, labels, scores);
            for (int j = 0; j < out.length; j++) {
                double by = said.label(j) - (classes ? block.label(j) : labels.restore(block.label(j)));
                out[j] = !classes ? by * by : by == 0 ? 0 : 1;
            }
        });
    }

    private interface BlockNumbers {
        void fill(Block block, double[] out);
    }

    private static double[] byRow(Dataset rows, BlockNumbers numbers) {
        double[] all = new double[rows.rows()];
        int at = 0;
        for (Block block : rows.blocks()) {
            double[] out = new double[block.rows()];
            numbers.fill(block, out);
            System.arraycopy(out, 0, all, at, out.length);
            at += out.length;
        }
        return all;
    }

    private static double[] each(Dataset shard, IntToDoubleFunction number) {
        return IntStream.range(0, shard.rows()).mapToDouble(number).toArray();
    }

    /** Returns the weighted mean of the rows of each group. */
    private double[] groupMeans(double[][] numbers) {
        double[] counted = groupSums((s, j) -> weights[s][j]);
        double[] means = groupSums((s, j) -> weights[s][j] * numbers[s][j]);
        Arrays.setAll(means, g -> means[g] / counted[g]);
        return means;
    }

    /** Returns the standard error of each group's mean. */
    private double[] groupErrors(double[][] numbers) {
        int[] groupOf = folds.groupOf();
        double[] means = groupMeans(numbers);
        double[] counted = groupSums((s, j) -> weights[s][j]);
        double[] squares = groupSums((s, j) -> {
            double off = weights[s][j] * (numbers[s][j] - means[groupOf[s]]);
            return off * off;
        });
        Arrays.setAll(squares, g -> Math.sqrt(squares[g]) / counted[g]);
        return squares;
    }

    private interface RowTerm {
        double of(int source, int row);
    }

    private double[] groupSums(RowTerm term) {
        int[] groupOf = folds.groupOf();
        double[] sums = new double[folds.groups()];
        for (int s = 0; s < weights.length; s++) {
            for (int j = 0; j < weights[s].length; j++) {
                sums[groupOf[s]] += term.of(s, j);
            }
        }
        return sums;
    }
}
