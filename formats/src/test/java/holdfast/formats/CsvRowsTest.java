package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.siegmar.fastcsv.reader.CsvReader;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FastCSV by itself says what the rows are. */
class CsvRowsTest {
    private static final String[] PIECES = {
        "1", "-2.5", "1e3", "0.30000000000000004", "", "x", "é", " 4 ", "NA", "\"q\"", "\"a,b\"", "1.5.2", "0x1"
    };
    private static final String[] RARE = {"\"a\"\"b\"", "\"a\nb\"", "\"a\r\nb\"", "a\"b", "\"a\" ", "\r", "\"open"};

    private static List<String> rows(InputStream in, int chunk) throws IOException {
        List<String> out = new ArrayList<>();
        try (CsvRows rows = new CsvRows(new BufferedInputStream(in), ',', chunk)) {
            while (rows.hasNext()) {
                CsvRows.Row row = rows.next();
                StringBuilder text = new StringBuilder(row.line() + ":");
                for (int c = 0; c < row.cells(); c++) {
                    text.append('[')
                            .append(row.cell(c))
                            .append('=')
                            .append(row.number(c))
                            .append(']');
                }
                out.add(text.toString());
            }
        } catch (RuntimeException e) {
            out.add(e + " " + e.getCause());
        }
        return out;
    }

    private static List<String> expected(byte[] text) {
        List<String> out = new ArrayList<>();
        try {
            for (var record : CsvReader.builder()
                    .allowUnclosedQuote(false)
                    .extraFieldStrategy(de.siegmar.fastcsv.reader.FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(de.siegmar.fastcsv.reader.FieldMismatchStrategy.IGNORE)
                    .detectBomHeader(true)
                    .ofCsvRecord(new ByteArrayInputStream(text), StandardCharsets.UTF_8)) {
                StringBuilder row = new StringBuilder(record.getStartingLineNumber() + ":");
                for (String cell : record.getFields()) {
                    row.append('[')
                            .append(cell)
                            .append('=')
                            .append(Csv.number(cell))
                            .append(']');
                }
                out.add(row.toString());
            }
        } catch (RuntimeException e) {
            out.add(e + " " + e.getCause());
        }
        return out;
    }

    @Test
    void areThoseOfFastCsvWhereverTheTableIsCut() {
        Laws.check(3000, seed -> {
            Randomness random = seed.random();
            StringBuilder table = new StringBuilder(random.nextInt(20) == 0 ? "\uFEFF" : "");
            String end = random.nextInt(2) == 0 ? "\n" : "\r\n";
            int oddities = random.nextInt(3) == 0 ? 30 : 1 << 20;
            int lines = random.nextInt(30);
            for (int line = 0; line < lines; line++) {
                int cells = random.nextInt(5);
                for (int c = 0; c < cells; c++) {
                    table.append(c == 0 ? "" : ",");
                    table.append(
                            random.nextInt(oddities) == 0
                                    ? RARE[random.nextInt(RARE.length)]
                                    : PIECES[random.nextInt(PIECES.length)]);
                }
                table.append(line < lines - 1 || random.nextInt(2) == 0 ? end : "");
            }
            byte[] bytes = table.toString().getBytes(StandardCharsets.UTF_8);
            try {
                assertThat(rows(new ByteArrayInputStream(bytes), 1 + random.nextInt(120)))
                        .as(table.toString())
                        .isEqualTo(expected(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void rowsBeforeABreakAreReadFirst() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new EOFException("cut off");
            }
        };
        byte[] start = "a,b\n1,2\n3,4\n".repeat(100).getBytes(StandardCharsets.US_ASCII);
        int[] read = new int[1];
        assertThatThrownBy(() -> {
                    InputStream in = new SequenceInputStream(new ByteArrayInputStream(start), broken);
                    try (CsvRows rows = new CsvRows(new BufferedInputStream(in), ',', 50)) {
                        while (rows.hasNext()) {
                            rows.next();
                            read[0]++;
                        }
                    }
                })
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cut off");
        assertThat(read[0]).isGreaterThan(280);
    }
}
