package holdfast.formats;

import holdfast.plan.DecimalMark;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Follows a number with a point where numbers have commas, so that nothing takes it for a number. */
    private static final String POINT = " (decimal point)";

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

    /** Returns rows with decimal points, in which a missing cell is empty. */
    Iterator<CsvRows.Row> read(Iterator<CsvRows.Row> rows) {
        if (missing.isEmpty() && decimal == DecimalMark.POINT) {
            return rows;
        }
        Missing absent = Missing.of(missing);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public CsvRows.Row next() {
                return new Translated(rows.next(), decimal == DecimalMark.COMMA, absent);
            }
        };
    }

    /** Returns a row with decimal points, in which a missing cell is empty. */
    CsvRows.Row read(CsvRows.Row row) {
        return read(List.of(row).iterator()).next();
    }

    /**
     * Cells that are missing.
     *
     * @param words in lower case
     */
    private record Missing(Set<String> words, double[] numbers) {
        static Missing of(List<String> texts) {
            return new Missing(
                    texts.stream().map(text -> text.toLowerCase(Locale.ROOT)).collect(Collectors.toSet()),
                    texts.stream()
                            .mapToDouble(Csv::number)
                            .filter(number -> !Double.isNaN(number))
                            .toArray());
        }

        boolean has(double number) {
            return Arrays.stream(numbers).anyMatch(known -> known == number);
        }

        boolean has(String text) {
            return words.contains(text.strip().toLowerCase(Locale.ROOT)) || numbers.length > 0 && has(Csv.number(text));
        }
    }

    private record Translated(CsvRows.Row row, boolean commas, Missing missing) implements CsvRows.Row {
        @Override
        public int cells() {
            return row.cells();
        }

        @Override
        public String cell(int c) {
            String text = commas ? withPoint(row.cell(c)) : row.cell(c);
            return missing.has(text) ? "" : text;
        }

        @Override
        public double number(int c) {
            double number = commas ? Csv.number(withPoint(row.cell(c))) : row.number(c);
            return missing.has(number) ? Double.NaN : number;
        }

        @Override
        public long line() {
            return row.line();
        }

        /** Returns a number with a comma as one with a point, and other text as it is. */
        private static String withPoint(String text) {
            int comma = text.indexOf(',');
            int point = text.indexOf('.');
            if (comma < 0) {
                return point >= 0 && !Double.isNaN(Csv.number(text)) ? text.strip() + POINT : text;
            }
            String pointed = text.replace(',', '.');
            return point >= 0 || Double.isNaN(Csv.number(pointed)) ? text : pointed;
        }
    }
}
