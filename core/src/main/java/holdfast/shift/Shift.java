package holdfast.shift;

import holdfast.data.Block;
import holdfast.model.Model;

/** Moves test rows as an adversary who knows the model would, within its budget. */
public interface Shift {
    Block apply(Model model, double[] theta, Block block);

    /** The name as users read it: {@code l2 0.3}. */
    String name();

    Shift NONE = new Shift() {
        @Override
        public Block apply(Model model, double[] theta, Block block) {
            return block;
        }

        @Override
        public String name() {
            return "none";
        }
    };
}
