package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VectorFileTest {
    @TempDir
    private Path folder;

    private Path file(byte[] content) {
        try {
            return Files.write(folder.resolve("vectors"), content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private VectorFile read(String text) {
        return VectorFile.read(file(text.getBytes(StandardCharsets.UTF_8)).toString());
    }

    private void refused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InputException.class)
                .hasMessage(folder.resolve("vectors") + ": " + message);
    }

    @Test
    void readsOneVectorPerLineAndKnowsWhereItStood() {
        VectorFile read = read("\ufeff1, 2.5\r\n\n \t\n-3e-2,\t+4.\r\n");
        assertThat(read.vectors().toArray(double[][]::new)).isDeepEqualTo(new double[][] {{1, 2.5}, {-0.03, 4}});
        assertThat(read.places()).containsExactly("line 1", "line 4");
        assertThat(read.format()).isEqualTo(VectorFile.Format.CSV);
    }

    @Test
    void readsTheNotFiniteAsPythonAndJavaWriteThem() {
        double inf = Double.POSITIVE_INFINITY;
        assertThat(read("nan,NaN,-nan,inf,-inf,Infinity,-Infinity,+INF,1e999")
                        .vectors()
                        .get(0))
                .containsExactly(Double.NaN, Double.NaN, Double.NaN, inf, -inf, inf, -inf, inf, inf);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenReadsBackToTheBit(VectorFile.Format format) {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            List<double[]> written = new ArrayList<>();
            int columns = 1 + random.nextInt(20);
            for (int left = 1 + random.nextInt(10); left > 0; left--) {
                double[] row = new double[columns];
                // NaN has one text but many bits.
                Arrays.setAll(row, i -> Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
                written.add(row);
            }
            VectorFile read = VectorFile.read(file(format.print(written)).toString());
            assertThat(read.format()).isEqualTo(format);
            assertThat(read.vectors().stream().map(Laws::bits))
                    .containsExactlyElementsOf(written.stream().map(Laws::bits).toList());
            double[] first = written.get(0);
            VectorFile one = VectorFile.read(file(format.print(first)).toString());
            assertThat(one.vectors()).hasSize(1);
            assertThat(Laws.bits(one.vectors().get(0))).isEqualTo(Laws.bits(first));
        });
    }

    @Test
    void csvIsTheShortestTextOfEveryNumber() {
        double[] vector = {1, -0.0, 0.1, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        assertThat(new String(VectorFile.Format.CSV.print(vector), StandardCharsets.UTF_8))
                .isEqualTo("1.0,-0.0,0.1,NaN,-Infinity,4.9E-324\n");
    }

    @Test
    void npyIsKnownByItsFirstBytesAlsoUnderGzip() throws IOException {
        byte[] npy = VectorFile.Format.NPY.print(List.of(new double[] {1, 2}, new double[] {3, 4}));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("zipped.csv")))) {
            out.write(npy);
        }
        VectorFile read = VectorFile.read(folder.resolve("zipped.csv").toString());
        assertThat(read.format()).isEqualTo(VectorFile.Format.NPY);
        assertThat(read.places()).containsExactly("row 0", "row 1");
        assertThat(read.vectors().get(1)).containsExactly(3, 4);
    }

    @Test
    void readsNamedPipes() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process writer = new ProcessBuilder("sh", "-c", "printf '1,2\\n3,4\\n' > \"$0\"", pipe.toString()).start();
        try {
            assertThat(VectorFile.read(pipe.toString()).vectors().get(1)).containsExactly(3, 4);
        } finally {
            writer.destroy();
        }
    }

    @Test
    void everyMistakeIsOneLineThatSaysWhere() {
        String number = " must be a number, with commas between numbers, got ";
        refused("", "is empty; vectors are needed, one per line");
        refused("\n \n", "is empty; vectors are needed, one per line");
        refused("\n1,2\n\n1,2,3\n", "line 4: must have 2 numbers like line 2, got 3");
        refused("1,2\n1,two\n", "line 2, column 2" + number + "'two'");
        refused("1,2,\n", "line 1, column 3" + number + "''");
        refused("1 2 3\n", "line 1, column 1" + number + "'1 2 3'");
        refused("1,2d\n", "line 1, column 2" + number + "'2d'");
        refused("1,0X1P3\n", "line 1, column 2" + number + "'0X1P3'");
        refused("--inf\n", "line 1, column 1" + number + "'--inf'");
        refused("0x1p3\n", "line 1, column 1" + number + "'0x1p3'");
        refused("1;2\n", "line 1, column 1" + number + "'1;2'");
        refused("x".repeat(1000), "line 1, column 1" + number + "'" + "x".repeat(59) + "...");
        refused("a\u0000b\n", "line 1, column 1" + number + "'a?b'");
    }

    @Test
    void whatIsNotTextIsSaid() throws IOException {
        Path binary = file(new byte[] {1, (byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> VectorFile.read(binary.toString()))
                .hasMessage(binary + ": cannot be read: it is not UTF-8 text");
        Path cut = file(Arrays.copyOf(VectorFile.Format.NPY.print(new double[] {1, 2}), 140));
        assertThatThrownBy(() -> VectorFile.read(cut.toString()))
                .hasMessage(cut + ": is cut off: the .npy header or its shape promise more bytes");
        Path missing = folder.resolve("missing.csv");
        assertThatThrownBy(() -> VectorFile.read(missing.toString()))
                .hasMessage(missing + ": cannot be read: no such file");
        Path zip = file(new byte[] {0x1f, (byte) 0x8b, 8, 0});
        assertThatThrownBy(() -> VectorFile.read(zip.toString()))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(zip + ": cannot be read: ");
    }
}
