package holdfast.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.model.LogisticRegression;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ShiftsTest {
    private static Shift shift(String text) {
        return Shifts.catalogue().create(Spec.parse(text));
    }

    private static Block apply(Shift shift, Block block) {
        return shift.apply(new LogisticRegression(true), new double[block.columns() + 1], block);
    }

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    @Test
    void namesMakeTheShifts() {
        assertThat(shift("none")).isSameAs(Shift.NONE);
        assertThat(shift("l1")).isEqualTo(new WorstCaseShift(Norm.L1, 0.3));
        assertThat(shift("l2(budget=0.5)")).isEqualTo(new WorstCaseShift(Norm.L2, 0.5));
        assertThat(shift("linf")).isEqualTo(new WorstCaseShift(Norm.LINF, 0.3));
        assertThat(shift("noise(sd=0.5)")).isEqualTo(new Noise(0.5));
        assertThat(shift("noise").name()).isEqualTo("noise 0.3");
        assertThat(shift("drift(factor=0.1)")).isEqualTo(new Drift(0.1));
        assertThat(shift("drift").name()).isEqualTo("drift 0.2");
        assertThat(shift("missing(share=0.1)")).isEqualTo(new Missing(0.1));
        assertThat(shift("missing").name()).isEqualTo("missing 0.2");
        assertThat(shift("prior(class=0, share=0.1)")).isEqualTo(new Prior(0, 0.1));
        assertThat(shift("prior").name()).isEqualTo("prior 0.5 of class 1");
        assertThat(shift("trigger").name()).isEqualTo("trigger 5.0 in column 0");
        assertThatThrownBy(() -> shift("l3"))
                .isInstanceOf(InputException.class)
                .hasMessage("unknown shift 'l3'; known: none, l1, l2, linf, noise, drift, missing, prior, trigger");
    }

    @Test
    void noiseBelongsToTheRowAndNotToItsPlace() {
        Laws.check(50, seed -> {
            Block block = Samples.block(seed, 20, 3, true);
            Block noisy = apply(new Noise(0.3), block);
            assertThat(noisy.labels()).isEqualTo(block.labels());
            assertThat(noisy.weights()).isEqualTo(block.weights());
            for (int j = 0; j < 20; j++) {
                Block alone = new DenseBlock(3, row(block, j), new double[1], null);
                assertThat(Laws.bits(row(apply(new Noise(0.3), alone), 0))).isEqualTo(Laws.bits(row(noisy, j)));
            }
        });
    }

    @Test
    void noiseHasTheMomentsAndDiffersFromRowToRow() {
        Block block = Samples.block(Seed.of(1), 10_000, 2, false);
        Block noisy = apply(new Noise(2), block);
        double[] moves = new double[20_000];
        for (int j = 0; j < 10_000; j++) {
            moves[2 * j] = row(noisy, j)[0] - row(block, j)[0];
            moves[2 * j + 1] = row(noisy, j)[1] - row(block, j)[1];
        }
        assertThat(Arrays.stream(moves).average().orElseThrow()).isCloseTo(0, within(0.071)); // five standard errors
        assertThat(Arrays.stream(moves).map(x -> x * x).average().orElseThrow()).isCloseTo(4, within(0.2));
        Block zeros = apply(new Noise(2), new DenseBlock(1, new double[] {0, -0.0, 1e-300}, new double[3], null));
        assertThat(row(zeros, 0)).isEqualTo(row(zeros, 1)).isNotEqualTo(row(zeros, 2));
    }

    @Test
    void theTriggerIsAllThatChanges() {
        Block block = Samples.block(Seed.of(1), 10, 3, true);
        Block triggered = apply(new Trigger(1, 5), block);
        assertThat(triggered.labels()).isEqualTo(block.labels());
        assertThat(triggered.weights()).isEqualTo(block.weights());
        for (int j = 0; j < 10; j++) {
            double[] expected = row(block, j);
            expected[1] = 5;
            assertThat(row(triggered, j)).isEqualTo(expected);
        }
        assertThatThrownBy(() -> apply(new Trigger(3, 5), block))
                .hasMessage("trigger: column must be below the 3 feature columns, got 3");
    }

    @Test
    void sparseRowsAreShiftedLikeDenseOnes() {
        Laws.check(10, seed -> {
            Block dense = Samples.dense(seed, 50, 20, 2).blocks().get(0);
            Block sparse = Samples.sparse(seed, 50, 20, 2).blocks().get(0);
            for (Shift shift : new Shift[] {new Noise(0.3), new Trigger(7, 5), new WorstCaseShift(Norm.L2, 1)}) {
                assertThat(apply(shift, sparse).filled(""))
                        .isEqualTo(apply(shift, dense).filled(""));
            }
            assertThat(apply(new Trigger(7, 5), sparse).sparse()).isTrue();
        });
        Block huge = Samples.sparse(Seed.of(1), 60, 1_000_000, 2).blocks().get(0);
        assertThat(apply(new Trigger(999_999, 5), huge).sparse()).isTrue();
        assertThatThrownBy(() -> apply(new Noise(0.3), huge))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("more than 50000000 values; use an l1, l2 or linf shift instead of noise");
    }

    @Test
    void refusesWhatIsNoShift() {
        for (double sd : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Noise(sd))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("sd");
        }
        assertThatThrownBy(() -> new Trigger(-1, 5)).hasMessageContaining("column");
        assertThatThrownBy(() -> new Trigger(0, Double.NaN)).hasMessageContaining("value");
    }
}
