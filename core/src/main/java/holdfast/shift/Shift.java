package holdfast.shift;

import holdfast.data.Block;
import holdfast.model.Model;
import holdfast.preparation.Encoding;
import holdfast.preparation.Scaling;

/**
 * What happens to test rows. It may change them as they are measured, before the model scales them; move them after
 * that; or change how frequent the classes are. What happens to a row does not depend on other rows.
 */
public interface Shift {
    /**
     * Changes features before they are scaled.
     *
     * @param encoding how the cells of a table became features
     * @param scaling how the model will scale them
     */
    default Block measured(Encoding encoding, Scaling scaling, Block features) {
        return features;
    }

    /** Moves scaled rows. */
    default Block apply(Model model, double[] theta, Block block) {
        return block;
    }

    /**
     * Returns how frequent each class is after the shift. Evaluation then counts the rows of a class accordingly.
     *
     * @param shares how frequent the classes are among the rows
     * @return the same array if this does not change
     */
    default double[] classShares(double[] shares) {
        return shares;
    }

    /** Whether somebody who wants the model to fail chose it; if not, it happens without any intent. */
    default boolean adversarial() {
        return false;
    }

    /** The name as users read it: {@code l2 0.3}. */
    String name();

    /** The name, with what holds for this model only. */
    default String name(Model model) {
        return name();
    }

    Shift NONE = () -> "none";
}
