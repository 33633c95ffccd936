package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import org.junit.jupiter.api.Test;

/**
 * The laws of every model that is linear in its scores, besides those of {@link ModelContract}: scores are weights
 * times the row plus the intercept, and slopes and curvatures stay below their bounds.
 *
 * <p>To test such a model, extend this class and implement {@link #model}.
 */
public abstract class LinearScoresContract extends ModelContract {
    @Override
    protected abstract LinearScores model();

    @Override
    protected double[] longest(double[] theta, double[] other, int features) {
        double[] longest = new double[theta.length];
        int weights = model().weights(features);
        longest[0] = Math.max(Vectors.norm(theta, weights), Vectors.norm(other, weights));
        for (int i = weights; i < theta.length; i++) {
            longest[i] = Math.max(Math.abs(theta[i]), Math.abs(other[i]));
        }
        return longest;
    }

    @Test
    protected void scoresAreWeightsTimesTheRowPlusTheIntercept() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(6);
            int k = model().scoresPerRow();
            double[] theta = random.gaussians(model().parameters(d));
            double[] x = random.gaussians(d);
            double[] scores = new double[k];
            model().scores(theta, new DenseBlock(d, x, new double[1], null), scores);
            for (int c = 0; c < k; c++) {
                double score = Vectors.dot(model().weights(theta, d, c), x, d) + model().intercept(theta, d, c);
                assertThat(scores[c]).isCloseTo(score, within(1e-12));
            }
            assertThat(model().penalised(d)).isEqualTo(model().weights(d)).isEqualTo(k * d);
            assertThat(theta.length - k * d).isEqualTo(model().hasIntercept() ? k : 0);
        });
    }

    /** A row with as many features as there are scores is its own scores when the weights are the identity. */
    @Test
    protected void slopesAndCurvaturesStayBelowTheirBounds() {
        Laws.check(1000, seed -> {
            Randomness random = seed.random();
            double label = label(random);
            double reach = 3 * random.nextDouble();
            double[] u = scores(random, reach);
            double[] near = scores(random, reach);
            double[] slope = slope(u, label);
            double slack = 1e-12 * (1 + Vectors.norm(slope));
            assertThat(Vectors.norm(slope)).isLessThanOrEqualTo(model().slopeBound(reach, Math.abs(label)) + slack);
            double[] turn = slope(near, label);
            Vectors.addScaled(turn, -1, slope, turn.length);
            double[] move = near.clone();
            Vectors.addScaled(move, -1, u, move.length);
            assertThat(Vectors.norm(turn))
                    .isLessThanOrEqualTo(model().curvatureBound(reach, Math.abs(label)) * Vectors.norm(move) + slack);
            assertThat(model().slopeBound().applyAsDouble(label))
                    .isEqualTo(model().slopeBound(0, Math.abs(label)), within(1e-15));
        });
    }

    private double[] scores(Randomness random, double reach) {
        double[] u = random.gaussians(model().scoresPerRow());
        return Vectors.scaled(reach * random.nextDouble() / Vectors.norm(u), u);
    }

    private double[] slope(double[] u, double label) {
        int k = u.length;
        double[] theta = new double[model().parameters(k)];
        for (int c = 0; c < k; c++) {
            theta[c * k + c] = 1;
        }
        double[] out = new double[k];
        Block row = new DenseBlock(k, u, new double[] {label}, null);
        model().gradientInRows(theta, row, out);
        return out;
    }
}
