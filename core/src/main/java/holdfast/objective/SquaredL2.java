package holdfast.objective;

import holdfast.math.Vectors;

/** The paper's cost, c(z, x) = (1/2)||z - x||^2. */
public record SquaredL2() implements TransportCost {
    @Override
    public double cost(double[] z, double[] x, int from, int columns) {
        double[] gap = new double[columns];
        gradient(z, x, from, columns, gap, 0);
        return Vectors.dot(gap, gap, columns) / 2;
    }

    @Override
    public void gradient(double[] z, double[] x, int from, int columns, double[] out) {
        gradient(z, x, from, columns, out, from);
    }

    private static void gradient(double[] z, double[] x, int from, int columns, double[] out, int at) {
        for (int i = 0; i < columns; i++) {
            out[at + i] = z[from + i] - x[from + i];
        }
    }

    @Override
    public double strongConvexity() {
        return 1;
    }

    @Override
    public double smoothness() {
        return 1;
    }

    @Override
    public String description() {
        return "(1/2)||z - x||^2";
    }
}
