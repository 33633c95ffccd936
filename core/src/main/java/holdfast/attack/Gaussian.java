package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * Every liar sends its own draw from the normal distribution with this mean and standard deviation in every coordinate
 * (Blanchard, El Mhamdi, Guerraoui, Stainer 2017).
 */
public record Gaussian(double mu, double sigma) implements UpdateAttack {
    public Gaussian {
        Check.that(Double.isFinite(mu), "gaussian: mu must be finite, got %s", mu);
        Check.that(sigma >= 0 && Double.isFinite(sigma), "gaussian: sigma must be finite and >= 0, got %s", sigma);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        return Arrays.stream(context.byzantine())
                .mapToObj(b -> {
                    double[] v = context.seed()
                            .child("liar", b)
                            .random()
                            .gaussians(context.truth().theta().length);
                    for (int i = 0; i < v.length; i++) {
                        v[i] = mu + sigma * v[i];
                    }
                    return Vectors.clamped(v);
                })
                .toList();
    }
}
