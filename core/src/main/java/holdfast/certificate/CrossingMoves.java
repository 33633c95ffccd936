package holdfast.certificate;

/**
 * The exact worst moves for the error: a row costs e to misclassify, d^2/2 if d is its distance from the boundary, and phi_lambda =
 * max(0, 1 - lambda e).
 */
final class CrossingMoves implements WorstMoves {
    private final double[] crossing;
    private final boolean[] wrong;

    /** @param crossing e of each row: 0 if it is misclassified already, infinite if it cannot be */
    CrossingMoves(double[] crossing, boolean[] wrong) {
        this.crossing = crossing.clone();
        this.wrong = wrong;
    }

    @Override
    public boolean exact() {
        return true;
    }

    @Override
    public double[] lossesAtRest() {
        double[] losses = new double[wrong.length];
        for (int j = 0; j < losses.length; j++) {
            losses[j] = wrong[j] ? 1 : 0;
        }
        return losses;
    }

    @Override
    public Moves at(double lambda) {
        double[] bounds = new double[crossing.length];
        double[] losses = new double[crossing.length];
        double[] costs = new double[crossing.length];
        for (int j = 0; j < crossing.length; j++) {
            boolean crosses = lambda * crossing[j] < 1;
            bounds[j] = crosses ? 1 - lambda * crossing[j] + 0x1p-52 : 0;
            losses[j] = crosses ? 1 : 0;
            costs[j] = crosses ? crossing[j] : 0;
        }
        return new Moves(bounds, losses, costs, (row, x) -> {
            throw new UnsupportedOperationException("rows are only counted");
        });
    }
}
