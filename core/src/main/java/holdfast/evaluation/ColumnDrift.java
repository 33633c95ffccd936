package holdfast.evaluation;

import holdfast.data.Dataset;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.preparation.Encoding;
import holdfast.preparation.RowSummary;
import holdfast.preparation.Scaling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How far one column of new rows is from training's, and what that does to the scores of one model. Nothing here is a test: no
 * figure grows with the number of rows.
 *
 * <p>With a_k and b_k the {@link RowSummary#slices} of a feature in training and in the new rows, in scaled units, n =
 * {@value RowSummary#SLICES}:
 *
 * <pre>
 * W1 &gt;= mean_k |b_k - a_k|,   W2^2 &gt;= mean_k (b_k - a_k)^2,   mean shift = mean_k (b_k - a_k).
 * </pre>
 *
 * In one dimension W_p^p is the integral of |Q_b - Q_a|^p over (0, 1), Q the quantile functions, and a slice is the mean of Q over
 * 1/n of it; so both bounds are Jensen's inequality on every slice, and W1 is exact where no slice contains a crossing.
 *
 * <p><b>The columns bound the whole shift from below.</b> Let rho be the least mean of (1/2)||z - x||^2 over all couplings of
 * training rows x with new rows z. Every coupling has E||z - x||^2 = sum_i E(z_i - x_i)^2, and (x_i, z_i) is a coupling of the
 * i-th features, so E(z_i - x_i)^2 &gt;= W2_i^2. Hence rho &gt;= sum_i W2_i^2/2. It is no upper bound: columns may keep their
 * distributions and change how they go together.
 *
 * <p>These are bounds for the rows before if their summary is {@link RowSummary#ofAll} of them. The summary in a trained model is
 * not: each source counts the same in it, values that few sources have are cut off, and of many rows it holds a sample. Then
 * a_k are the slices of that summary, and the distances are from it; the training rows themselves may be nearer.
 *
 * <p><b>Effect.</b> A linear score is the sum of what the columns contribute; the effect of a column is W1 between its contributions
 * in training and in the new rows: |weight| times W1 for a number, and the distance between the categories' contributions, by
 * their shares, for text. If there are several scores, each is taken relative to their mean, and the largest effect counts. For
 * other models, the column alone is put back to training's slices by rank (text: to training's shares), in up to
 * {@value #MAX_ROWS} of the rows; the effect is how far scores move on average.
 *
 * @param column its name in the table
 * @param text whether it holds words
 * @param distance W1 in scaled units; for text the share of rows that have another value (total variation)
 * @param shift of the mean, in scaled units; NaN for text
 * @param cost sum of W2^2/2 over the column's features
 * @param effect how far scores move on average because of it, in units of the score
 * @param meanEffect how far the mean score moves; of the score with the largest effect
 * @param training lowest, mean and highest value in training, in the table's units; empty for text
 * @param now the same of the new rows
 * @param outside how many of the new rows are outside of training's range
 */
public record ColumnDrift(
        String column,
        boolean text,
        double distance,
        double shift,
        double cost,
        double effect,
        double meanEffect,
        double[] training,
        double[] now,
        int outside) {
    private static final int MAX_ROWS = 1000;

    /**
     * Compares all columns, the one with the largest effect first.
     *
     * @param training of the rows before: {@link RowSummary#ofAll}, or what the model keeps
     */
    public static List<ColumnDrift> of(TrainedModel model, RowSummary training, Dataset rows) {
        RowSummary now = RowSummary.ofAll(rows, model.scaling());
        Encoding encoding = model.encoding();
        List<String> features = model.schema().features();
        List<Encoding.Column> columns = encoding.equals(Encoding.NONE)
                ? features.stream().map(Encoding.Column::number).toList()
                : encoding.columns();
        int[] first = new Encoding(columns).firstFeatures();
        int[] outside = outside(model, training, rows);
        ScoreEffect effects = model.model() instanceof LinearScores linear
                ? new LinearEffect(model, linear, training, now)
                : new MovedEffect(model, training, rows);
        List<ColumnDrift> found = new ArrayList<>();
        for (int c = 0; c < first.length; c++) {
            int from = first[c];
            int to = c + 1 < first.length ? first[c + 1] : features.size();
            boolean text = columns.get(c).isText();
            int words = text ? columns.get(c).categories().size() : 0;
            double cost = IntStream.range(from, to)
                    .mapToDouble(i -> squares(training.slices()[i], now.slices()[i]) / 2)
                    .sum();
            Effect effect = effects.of(from, to, words);
            found.add(new ColumnDrift(
                    columns.get(c).name(),
                    text,
                    text
                            ? totalVariation(model.scaling(), training, now, from, from + words)
                            : distance(training.slices()[from], now.slices()[from]),
                    text ? Double.NaN : mean(now.slices()[from]) - mean(training.slices()[from]),
                    cost,
                    effect.distance,
                    effect.mean,
                    text ? new double[0] : values(model.scaling(), training, from),
                    text ? new double[0] : values(model.scaling(), now, from),
                    text ? 0 : outside[from]));
        }
        found.sort(Comparator.comparingDouble((ColumnDrift drift) -> -drift.effect)
                .thenComparing(drift -> -drift.cost)
                .thenComparing(ColumnDrift::column));
        return found;
    }

    /** Returns the sum over the columns, in the units of rho: a lower bound of the whole shift from all rows of {@link RowSummary#ofAll}. */
    public static double cost(List<ColumnDrift> columns) {
        return columns.stream().mapToDouble(ColumnDrift::cost).sorted().sum();
    }

    private static double[] values(Scaling scaling, RowSummary rows, int i) {
        double mean = mean(rows.slices()[i]);
        double divisor = scaling.divisors()[i];
        return new double[] {
            rows.lowest()[i],
            // The model does not see a column that was constant, so there are no slices of it.
            divisor == Double.POSITIVE_INFINITY ? Double.NaN : scaling.offsets()[i] + mean * divisor,
            rows.highest()[i]
        };
    }

    private static int[] outside(TrainedModel model, RowSummary training, Dataset rows) {
        boolean[] numbers = FarRows.numbers(model);
        int[] outside = new int[numbers.length];
        double[] row = new double[numbers.length];
        for (int r = 0; r < rows.rows(); r++) {
            rows.copyRow(r, row);
            for (int i = 0; i < row.length; i++) {
                outside[i] += numbers[i] && (row[i] < training.lowest()[i] || row[i] > training.highest()[i]) ? 1 : 0;
            }
        }
        return outside;
    }

    static double mean(double[] slices) {
        return Arrays.stream(slices).sum() / slices.length;
    }

    static double distance(double[] a, double[] b) {
        return IntStream.range(0, a.length)
                        .mapToDouble(k -> Math.abs(b[k] - a[k]))
                        .sum()
                / a.length;
    }

    static double squares(double[] a, double[] b) {
        return IntStream.range(0, a.length)
                        .mapToDouble(k -> (b[k] - a[k]) * (b[k] - a[k]))
                        .sum()
                / a.length;
    }

    /** Returns what a feature of a category is scaled to, for a row of another and for a row of this category. */
    private static double[] ends(Scaling scaling, int i) {
        double divisor = scaling.divisors()[i];
        double clip = scaling.clip();
        return divisor == Double.POSITIVE_INFINITY
                ? new double[2]
                : new double[] {
                    Math.max(-clip, -scaling.offsets()[i] / divisor),
                    Math.min(clip, (1 - scaling.offsets()[i]) / divisor)
                };
    }

    /** Returns the share of rows of a category. */
    private static double share(Scaling scaling, RowSummary rows, int i) {
        double[] ends = ends(scaling, i);
        return ends[1] > ends[0] ? (mean(rows.slices()[i]) - ends[0]) / (ends[1] - ends[0]) : 0;
    }

    private static double totalVariation(Scaling scaling, RowSummary training, RowSummary now, int from, int to) {
        double rest = 0;
        double apart = 0;
        for (int i = from; i < to; i++) {
            double more = share(scaling, now, i) - share(scaling, training, i);
            rest -= more;
            apart += Math.abs(more);
        }
        return (apart + Math.abs(rest)) / 2;
    }

    /** How far scores move, and their mean. */
    record Effect(double distance, double mean) {}

    /** Says what the features of a column, of which the first may be words, do to scores. */
    private interface ScoreEffect {
        Effect of(int from, int to, int words);
    }

    private record LinearEffect(TrainedModel model, LinearScores linear, RowSummary training, RowSummary now)
            implements ScoreEffect {
        @Override
        public Effect of(int from, int to, int words) {
            int scores = linear.scoresPerRow();
            int d = model.schema().features().size();
            double[][] weights = new double[scores][];
            Arrays.setAll(weights, s -> linear.weights(model.theta(), d, s));
            Effect largest = new Effect(0, 0);
            for (int s = 0; s < scores; s++) {
                double[] own = weights[s].clone();
                for (int i = from; i < to && scores > 1; i++) {
                    int at = i;
                    own[i] -= Arrays.stream(weights).mapToDouble(w -> w[at]).sum() / scores;
                }
                Effect effect = of(own, from, to, words);
                largest = effect.distance > largest.distance ? effect : largest;
            }
            double unit = Coefficients.isLogarithm(linear) ? 1 : model.labels().divisor();
            return new Effect(largest.distance * unit, largest.mean * unit);
        }

        private Effect of(double[] w, int from, int to, int words) {
            double mean = 0;
            double distance = words > 0 ? ofWords(w, from, from + words) : 0;
            for (int i = from; i < to; i++) {
                double[] a = training.slices()[i];
                double[] b = now.slices()[i];
                mean += w[i] * (ColumnDrift.mean(b) - ColumnDrift.mean(a));
                // After the words, or the number, comes the mark of missing cells.
                distance += i < from + words ? 0 : Math.abs(w[i]) * ColumnDrift.distance(a, b);
            }
            return new Effect(distance, mean);
        }

        /** Returns W1 between the contributions of categories: the area between their distribution functions. */
        private double ofWords(double[] w, int from, int to) {
            Scaling scaling = model.scaling();
            List<double[]> atoms = new ArrayList<>();
            double rest = 0;
            for (int i = from; i < to; i++) {
                double[] ends = ends(scaling, i);
                double more = share(scaling, now, i) - share(scaling, training, i);
                atoms.add(new double[] {w[i] * (ends[1] - ends[0]), more});
                rest -= more;
            }
            atoms.add(new double[] {0, rest});
            atoms.sort(Comparator.comparingDouble(atom -> atom[0]));
            double area = 0;
            double above = 0;
            for (int a = 0; a + 1 < atoms.size(); a++) {
                above += atoms.get(a)[1];
                area += Math.abs(above) * (atoms.get(a + 1)[0] - atoms.get(a)[0]);
            }
            return area;
        }
    }

    private record MovedEffect(TrainedModel trained, RowSummary training, Dataset rows) implements ScoreEffect {
        @Override
        public Effect of(int from, int to, int words) {
            int n = Math.min(MAX_ROWS, rows.rows());
            int[] chosen = IntStream.range(0, n)
                    .map(j -> (int) ((long) j * rows.rows() / n))
                    .toArray();
            Dataset now = rows.withoutGroups().select(chosen);
            Dataset scaled = trained.scaling().apply(now);
            double[] offsets = trained.scaling().offsets();
            double[] divisors = trained.scaling().divisors();
            double[][] ranks = new double[to][];
            for (int i = from; i < to; i++) {
                int at = i;
                ranks[i] = Evaluation.ranks(Evaluation.each(n, j -> scaled.row(j)[at]));
            }
            Dataset back = now.changed(IntStream.range(0, n).toArray(), (j, values) -> {
                for (int i = from; i < to; i++) {
                    double[] slices = training.slices()[i];
                    int slice = Math.min(slices.length - 1, (int) ((ranks[i][j] - 0.5) * slices.length / n));
                    if (divisors[i] < Double.POSITIVE_INFINITY) {
                        values[i] = offsets[i] + divisors[i] * (words > 0 ? ColumnDrift.mean(slices) : slices[slice]);
                    }
                }
            });
            return moved(trained.scores(back), trained.scores(now), n);
        }

        private Effect moved(double[] before, double[] after, int n) {
            Model model = trained.model();
            int scores = model.scoresPerRow();
            double unit = Coefficients.isLogarithm(model) ? 1 : trained.labels().divisor();
            Effect largest = new Effect(0, 0);
            for (int s = 0; s < scores; s++) {
                double distance = 0;
                double mean = 0;
                for (int j = 0; j < n; j++) {
                    double by = after[j * scores + s] - before[j * scores + s];
                    distance += Math.abs(by) / n;
                    mean += by / n;
                }
                largest = distance * unit > largest.distance ? new Effect(distance * unit, mean * unit) : largest;
            }
            return largest;
        }
    }
}
