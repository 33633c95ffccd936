package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.junit.jupiter.api.Test;

class RowBatchTest {
    private record Row(int worker, long place, double[] x, double label, double weight) {}

    private static Row row(Randomness random, int d) {
        double[] x = random.gaussians(d);
        for (int i = 0; i < d; i++) {
            x[i] = random.nextInt(3) == 0 ? 0 : x[i];
        }
        return new Row(random.nextInt(9), random.nextLong() >>> 20, x, random.nextGaussian(), random.nextDouble());
    }

    @Test
    void rowsArriveAsTheyLeft() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(40);
            boolean sparse = random.nextInt(2) == 0;
            RowBatch batch = new RowBatch(sparse);
            List<Row> sent = new ArrayList<>();
            for (int n = random.nextInt(random.nextInt(5) == 0 ? 2000 : 100); n > 0; n--) {
                Row row = row(random, d);
                Vector features = Vectors.dense(row.x);
                batch.add(
                        row.worker,
                        row.place,
                        random.nextInt(2) == 0 ? features : features.toSparse(),
                        row.label,
                        row.weight);
                sent.add(row);
            }
            List<Row> arrived = new ArrayList<>();
            RowBatch there = Sparks.travelled(batch);
            for (int j = 0; j < there.rows(); j++) {
                int[] at = there.columns(j);
                double[] values = there.values(j);
                assertThat(at == null).isNotEqualTo(sparse);
                double[] x = new double[d];
                for (int k = 0; k < values.length; k++) {
                    x[at == null ? k : at[k]] = values[k];
                }
                if (!sparse) {
                    double[] copied = new double[d + 2];
                    there.copyValues(j, copied, 1);
                    assertThat(Arrays.copyOfRange(copied, 1, d + 1)).isEqualTo(values);
                }
                arrived.add(new Row(there.worker(j), there.place(j), x, there.label(j), there.weight(j)));
            }
            assertThat(arrived).hasSameSizeAs(sent);
            for (int i = 0; i < sent.size(); i++) {
                Row is = arrived.get(i);
                Row was = sent.get(i);
                assertThat(is.worker).isEqualTo(was.worker);
                assertThat(is.place).isEqualTo(was.place);
                assertThat(Laws.bits(is.x)).isEqualTo(Laws.bits(was.x));
                assertThat(is.label).isEqualTo(was.label);
                assertThat(is.weight).isEqualTo(was.weight);
            }
            if (!sparse) {
                assertThat(batch.stored()).isEqualTo(d * sent.size());
            } else {
                assertThat(batch.stored())
                        .isEqualTo(sent.stream()
                                .mapToLong(row ->
                                        Arrays.stream(row.x).filter(x -> x != 0).count())
                                .sum());
            }
        });
    }
}
