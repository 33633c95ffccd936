package outside;

import holdfast.aggregate.TrimmedMean;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.math.Kernels;
import holdfast.training.Training;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Trains on rows in memory, whose class is 1 where the first feature is larger than the second, and prints the weights. */
public final class Main {
    public static void main(String[] args) {
        Random random = new Random(1);
        DatasetBuilder rows = new DatasetBuilder(2);
        for (int i = 0; i < 500; i++) {
            double[] x = {random.nextGaussian(), random.nextGaussian()};
            rows.add(x, x[0] > x[1] ? 1 : 0);
        }
        Dataset data = rows.build(
                new Schema(List.of("a", "b"), "larger", List.of("no", "yes"), List.of()), DataSource.MEMORY);
        double[] theta = Training.on(data)
                .workers(5)
                .rule(new TrimmedMean(1))
                .run()
                .model()
                .theta();
        System.out.println(Main.class.getModule().getName() + ", " + Kernels.CHOSEN.name() + ", " + Arrays.toString(theta));
    }
}
