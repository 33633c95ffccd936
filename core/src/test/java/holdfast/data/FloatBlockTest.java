package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FloatBlockTest {
    /** The same rows as doubles that floats can hold. */
    private static Block rounded(Block block) {
        double[] values = block.filled("");
        Arrays.setAll(values, i -> Double.parseDouble(Double.toString((float) values[i])));
        return new DenseBlock(block.columns(), values, block.labels(), block.weights());
    }

    private static Dataset inFloats(Dataset data) {
        return data.inFloats(r -> r);
    }

    @Test
    void everyChangeHasTheBitsOfRoundedDoubles() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int rows = 2 + random.nextInt(600);
            Dataset data = Samples.dataset(seed, rows, 1 + random.nextInt(random.nextInt(3) == 0 ? 400 : 20), 3);
            int[] some = random.choose(1 + random.nextInt(rows), rows);
            double[] labels = random.gaussians(rows);
            expectSame(data, UnaryOperator.identity(), seed);
            expectSame(data, d -> d.select(some), seed);
            expectSame(data, d -> d.relabel(r -> labels[r]).select(some), seed);
            expectSame(data, d -> d.map(block -> block.weighted(random(block.rows()))), seed);
            expectSame(
                    data, d -> d.with(r -> r % 3 == 1, d.columns() - 1, 0.625).append(d), seed);
            expectSame(data, d -> d.map(block -> moved(block, seed)), seed);
        });
    }

    private static double[] random(int n) {
        return Seed.of(n).random().gaussians(n);
    }

    private static Block moved(Block block, Seed seed) {
        Randomness random = seed.child("moves").random();
        double[] s = random.gaussians(block.rows());
        return new MovedBlock(block, s, random.gaussians(block.columns()), null);
    }

    private static void expectSame(Dataset data, UnaryOperator<Dataset> change, Seed seed) {
        Dataset floats = change.apply(inFloats(data));
        Dataset doubles = change.apply(data.map(FloatBlockTest::rounded));
        for (int b = 0; b < doubles.blocks().size(); b++) {
            Block mine = floats.blocks().get(b);
            Block other = doubles.blocks().get(b);
            assertThat(mine).isNotInstanceOf(DenseBlock.class);
            expectSame(mine, other, seed.child("block", b).random());
            int done = 0;
            for (Block part : mine.parts()) {
                for (int j = 0; j < part.rows(); j++, done++) {
                    double[] row = new double[part.columns()];
                    part.copyRow(j, row, 0);
                    assertThat(Laws.bits(row)).isEqualTo(Laws.bits(floats.row(b * doubles.blockRows() + done)));
                    assertThat(part.label(j)).isEqualTo(mine.label(done));
                    assertThat(part.weight(j)).isEqualTo(mine.weight(done));
                }
            }
            assertThat(done).isEqualTo(mine.rows());
        }
    }

    private static void expectSame(Block mine, Block other, Randomness random) {
        assertThat(mine.labels()).isEqualTo(other.labels());
        assertThat(mine.weights()).isEqualTo(other.weights());
        assertThat(Laws.bits(mine.filled(""))).isEqualTo(Laws.bits(other.filled("")));
        double[] sums = new double[2];
        mine.nonZeros(0, (column, value) -> sums[0] += value);
        other.nonZeros(0, (column, value) -> sums[1] += value);
        assertThat(sums[0]).isEqualTo(sums[1]);
        double[] theta = random.gaussians(mine.columns() + 1);
        double[] r = random.gaussians(mine.rows());
        assertThat(Laws.bits(times(mine, theta))).isEqualTo(Laws.bits(times(other, theta)));
        double[] into = theta.clone();
        mine.addTransposed(r, into);
        double[] expected = theta.clone();
        other.addTransposed(r, expected);
        assertThat(Laws.bits(into)).isEqualTo(Laws.bits(expected));
    }

    private static double[] times(Block block, double[] theta) {
        double[] out = new double[block.rows()];
        block.times(theta, out);
        return out;
    }

    @Test
    void takesHalfOfTheMemory() {
        Dataset data = Samples.dataset(Seed.of(1), 1000, 57);
        double doubles = bytes(data.select(new int[] {3, 1, 4, 1, 5, 9, 2, 6}));
        double floats = bytes(inFloats(data).select(new int[] {3, 1, 4, 1, 5, 9, 2, 6}));
        assertThat(doubles).isEqualTo(8 * 8 * (57 + 1));
        assertThat(floats / doubles).isCloseTo(0.5, within(0.01));
        assertThat((double) bytes(inFloats(data)) / bytes(data)).isCloseTo(0.5, within(0.01));
    }

    /** Of all arrays of numbers that the blocks hold on to. */
    private static long bytes(Dataset data) {
        return data.blocks().stream().mapToLong(FloatBlockTest::bytes).sum();
    }

    private static long bytes(Block block) {
        return Stream.<Class<?>>iterate(block.getClass(), type -> type != null, Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers())
                        && field.getType().isArray())
                .mapToLong(field -> bytes(field, block))
                .sum();
    }

    private static long bytes(Field field, Block block) {
        try {
            field.setAccessible(true);
            Object array = field.get(block);
            return array == null ? 0 : (long) Array.getLength(array) * (array instanceof float[] ? 4 : 8);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void saysWhichValueIsTooLarge() {
        Dataset data = Samples.dataset(Seed.of(2), 700, 3).with(r -> r == 600, 2, -3.5e38);
        assertThatThrownBy(() -> data.inFloats(r -> 2 * r))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: row 1201, column x2: --storage float cannot hold -3.5E38, which is too large;"
                        + " use --storage double");
        Dataset floats = inFloats(data.with(r -> r == 600, 2, Float.MAX_VALUE));
        assertThat(floats.row(600)[2]).isEqualTo(Float.MAX_VALUE);
        assertThatThrownBy(() -> floats.with(r -> false, 0, 1e39)).hasMessageContaining("cannot hold 1.0E39");
        assertThatThrownBy(() -> floats.append(data)).hasMessageContaining("cannot hold -3.5E38");
    }

    @Test
    void sparseRowsAreRefused() {
        assertThatThrownBy(() -> inFloats(Samples.sparse(Seed.of(1), 20, 30, 3)))
                .isInstanceOf(InputException.class)
                .hasMessage("memory: its rows are sparse, which --storage float cannot hold; use --storage double");
    }
}
