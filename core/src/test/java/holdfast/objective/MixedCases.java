package holdfast.objective;

import holdfast.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Small random costs with categories that change as a whole, for tests. */
public final class MixedCases {
    private MixedCases() {}

    /**
     * Draws columns among features that move by any amount, some of which are fixed.
     *
     * @param few how many columns there may be
     */
    public static MixedCost cost(Randomness random, int few) {
        List<MixedCost.Change> changes = new ArrayList<>();
        int at = random.nextInt(3);
        for (int c = 1 + random.nextInt(few); c > 0; c--) {
            int k = 1 + random.nextInt(4);
            boolean marked = random.nextInt(3) == 0;
            boolean scaled = random.nextInt(4) > 0;
            int width = k + (marked ? 1 : 0);
            CategoryColumn column = new CategoryColumn(
                    "column" + at,
                    at,
                    DoubleStream.generate(() -> scaled ? -random.nextDouble() : 0)
                            .limit(width)
                            .boxed()
                            .toList(),
                    DoubleStream.generate(() -> scaled ? 0.5 + 4 * random.nextDouble() : 1)
                            .limit(width)
                            .boxed()
                            .toList(),
                    marked);
            changes.add(new MixedCost.Change(column, Math.pow(10, 2 * random.nextDouble() - 1.5)));
            at = column.end() + random.nextInt(2);
        }
        double[] prices = new double[at + random.nextInt(2)];
        for (int i = 0; i < prices.length; i++) {
            prices[i] = random.nextInt(4) == 0 ? Double.POSITIVE_INFINITY : 0.3 + random.nextDouble();
        }
        return MixedCost.of(prices, changes);
    }

    /** Draws a row: each column has a category, nothing or shares. */
    public static double[] row(MixedCost cost, Randomness random) {
        double[] row = random.gaussians(cost.features().columns());
        for (MixedCost.Change change : cost.changes()) {
            CategoryColumn column = change.column();
            int kind = random.nextInt(4);
            column.put(kind == 3 ? -1 : random.nextInt(column.categories()), row, 0);
            if (column.marked() && kind >= 2) {
                row[column.end() - 1] = column.one().get(column.width() - 1);
            }
            double[] shares = random.dirichlet(1, column.categories());
            for (int i = 0; kind == 2 && i < shares.length; i++) {
                row[column.first() + i] = column.zero().get(i)
                        + shares[i] * (column.one().get(i) - column.zero().get(i));
            }
        }
        return row;
    }

    /** Returns a row with all combinations of categories, its own included, the features that move by any amount as they are. */
    public static List<double[]> combinations(MixedCost cost, double[] row) {
        List<double[]> all = new ArrayList<>(List.of(row.clone()));
        for (MixedCost.Change change : cost.changes()) {
            for (double[] z : List.copyOf(all)) {
                for (int k = 0; k < change.column().categories(); k++) {
                    double[] other = z.clone();
                    change.column().put(k, other, 0);
                    all.add(other);
                }
            }
        }
        return all;
    }
}
