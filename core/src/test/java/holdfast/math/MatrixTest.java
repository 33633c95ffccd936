package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;

class MatrixTest {
    /** Element by element in the order that the javadoc promises, to the bit. */
    @Test
    void aProductAddsItsTermsInOrderToWhatIsThere() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int rows = random.nextInt(14);
            int inner = random.nextInt(20);
            int columns = random.nextInt(40);
            double[] a = random.gaussians(rows * inner);
            double[] b = random.gaussians(inner * columns);
            double[] out = random.gaussians(rows * columns);
            double[] flat = new double[a.length];
            Matrix.of(a, 0, rows, inner).transposed().copyInto(flat);
            double[] expected = out.clone();
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    for (int k = 0; k < inner; k++) {
                        expected[i * columns + j] += a[i * inner + k] * b[k * columns + j];
                        assertThat(flat[k * rows + i]).isEqualTo(a[i * inner + k]);
                    }
                }
            }
            double[] turned = out.clone();
            Matrix.of(out, 0, rows, columns).addProduct(Matrix.of(a, 0, rows, inner), Matrix.of(b, 0, inner, columns));
            Matrix.of(turned, 0, rows, columns)
                    .addProduct(Matrix.of(flat, 0, inner, rows).transposed(), Matrix.of(b, 0, inner, columns));
            assertThat(Laws.bits(out)).isEqualTo(Laws.bits(expected)).isEqualTo(Laws.bits(turned));
        });
    }

    @Test
    void whatDoesNotFitIsRefused() {
        double[] six = new double[6];
        assertThatThrownBy(() -> Matrix.of(six, 1, 2, 3))
                .isInstanceOf(InputException.class)
                .hasMessage("a matrix of 2 rows and 3 columns does not fit in 6 values from 1");
        Matrix wide = Matrix.of(six, 0, 2, 3);
        assertThatThrownBy(() -> wide.addProduct(wide, wide))
                .isInstanceOf(InputException.class)
                .hasMessage("2 x 3 times 2 x 3 is not 2 x 3");
        assertThatThrownBy(() -> Matrix.of(new double[4], 0, 2, 2).addProduct(wide, wide.transposed()))
                .isInstanceOf(InputException.class)
                .hasMessage("rows of a product and of its second factor must be contiguous");
    }
}
