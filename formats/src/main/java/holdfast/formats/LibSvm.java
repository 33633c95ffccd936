package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Encoding;
import holdfast.training.PlanKey;
import holdfast.training.TrainingPlan;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Reads sparse rows as LIBSVM and SVMlight write them (Chang, Lin 2011): one row per line, {@code label index:value
 * index:value ...}, indices from 1 and ascending; what follows a {@code #} and blank lines are skipped. Features are called
 * 1, 2, ... up to the largest index.
 */
final class LibSvm {
    private static final String NUMBER = "[+-]?(\\d++\\.?\\d*+|\\.\\d++)([eE][+-]?\\d++)?";
    private static final Pattern BEGINNING =
            Pattern.compile("\\s*(" + NUMBER + "\\s+)?\\d+:" + NUMBER + "(\\s.*)?", Pattern.DOTALL);
    private static final String BOM = "\uFEFF";

    /** A wrong index must not exhaust the memory. */
    private static final int MOST_FEATURES = 1 << 24;

    private final String file;
    private final int known;
    private int line;
    private int[] at = new int[16];
    private double[] x = new double[16];
    private int count;

    /** @param known indices above this are skipped */
    private LibSvm(String file, int known) {
        this.file = file;
        this.known = known;
    }

    /** Whether the first line with something in it is a row; the stream stays where it is. */
    static boolean begins(BufferedInputStream in) throws IOException {
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

    private static String content(String line) {
        int comment = line.indexOf('#');
        return comment < 0 ? line : line.substring(0, comment);
    }

    /** Reads training data. */
    static Function<String, Dataset> read(String file, BufferedInputStream in, TrainingPlan plan) throws IOException {
        for (PlanKey<String> key : List.of(PlanKey.LABEL, PlanKey.WORKERS_BY, PlanKey.WEIGHTS_BY)) {
            Check.that(
                    plan.get(key).isEmpty(),
                    "%s: %s names a column, and libsvm data have none; got '%s'",
                    file,
                    key.name(),
                    plan.get(key));
        }
        record Row(int[] at, double[] x) {}
        Labels labels = new Labels(file, "label", plan.get(PlanKey.MODEL));
        List<Row> rows = new ArrayList<>();
        LibSvm lines = new LibSvm(file, MOST_FEATURES);
        int features = 0;
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        while (lines.next(reader, labels)) {
            rows.add(new Row(Arrays.copyOf(lines.at, lines.count), Arrays.copyOf(lines.x, lines.count)));
            features = lines.count == 0 ? features : Math.max(features, lines.at[lines.count - 1] + 1);
        }
        Check.that(!rows.isEmpty(), "%s: no data rows", file);
        Check.that(features > 0, "%s: there must be an index:value in some row", file);
        Dataset.Builder builder = Dataset.Builder.sparse(features);
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.set(r, null);
            builder.add(row.at, row.x, row.at.length, 0, 0, 1);
        }
        Dataset.Schema schema = new Dataset.Schema(names(features), "label", labels.finish(), List.of());
        return digest -> labels.of(builder.build(schema, new DataSource(file, digest)));
    }

    private static List<String> names(int features) {
        return IntStream.rangeClosed(1, features).mapToObj(Integer::toString).toList();
    }

    /**
     * Reads more data for a model that was trained on such data. Indices above those of the model are skipped: what
     * training never met has no weight.
     *
     * @param labels takes those that rows must begin with; null if they need not, and one is skipped
     */
    static Function<String, Dataset> read(String file, BufferedInputStream in, Dataset.Schema schema, Labels labels)
            throws IOException {
        int features = schema.features().size();
        Check.that(
                schema.encoding().equals(Encoding.NONE) && schema.features().equals(names(features)),
                "%s: libsvm data number their features, but the model's have names (%s, ...)",
                file,
                schema.features().get(0));
        Dataset.Builder builder = Dataset.Builder.sparse(features);
        LibSvm lines = new LibSvm(file, features);
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        while (lines.next(reader, labels)) {
            builder.add(lines.at, lines.x, lines.count, 0, 0, 1);
        }
        Check.that(builder.rows() > 0, "%s: no data rows", file);
        return digest -> {
            Dataset data = builder.build(schema.withoutGroups(), new DataSource(file, digest));
            return labels != null ? labels.of(data) : data;
        };
    }

    /** Reads the next row; false at the end. */
    private boolean next(BufferedReader reader, Labels labels) throws IOException {
        String text = reader.readLine();
        while (text != null) {
            line++;
            String row = content(line == 1 && text.startsWith(BOM) ? text.substring(1) : text)
                    .strip();
            if (!row.isEmpty()) {
                parse(row.split("\\s+"), labels);
                return true;
            }
            text = reader.readLine();
        }
        return false;
    }

    private void parse(String[] tokens, Labels labels) {
        boolean label = tokens[0].indexOf(':') < 0;
        Check.that(label || labels == null, "%s: line %d: must begin with a label, got '%s'", file, line, tokens[0]);
        if (labels != null) {
            labels.add(tokens[0], () -> file + ": line " + line);
        }
        count = 0;
        int last = 0;
        for (int t = label ? 1 : 0; t < tokens.length; t++) {
            last = add(tokens[t], last);
        }
    }

    private int add(String token, int last) {
        int colon = token.indexOf(':');
        double value = Csv.number(token.substring(colon + 1));
        long index = colon > 0 && colon < 11 && token.substring(0, colon).matches("\\d+")
                ? Long.parseLong(token.substring(0, colon))
                : 0;
        if (token.startsWith("0:")) {
            throw new InputException(file + ": line " + line + ": LIBSVM counts columns from 1, got '" + token + "'");
        }
        if (index < 1 || index > MOST_FEATURES || Double.isNaN(value)) {
            throw new InputException(file + ": line " + line + ": must be index:value, a whole number from 1 to "
                    + MOST_FEATURES + " and a finite number, got '" + token + "'");
        }
        if (index <= last) {
            throw new InputException(
                    file + ": line " + line + ": indices must ascend, got '" + token + "' after " + last);
        }
        if (index <= known) {
            if (count == at.length) {
                at = Arrays.copyOf(at, 2 * count);
                x = Arrays.copyOf(x, 2 * count);
            }
            at[count] = (int) index - 1;
            x[count++] = value;
        }
        return (int) index;
    }
}
