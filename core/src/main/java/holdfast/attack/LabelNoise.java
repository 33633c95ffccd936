package holdfast.attack;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.data.Dataset;
import holdfast.data.Table;
import java.util.Arrays;

/**
 * Replaces a random share of each liar's labels: a class by one drawn uniformly from all (Angluin, Laird 1988), a number
 * by the label of another of the liar's rows, drawn at random, so that a count stays a count.
 */
public record LabelNoise(double share) implements RawAttack {
    public LabelNoise {
        Check.that(share >= 0 && share <= 1, "label-noise: share must be from 0 to 1, got %s", share);
    }

    @Override
    public Table poison(RawContext context) {
        Dataset rows = context.table().cells();
        int classes = rows.schema().classes().size();
        return context.withLabels(liar -> {
            int[] noisy = RawAttack.choose(share, liar.rows(), liar.seed().child("rows"));
            Randomness random = liar.seed().child("labels").random();
            return r -> Arrays.binarySearch(noisy, r) < 0
                    ? rows.label(r)
                    : classes > 0
                            ? random.nextInt(classes)
                            : rows.label(liar.rows()[random.nextInt(liar.rows().length)]);
        });
    }
}
