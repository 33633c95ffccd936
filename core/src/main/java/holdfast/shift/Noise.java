package holdfast.shift;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.model.Model;

/**
 * Adds normal noise to every feature. A row's noise is drawn from a seed made from the row's own bits, so it does not
 * depend on the other rows, their order or the blocks; equal rows get equal noise.
 *
 * @param sd its standard deviation, in units of the scaled features
 */
public record Noise(double sd) implements Shift {
    private static final Seed SEED = Seed.of(0).child("shift").child("noise");

    public Noise {
        // Up to 1e300 the sum with any sensible feature is finite.
        Check.that(sd >= 0 && sd <= 1e300, "noise: sd must be from 0 to 1e300, got %s", sd);
    }

    @Override
    public Block apply(Model model, double[] theta, Block block) {
        int d = block.columns();
        double[] values = block.filled("use an l1, l2 or linf shift instead of noise");
        for (int j = 0; j < block.rows(); j++) {
            int from = j * d;
            Seed seed = SEED;
            for (int i = from; i < from + d; i++) {
                // Adds 0, because -0 and 0 are the same feature.
                seed = seed.child("", Double.doubleToLongBits(values[i] + 0.0));
            }
            Randomness random = seed.random();
            for (int i = from; i < from + d; i++) {
                values[i] += sd * random.nextGaussian();
            }
        }
        return new DenseBlock(d, values, block.labels(), block.weights());
    }

    @Override
    public String name() {
        return "noise " + sd;
    }
}
