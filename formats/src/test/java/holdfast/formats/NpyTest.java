package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against files that NumPy wrote; npy/make.py made them. */
class NpyTest {
    private static final double[][] MATRIX = {{1.5, -2, 0}, {4, 5.5, -6.25}};
    private static final double[] VECTOR = {
        1.5, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE
    };

    private static byte[] fixture(String name) throws IOException {
        try (InputStream in = NpyTest.class.getResourceAsStream("npy/" + name + ".npy")) {
            return in.readAllBytes();
        }
    }

    private static List<double[]> read(byte[] bytes) {
        try {
            return Npy.read("a.npy", new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A version 1.0 file with the header as given. */
    private static byte[] file(String header, double... data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
        out.write(header.length());
        out.write(header.length() >> 8);
        out.writeBytes(header.getBytes(StandardCharsets.ISO_8859_1));
        if (data.length > 0) {
            byte[] whole = Npy.bytes(data);
            out.write(whole, whole.length - 8 * data.length, 8 * data.length);
        }
        return out.toByteArray();
    }

    private static void refused(byte[] bytes, String message) {
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("a.npy: ")
                .hasMessageContaining(message)
                .hasMessageNotContainingAny("\n", "\r");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"f8", "f8-big-endian", "f8-fortran", "f4", "f4-big-endian-fortran", "version-2", "version-3"})
    void readsWhatNumPyWrote(String name) throws IOException {
        assertThat(read(fixture(name)).toArray(double[][]::new)).isDeepEqualTo(MATRIX);
    }

    @ParameterizedTest
    @CsvSource({
        "i1, -128, 127",
        "u1, 0, 255",
        "i2, -32768, 32767",
        "u2, 0, 65535",
        "i4, -2147483648, 2147483647",
        "u4, 0, 4294967295",
        "i8, -9223372036854775808, 9223372036854775807",
        "u8, 0, 18446744073709551615"
    })
    void integersBecomeTheNearestDoubles(String type, double least, double most) throws IOException {
        double[][] expected = {{least, 1}, {2, most}};
        assertThat(read(fixture(type)).toArray(double[][]::new)).isDeepEqualTo(expected);
        if (!type.endsWith("1")) {
            assertThat(read(fixture(type + "-big-endian")).toArray(double[][]::new))
                    .isDeepEqualTo(expected);
        }
    }

    @Test
    void largeUnsignedIntegersAreRoundedOnce() {
        String header = "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }";
        Laws.check(200, seed -> {
            long bits = seed.random().nextLong() | Long.MIN_VALUE;
            double expected = Double.parseDouble(Long.toUnsignedString(bits));
            assertThat(read(file(header, Double.longBitsToDouble(bits))).get(0)).containsExactly(expected);
        });
    }

    @Test
    void writesTheBytesOfNumPy() throws IOException {
        assertThat(Npy.bytes(List.of(MATRIX))).isEqualTo(fixture("f8"));
        assertThat(Npy.bytes(VECTOR)).isEqualTo(fixture("vector"));
        assertThat(read(fixture("vector")).get(0)).containsExactly(VECTOR);
    }

    @Test
    void whatIsWrittenReadsBackToTheBit() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(12);
            int columns = 1 + random.nextInt(random.nextInt(2) == 0 ? 5 : 2000);
            List<double[]> written = new ArrayList<>();
            for (int r = 0; r < rows; r++) {
                double[] row = new double[columns];
                Arrays.setAll(row, i -> Double.longBitsToDouble(random.nextLong()));
                written.add(row);
            }
            byte[] bytes = Npy.bytes(written);
            assertThat((bytes.length - 8 * rows * columns) % 64).isZero();
            List<double[]> again = read(bytes);
            assertThat(again).hasSize(rows);
            for (int r = 0; r < rows; r++) {
                assertThat(Laws.bits(again.get(r))).isEqualTo(Laws.bits(written.get(r)));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }     \n",
                "{'descr':'<f8','fortran_order':False,'shape':(2,)}",
                "{ 'shape' : ( 2 , ) , \"descr\" : \"<f8\" , 'fortran_order' : True }\n",
                "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2), }",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (1,2,), }"
            })
    void spacingAndOrderOfTheHeaderAreFree(String header) {
        List<double[]> rows = read(file(header, 3, 4));
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0)).containsExactly(3, 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "bool; must hold f4, f8 or integers, got dtype '|b1'",
                "f2; got dtype '<f2'",
                "complex; got dtype '<c16'",
                "text; got dtype '<U1'",
                "record; got dtype [('x', '<f8'), ('y', '<i4')]",
                "object; got dtype '|O'",
                "scalar; must be a vector or a matrix with at least one row and one column, got shape ()",
                "cube; got shape (2, 2, 2)",
                "no-rows; got shape (0, 3)",
                "no-columns; got shape (3, 0)"
            })
    void otherArraysAreRefused(String name, String message) throws IOException {
        refused(fixture(name), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{'descr': '<f8', 'fortran_order': False}",
                "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,), }",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }",
                "{'descr': '<f8', 'fortran_order': False, 'shape': 2, }",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}",
                "{'descr': '<f8', 'descr': '<f8', 'shape': (2,)}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), } and more",
                "__import__('os').system('true')",
                "\n\u0000\u00ff"
            })
    void headersThatAreNoneAreRefused(String header) {
        refused(file(header, 3, 4), "the .npy header must give descr, fortran_order and shape, got");
    }

    @Test
    void hostileFilesCostNeitherMemoryNorTimeNorStack() throws IOException {
        String start = "{'descr': '<f8', 'fortran_order': %s, 'shape': %s, }";
        refused(file(start.formatted("False", "(268435454, 268435454)"), 1), "is cut off");
        refused(file(start.formatted("True", "(268435454, 268435454)"), 1), "is cut off");
        refused(file(start.formatted("False", "(1, 999999999999)"), 1), "must have at most 268435454 rows and columns");
        refused(file(start.formatted("False", "(" + "1,".repeat(4900) + ")")), "the .npy header must give");
        refused(file("{'descr'" + " ".repeat(9000)), "the .npy header must give");
        refused(file(" ".repeat(20000)), "must have at most 10000 bytes, got 20000");
        byte[] huge = fixture("version-2");
        Arrays.fill(huge, 8, 12, (byte) 0xff);
        refused(huge, "must have at most 10000 bytes, got 4294967295");
        byte[] later = fixture("f8");
        later[6] = 4;
        refused(later, "must be of .npy version 1.0, 2.0 or 3.0, got 4.0");
    }

    @Test
    void everyFileThatIsCutOffOrGoesOnIsRefused() throws IOException {
        for (String name : List.of("f8", "f8-fortran", "version-2", "vector", "i1")) {
            byte[] whole = fixture(name);
            for (int length = 0; length < whole.length; length++) {
                refused(Arrays.copyOf(whole, length), "is cut off");
            }
            refused(Arrays.copyOf(whole, whole.length + 1), "must end after its array");
        }
    }
}
