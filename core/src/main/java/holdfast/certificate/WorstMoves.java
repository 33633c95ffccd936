package holdfast.certificate;

/**
 * Moves each row to where f(theta; z) - lambda c(z, x) is largest, for any price lambda. Rows are numbered as in
 * {@link ScoredRows}. Pure.
 */
interface WorstMoves {
    /** Returns the losses of rows that stay where they are. */
    double[] lossesAtRest();

    /** Returns what the moves at this price cost. */
    default double[] costs(double lambda) {
        return at(lambda).costs();
    }

    /** Returns the moves at a finite price above 0. */
    Moves at(double lambda);

    /** Whether bounds exceed what the moves gain by rounding alone. */
    boolean exact();

    /**
     * Moves of all rows.
     *
     * @param bounds nowhere below phi_lambda = sup over z of f - lambda c, rounding included
     * @param losses of the moved rows
     * @param costs of their moves
     */
    record Moves(double[] bounds, double[] losses, double[] costs, Displacement displacement) {
        static Moves none(double[] losses) {
            return new Moves(losses, losses, new double[losses.length], (row, x) -> {});
        }
    }

    /** Changes a scaled row x to its moved z. */
    interface Displacement {
        void apply(int row, double[] x);

        /** Returns the category to which each column that changes as a whole changes, -1 where it stays. */
        default int[] categories(int row) {
            return new int[0];
        }
    }
}
