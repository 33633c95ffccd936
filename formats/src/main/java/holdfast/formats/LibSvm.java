package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Reads sparse rows in the format of LIBSVM and SVMlight (Chang, Lin 2011): one row per line,
 * {@code label index:value index:value ...}, with ascending indices from 1. Blank lines and anything after a {@code #}
 * are skipped. Features are called 1, 2, ... up to the largest index.
 */
public final class LibSvm implements Reader {
    private static final String NUMBER = "[+-]?(\\d++\\.?\\d*+|\\.\\d++)([eE][+-]?\\d++)?";
    private static final Pattern BEGINNING =
            Pattern.compile("\\s*(" + NUMBER + "\\s+)?\\d+:" + NUMBER + "(\\s.*)?", Pattern.DOTALL);
    private static final String BOM = "\uFEFF";

    /** The maximum number of features, so that a wrong index cannot exhaust the memory. */
    public static final int MAX_FEATURES = 1 << 24;

    LibSvm() {}

    @Override
    public String name() {
        return "libsvm";
    }

    /**
     * A row.
     *
     * @param label as written; null if there is none
     * @param at the columns of its values from 0, ascending
     */
    public record Row(String label, int[] at, double[] x) {
        /**
         * Parses a line.
         *
         * @param where describes where the line is
         * @return null if there is nothing in the line
         */
        public static Row of(String text, Supplier<String> where) {
            String row =
                    content(text.startsWith(BOM) ? text.substring(1) : text).strip();
            if (row.isEmpty()) {
                return null;
            }
            String[] tokens = row.split("\\s+");
            int first = tokens[0].indexOf(':') < 0 ? 1 : 0;
            int[] at = new int[tokens.length - first];
            double[] x = new double[at.length];
            for (int k = 0; k < at.length; k++) {
                String token = tokens[first + k];
                at[k] = index(token, k == 0 ? 0 : at[k - 1] + 1, where) - 1;
                x[k] = Csv.number(token.substring(token.indexOf(':') + 1));
            }
            return new Row(first == 0 ? null : tokens[0], at, x);
        }

        /** Returns how many of its values are in the first {@code columns} columns. */
        public int within(int columns) {
            int end = at.length;
            while (end > 0 && at[end - 1] >= columns) {
                end--;
            }
            return end;
        }

        public String requireHaveLabel(Supplier<String> where) {
            if (label == null) {
                throw new InputException(
                        where.get() + ": must begin with a label, got '" + (at[0] + 1) + ":" + Spec.print(x[0]) + "'");
            }
            return label;
        }

        private static int index(String token, int last, Supplier<String> where) {
            int colon = token.indexOf(':');
            double value = Csv.number(token.substring(colon + 1));
            long index = colon > 0 && colon < 11 && token.substring(0, colon).matches("\\d+")
                    ? Long.parseLong(token.substring(0, colon))
                    : 0;
            if (token.startsWith("0:")) {
                throw new InputException(where.get() + ": LIBSVM counts columns from 1, got '" + token + "'");
            }
            if (index < 1 || index > MAX_FEATURES || Double.isNaN(value)) {
                throw new InputException(where.get() + ": must be index:value, a whole number from 1 to " + MAX_FEATURES
                        + " and a finite number, got '" + token + "'");
            }
            if (index <= last) {
                throw new InputException(where.get() + ": indices must ascend, got '" + token + "' after " + last);
            }
            return (int) index;
        }
    }

    /** Returns whether the first line that is not blank is a row. */
    @Override
    public boolean recognises(BufferedInputStream in) throws IOException {
        in.mark(DataFile.SNIFFED);
        String text = new String(in.readNBytes(DataFile.SNIFFED), StandardCharsets.UTF_8);
        in.reset();
        return text.lines()
                .map(l -> content(l.startsWith(BOM) ? l.substring(1) : l))
                .filter(l -> !l.isBlank())
                .findFirst()
                .filter(l -> BEGINNING.matcher(l).matches())
                .isPresent();
    }

    /** Returns whether a line contains a row. */
    public static boolean isRow(String line) {
        return !content(line).isBlank();
    }

    private static String content(String line) {
        int comment = line.indexOf('#');
        return comment < 0 ? line : line.substring(0, comment);
    }

    @Override
    public Table read(Input in, Plan plan, IntFunction<DatasetBuilder> builders) throws IOException {
        String file = in.name();
        requireNameNoColumn(file, plan);
        Labels labels = new Labels(file, "label", plan);
        List<Row> rows = new ArrayList<>();
        Lines lines = new Lines(in);
        int features = 0;
        for (Row row = lines.next(); row != null; row = lines.next()) {
            labels.add(row.requireHaveLabel(lines::where), lines::where);
            rows.add(row);
            features = row.at.length == 0 ? features : Math.max(features, row.at[row.at.length - 1] + 1);
        }
        Check.that(!rows.isEmpty(), "%s: no data rows", file);
        Check.that(features > 0, "%s: there must be an index:value in some row", file);
        DatasetBuilder builder = DatasetBuilder.sparse(features);
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.set(r, null);
            builder.add(row.at, row.x, row.at.length, 0, 0, 1);
        }
        Schema schema = new Schema(names(features), "label", labels.finish(), List.of());
        return Table.of(
                labels.of(builder.build(schema, new DataSource(file, in.digest().get()))));
    }

    /** Rejects a plan that names columns, because these data have no column names, or that is about cells of tables. */
    public static void requireNameNoColumn(String file, Plan plan) {
        for (PlanKey<?> key : List.of(PlanKey.DROP, PlanKey.ONLY, PlanKey.DECIMAL, PlanKey.MISSING_VALUES)) {
            Check.that(
                    plan.get(key).equals(key.defaultValue()),
                    "%s: %s is for tables, not for libsvm data; got '%s'",
                    file,
                    key.flag(),
                    plan.settings().get(key.name()));
        }
        for (PlanKey<Optional<String>> key : List.of(PlanKey.LABEL, PlanKey.WORKERS_BY, PlanKey.WEIGHTS_BY)) {
            Check.that(
                    plan.get(key).isEmpty(),
                    "%s: %s names a column, and libsvm data have none; got '%s'",
                    file,
                    key.flag(),
                    plan.get(key).orElse(""));
        }
    }

    /** Returns the names of this many features. */
    public static List<String> names(int features) {
        return IntStream.rangeClosed(1, features).mapToObj(Integer::toString).toList();
    }

    /** Skips indices above those of the model: features that training never saw have no weight. */
    @Override
    public Dataset read(Input in, Schema schema, Encoding encoding, Labels labels, Optional<String> source)
            throws IOException {
        String file = in.name();
        int features = schema.features().size();
        Check.that(
                encoding.equals(Encoding.NONE) && schema.features().equals(names(features)),
                "%s: libsvm data number their features, but the model's have names (%s, ...)",
                file,
                schema.features().get(0));
        DatasetBuilder builder = DatasetBuilder.sparse(features);
        Lines lines = new Lines(in);
        for (Row row = lines.next(); row != null; row = lines.next()) {
            if (labels != null) {
                labels.add(row.requireHaveLabel(lines::where), lines::where);
            }
            builder.add(row.at, row.x, row.within(features), 0, 0, 1);
        }
        Check.that(builder.rows() > 0, "%s: no data rows", file);
        Dataset data = builder.build(
                schema.withoutGroups(), new DataSource(file, in.digest().get()));
        return labels != null ? labels.of(data) : data;
    }

    /** The rows of a file, one after the other. */
    private static final class Lines {
        private final String file;
        private final BufferedReader reader;
        private int line;

        Lines(Input in) {
            this.file = in.name();
            this.reader = new BufferedReader(new InputStreamReader(in.stream(), StandardCharsets.UTF_8));
        }

        /** Returns the next row; null at the end. */
        Row next() throws IOException {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                line++;
                Row row = Row.of(text, this::where);
                if (row != null) {
                    return row;
                }
            }
            return null;
        }

        String where() {
            return file + ": line " + line;
        }
    }
}
