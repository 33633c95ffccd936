package holdfast.shift;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.model.Model;

/**
 * Makes a class more or less frequent; the other classes keep their proportions. Rows stay as they are: evaluation counts
 * those of the class by share/(its share among the rows), and the others by (1 - share)/(their share).
 *
 * @param label the class, counted from 0
 * @param share its share after the shift
 */
public record Prior(int label, double share) implements Shift {
    public Prior {
        Check.that(label >= 0, "prior: class must be >= 0, got %d", label);
        Check.that(share > 0 && share < 1, "prior: share must be between 0 and 1, got %s", share);
    }

    @Override
    public Block apply(Model model, double[] theta, Block block) {
        Check.that(model.target().isClass(), "prior: labels must be classes, but the model learns numbers");
        return block;
    }

    @Override
    public double[] classShares(double[] shares) {
        Check.that(label < shares.length, "prior: class must be below the %d classes, got %d", shares.length, label);
        Check.that(
                shares[label] > 0 && shares[label] < 1,
                "prior: there must be rows of class %d and of others, got a share of %s",
                label,
                shares[label]);
        double[] after = new double[shares.length];
        for (int c = 0; c < after.length; c++) {
            after[c] = c == label ? share : shares[c] * (1 - share) / (1 - shares[label]);
        }
        return after;
    }

    @Override
    public String name() {
        return "prior " + share + " of class " + label;
    }
}
