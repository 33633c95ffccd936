package holdfast.aggregate;

import holdfast.math.Vectors;
import java.util.List;

/**
 * One worker's valid update: finite and of the right length.
 *
 * @param worker its id, 0..m-1
 * @param vector not to be written
 */
public record Vote(int worker, double[] vector) {
    /** Norms to be compared with and divided by one another: in units of 2^64 where one is above the largest double. */
    static double[] norms(List<Vote> votes) {
        double[] norms =
                votes.stream().mapToDouble(v -> Vectors.norm(v.vector())).toArray();
        return Vectors.finite(norms)
                ? norms
                : votes.stream()
                        .mapToDouble(v -> Vectors.norm(Vectors.scaled(0x1p-64, v.vector())))
                        .toArray();
    }
}
