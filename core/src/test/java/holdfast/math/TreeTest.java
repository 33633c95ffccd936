package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import holdfast.Randomness;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0",
        "2, (0+1)",
        "3, ((0+1)+2)",
        "4, ((0+1)+(2+3))",
        "5, (((0+1)+(2+3))+4)",
        "6, (((0+1)+(2+3))+(4+5))",
        "7, (((0+1)+(2+3))+((4+5)+6))",
        "8, (((0+1)+(2+3))+((4+5)+(6+7)))",
        "9, ((((0+1)+(2+3))+((4+5)+(6+7)))+8)"
    })
    void everyLeftSubtreeIsTheLargestFullOne(int leaves, String shape) {
        String made = Tree.reduce(leaves, Integer::toString, (a, b) -> "(" + a + "+" + b + ")");
        assertThat(made).isEqualTo(shape);
    }

    @Test
    void sumsByPiecesAreThoseOfWholeVectorsToTheBitThoughFourAreReadAtOnce() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(40);
            double[] weights = random.gaussians(n);
            double[][] x = new double[n + 1][];
            int length = 1 + random.nextInt(2500);
            Arrays.setAll(x, i -> random.gaussians(length));
            double[][] sums = new double[2][length];
            Tree.sum(sums, n, Threads.ONE, new Shifted(x, weights));
            double[][] oneByOne = new double[2][length];
            Tree.sum(oneByOne, n, Threads.ONE, (sum, i, from, out) -> Vectors.scale(weights[i], x[sum + i], from, out));
            for (int s = 0; s < sums.length; s++) {
                int sum = s;
                double[] expected = Tree.reduce(n, i -> Vectors.scaled(weights[i], x[sum + i]), Vectors::add);
                assertThat(Laws.bits(sums[s])).isEqualTo(Laws.bits(expected));
                assertThat(Laws.bits(oneByOne[s])).isEqualTo(Laws.bits(expected));
            }
        });
    }

    /** Vector i of sum s is that of row s + i. */
    private record Shifted(double[][] x, double[] w) implements Tree.Terms {
        @Override
        public void write(int s, int i, int from, double[] out) {
            Vectors.scale(w[i], x[s + i], from, out);
        }

        @Override
        public boolean writeFour(int s, int i, int from, double[] out) {
            int k = s + i;
            Vectors.scaleFour(w[i], x[k], w[i + 1], x[k + 1], w[i + 2], x[k + 2], w[i + 3], x[k + 3], from, out);
            return true;
        }
    }
}
