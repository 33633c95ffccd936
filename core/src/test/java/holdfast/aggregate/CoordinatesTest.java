package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.math.Threads;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CoordinatesTest {
    @Test
    void theStatisticSeesEveryCoordinatesValuesInTheOrderOfTheJdksSort() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int workers = 1 + random.nextInt(70);
            int length = 1 + random.nextInt(300);
            double[] often = {-0.0, 0.0, -Double.MAX_VALUE, Double.MIN_VALUE, 1};
            double[][] x = new double[workers][length];
            for (double[] row : x) {
                Arrays.setAll(
                        row,
                        k -> random.nextInt(2) == 0 ? often[random.nextInt(often.length)] : random.gaussians(1)[0]);
            }
            int rank = random.nextInt(workers);
            double[] expected = new double[length];
            for (int k = 0; k < length; k++) {
                int column = k;
                expected[k] = Arrays.stream(x)
                        .mapToDouble(row -> row[column])
                        .sorted()
                        .toArray()[rank];
            }
            assertThat(Laws.bits(Coordinates.of(Round.of(x).updates(), Threads.ONE, values -> values[rank])))
                    .isEqualTo(Laws.bits(expected));
        });
    }
}
