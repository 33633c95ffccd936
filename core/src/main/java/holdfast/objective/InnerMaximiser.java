package holdfast.objective;

import holdfast.data.Block;

/** Finds z_j = argsup over z of f(theta; z) - lambda c(z, x_j) for each row of a block. Pure. */
public interface InnerMaximiser {
    /** @param effort how far to go; a maximiser that is exact anyway ignores it */
    WorstCase maximise(double[] theta, Block block, Effort effort);

    /** @throws holdfast.InputException for rows that it cannot serve */
    default void requireServes(Block block) {}

    /** The price of moving a row; infinite when rows do not move. */
    double lambda();

    /** Rows stay where they are: lambda = infinity, plain empirical risk. */
    static InnerMaximiser none() {
        return new InnerMaximiser() {
            @Override
            public WorstCase maximise(double[] theta, Block block, Effort effort) {
                return new WorstCase(block, new double[block.rows()], 0);
            }

            @Override
            public double lambda() {
                return Double.POSITIVE_INFINITY;
            }
        };
    }
}
