package holdfast.sources;

import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.SecondMoment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Scores the rows of every source by a model that has not seen them. Sources are divided into at most {@value #PARTS}
 * parts, and each part is scored by a model fitted to the others.
 *
 * <p>A fit shares its weights among sources, while every source has its own intercepts: how common a class is, is a
 * matter of its own. Weights move by gradient steps, at first along the coordinate-wise median of the sources'
 * gradients and then along the mean of those that are not among the longest quarter, in which no source counts for
 * more than {@value #MAX_ROWS} rows. So a minority of bad sources does not decide what they are compared with.
 */
final class CrossFits {
    static final int PARTS = 10;
    private static final int MAX_ROWS = 100;
    private static final int MEDIAN_STEPS = 10;
    private static final int STEPS = 40;
    private static final double MOMENTUM = 0.7;
    private static final double L2 = 1e-3;
    private static final int ADAPTING_STEPS = 100;
    /** By how much, as a standard deviation, the weights of an honest source may be its own. */
    private static final double OWN_WAY = 0.5;

    private final LinearScores model;
    private final List<Dataset> sources;
    private final int features;
    private final double rate;

    /**
     * @param model with intercepts
     * @param sources the prepared rows of each source
     */
    CrossFits(LinearScores model, List<Dataset> sources, AcrossSources across, Seed seed) {
        this.model = model;
        this.sources = List.copyOf(sources);
        this.features = sources.get(0).columns();
        double bound = model.curvatureBound(Double.POSITIVE_INFINITY, 0);
        this.rate = 1
                / (1.1
                                * across.most(sources.stream()
                                        .filter(rows -> rows.rows() > 0)
                                        .mapToDouble(rows -> new SecondMoment(rows, label -> bound, true)
                                                .curvature(seed, AcrossSources.POOLED))
                                        .toArray())
                        + L2);
    }

    private int count() {
        return sources.size();
    }

    /**
     * What the fits say about the rows of each source.
     *
     * @param weights [source] of the fit that has not seen it
     * @param scores [source], without intercepts
     */
    record Scores(double[][] weights, double[][] scores) {}

    /**
     * Scores the rows of each source.
     *
     * @param excluded sources from which no fit may learn
     */
    Scores scores(Set<Integer> excluded) {
        int parts = Math.min(count(), PARTS);
        double[][] scores = new double[count()][];
        double[][] all = new double[count()][];
        Threads.here().each(parts, part -> {
            int[] learning = IntStream.range(0, count())
                    .filter(i -> i % parts != part
                            && !excluded.contains(i)
                            && sources.get(i).rows() > 0)
                    .toArray();
            double[] weights = fit(learning);
            for (int i = part; i < count(); i += parts) {
                all[i] = weights;
                scores[i] = score(weights, sources.get(i));
            }
        });
        return new Scores(all, scores);
    }

    /**
     * Scores the rows of one source by weights that may follow the source: fitted to one half of its rows for the other
     * half, starting from and drawn towards the weights of the others. A source that relates labels to rows in its own
     * way gets good scores again; one with random labels does not.
     */
    double[] adapted(int source, double[] weights) {
        Dataset rows = sources.get(source);
        int k = model.scoresPerRow();
        int shared = model.weights(features);
        double[] scores = new double[rows.rows() * k];
        for (int half = 0; half < 2; half++) {
            int parity = half;
            int[] learning =
                    IntStream.range(0, rows.rows()).filter(r -> r % 2 == parity).toArray();
            int[] judged =
                    IntStream.range(0, rows.rows()).filter(r -> r % 2 != parity).toArray();
            if (learning.length == 0 || judged.length == 0) {
                continue;
            }
            Dataset known = rows.select(learning);
            double pull = 1 / (OWN_WAY * OWN_WAY * learning.length);
            double step = 1 / (1 / rate + pull);
            double[] own = weights.clone();
            double[] intercepts = new double[model.parameters(features) - shared];
            for (int i = 0; i < ADAPTING_STEPS; i++) {
                double[] gradient = gradient(own, intercepts, known);
                for (int c = 0; c < shared; c++) {
                    own[c] -= step * (gradient[c] + pull * (own[c] - weights[c]));
                }
                for (int c = 0; c < intercepts.length; c++) {
                    intercepts[c] -= rate * gradient[shared + c];
                }
            }
            Dataset others = rows.select(judged);
            double[] ofHalf = score(own, others);
            // Own weights also shrink until they fit noise, which must not count as following the source.
            double scale = spread(score(weights, others), k) / spread(ofHalf, k);
            ofHalf = Vectors.scaled(Double.isFinite(scale) ? scale : 1, ofHalf);
            for (int j = 0; j < judged.length; j++) {
                System.arraycopy(ofHalf, j * k, scores, judged[j] * k, k);
            }
        }
        return scores;
    }

    /** Returns the root mean square distance of scores from their mean. */
    private static double spread(double[] scores, int k) {
        int n = scores.length / k;
        double sum = 0;
        for (int c = 0; c < k; c++) {
            double mean = 0;
            for (int j = 0; j < n; j++) {
                mean += scores[j * k + c] / n;
            }
            for (int j = 0; j < n; j++) {
                sum += (scores[j * k + c] - mean) * (scores[j * k + c] - mean);
            }
        }
        return Math.sqrt(sum / scores.length);
    }

    private double[] score(double[] weights, Dataset rows) {
        double[] theta = Arrays.copyOf(weights, model.parameters(features));
        int k = model.scoresPerRow();
        double[] all = new double[rows.rows() * k];
        int at = 0;
        for (Block block : rows.blocks()) {
            double[] own = new double[block.rows() * k];
            model.scores(theta, block, own);
            System.arraycopy(own, 0, all, at, own.length);
            at += own.length;
        }
        return all;
    }

    private double[] fit(int[] learning) {
        int shared = model.weights(features);
        double[] weights = new double[shared];
        double[] speed = new double[shared];
        double[][] intercepts = new double[learning.length][model.parameters(features) - shared];
        double[][] gradients = new double[learning.length][];
        for (int step = 0; step < STEPS; step++) {
            for (int i = 0; i < learning.length; i++) {
                gradients[i] = gradient(weights, intercepts[i], sources.get(learning[i]));
                for (int c = 0; c < intercepts[i].length; c++) {
                    intercepts[i][c] -= rate * gradients[i][shared + c];
                }
            }
            double[] direction =
                    step < MEDIAN_STEPS ? median(gradients, shared) : screenedMean(gradients, learning, shared);
            Vectors.addScaled(direction, L2, weights, shared);
            for (int c = 0; c < shared; c++) {
                speed[c] = MOMENTUM * speed[c] - rate * direction[c];
                weights[c] += speed[c];
            }
        }
        return weights;
    }

    private double[] gradient(double[] weights, double[] intercepts, Dataset rows) {
        double[] theta = Arrays.copyOf(weights, weights.length + intercepts.length);
        System.arraycopy(intercepts, 0, theta, weights.length, intercepts.length);
        double[] gradient = new double[theta.length];
        for (Block block : rows.blocks()) {
            model.addGradient(theta, block, gradient);
        }
        return Vectors.scaled(1.0 / rows.rows(), gradient);
    }

    private static double[] median(double[][] gradients, int length) {
        double[] out = new double[length];
        double[] column = new double[gradients.length];
        AcrossSources across = AcrossSources.POOLED;
        for (int c = 0; c < length; c++) {
            for (int i = 0; i < gradients.length; i++) {
                column[i] = gradients[i][c];
            }
            out[c] = across.median(column);
        }
        return out;
    }

    private double[] screenedMean(double[][] gradients, int[] learning, int length) {
        int kept = learning.length - learning.length / 4;
        double[] norms = Arrays.stream(gradients)
                .mapToDouble(g -> Vectors.norm(g, length))
                .toArray();
        double[] sum = new double[length];
        double total = 0;
        int[] shortest = IntStream.range(0, learning.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> norms[i]))
                .limit(kept)
                .mapToInt(i -> i)
                .toArray();
        for (int i : shortest) {
            double weight = Math.min(MAX_ROWS, sources.get(learning[i]).rows());
            Vectors.addScaled(sum, weight, gradients[i], length);
            total += weight;
        }
        return Vectors.scaled(1 / total, sum);
    }
}
