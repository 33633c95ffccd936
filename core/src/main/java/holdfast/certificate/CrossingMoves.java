package holdfast.certificate;

/**
 * The exact worst moves for the error: a row costs e = d^2/2 to misclassify, d its distance from the boundary, and phi_lambda =
 * max(0, 1 - lambda e).
 */
final class CrossingMoves implements WorstMoves {
    private final double[] crossing;
    private final boolean[] wrong;

    /** @param distances 0 for rows that are misclassified already, infinite for those that cannot be */
    CrossingMoves(double[] distances, boolean[] wrong) {
        crossing = new double[distances.length];
        this.wrong = wrong;
        for (int j = 0; j < crossing.length; j++) {
            crossing[j] = distances[j] * distances[j] / 2;
        }
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
