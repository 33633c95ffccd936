package holdfast.attack;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;

/** Adds normal noise to every feature of every row; the labels stay. */
public record FeatureNoise(double sd) implements RowAttack {
    public FeatureNoise {
        // Up to 1e300 the sum with any sensible feature is finite.
        Check.that(sd >= 0 && sd <= 1e300, "feature-noise: sd must be from 0 to 1e300, got %s", sd);
    }

    @Override
    public Dataset poison(Dataset shard, Seed seed) {
        Randomness random = seed.child("noise").random();
        return shard.map(block -> {
            double[] x = block.filled("use another attack than feature-noise");
            for (int i = 0; i < x.length; i++) {
                x[i] += sd * random.nextGaussian();
            }
            return new DenseBlock(block.columns(), x, block.labels(), block.weights());
        });
    }
}
