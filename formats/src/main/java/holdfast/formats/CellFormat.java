package holdfast.formats;

import holdfast.plan.DecimalMark;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How the cells of a table are written. Later tables for a model are written as the training table was, so the plan in
 * the model file says it.
 *
 * @param encoding how letters are stored
 * @param missing cells that are missing, besides those that {@link Csv#isMissing}; numbers however they are written
 */
public record CellFormat(Charset encoding, DecimalMark decimal, List<String> missing) {
    /** UTF-8, decimal points, and no other missing cells. */
    public static final CellFormat DEFAULT = new CellFormat(StandardCharsets.UTF_8, DecimalMark.POINT, List.of());

    public CellFormat {
        missing = List.copyOf(missing);
    }

    /** Returns what a plan says. */
    public static CellFormat of(Plan plan) {
        return new CellFormat(plan.get(PlanKey.ENCODING), plan.get(PlanKey.DECIMAL), plan.get(PlanKey.MISSING_VALUES));
    }

    /** Returns what the settings of a plan say, by name; of one that is not there, the default. */
    static CellFormat of(Map<String, String> settings) {
        return new CellFormat(
                setting(PlanKey.ENCODING, settings),
                setting(PlanKey.DECIMAL, settings),
                setting(PlanKey.MISSING_VALUES, settings));
    }

    private static <T> T setting(PlanKey<T> key, Map<String, String> settings) {
        return settings.containsKey(key.name()) ? key.parse(settings.get(key.name())) : key.defaultValue();
    }

    /** Returns the same format in which no other cell is missing. */
    CellFormat withoutMissing() {
        return new CellFormat(encoding, decimal, List.of());
    }

    /** Returns what reads cells of this format. */
    public CellReader reader() {
        return CellReader.of(decimal, missing);
    }

    /**
     * Returns whether the encoding stores the letters of ASCII as ASCII does, so that lines and separators can be found in
     * stored bytes.
     */
    public static boolean extendsAscii(Charset encoding) {
        String ascii = "\t\r\n"
                + IntStream.rangeClosed(' ', '~').mapToObj(Character::toString).collect(Collectors.joining());
        return ascii.equals(new String(ascii.getBytes(StandardCharsets.US_ASCII), encoding));
    }

    /** Returns rows with decimal points, in which a missing cell is empty. */
    Iterator<CsvRows.Row> read(Iterator<CsvRows.Row> rows) {
        CellReader reader = reader();
        if (reader.isPlain()) {
            return rows;
        }
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public CsvRows.Row next() {
                return new Translated(rows.next(), reader);
            }
        };
    }

    /** Returns a row with decimal points, in which a missing cell is empty. */
    CsvRows.Row read(CsvRows.Row row) {
        return read(List.of(row).iterator()).next();
    }

    private record Translated(CsvRows.Row row, CellReader reader) implements CsvRows.Row {
        @Override
        public int cells() {
            return row.cells();
        }

        @Override
        public String cell(int c) {
            return reader.read(row.cell(c));
        }

        @Override
        public String written(int c) {
            return row.written(c);
        }

        @Override
        public double number(int c) {
            double number = reader.commas() ? Csv.number(cell(c)) : row.number(c);
            return reader.isMissing(number) ? Double.NaN : number;
        }

        @Override
        public long line() {
            return row.line();
        }
    }
}
