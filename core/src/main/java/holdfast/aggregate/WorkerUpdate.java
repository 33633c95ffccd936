package holdfast.aggregate;

import holdfast.math.Threads;
import holdfast.math.Vectors;
import java.util.List;

/**
 * One worker's valid update: finite and of the right length.
 *
 * @param worker its id, 0..m-1
 * @param vector must not be written
 */
public record WorkerUpdate(int worker, double[] vector) {
    static double[][] vectors(List<WorkerUpdate> updates) {
        return updates.stream().map(WorkerUpdate::vector).toArray(double[][]::new);
    }

    static double[] norms(List<WorkerUpdate> updates, Threads threads) {
        double[] norms = new double[updates.size()];
        threads.each(norms.length, i -> norms[i] = Vectors.norm(updates.get(i).vector()));
        return norms;
    }

    /**
     * Returns norms that can be compared with and divided by one another: in units of 2^64 if one is above the largest
     * double.
     */
    static double[] comparableNorms(List<WorkerUpdate> updates, Threads threads) {
        double[] norms = norms(updates, threads);
        return Vectors.finite(norms)
                ? norms
                : updates.stream()
                        .mapToDouble(v -> Vectors.norm(Vectors.scaled(0x1p-64, v.vector())))
                        .toArray();
    }
}
