package holdfast.formats;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.training.PlanKey;
import holdfast.training.TrainingPlan;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads tables of numbers: comma, semicolon or tab (whichever the first line has most of), quoted fields, plain or gzip,
 * UTF-8. The first line is a header unless one of its cells is a number; without a header columns are called 1, 2, ...
 * The file streams by; only its numbers are kept.
 */
public final class Csv {
    private static final int SNIFFED = 1 << 16;

    private Csv() {}

    /** Reads training data with the columns that the plan names. */
    public static Dataset read(String file, TrainingPlan plan) {
        return scan(new DataFile(file), plan.get(PlanKey.HEADER), (columns, rows) -> {
            String label = plan.get(PlanKey.LABEL);
            int labelColumn = label.isEmpty() ? columns.names.size() - 1 : columns.find(label, "label");
            String source = plan.get(PlanKey.WORKERS_BY);
            int sourceColumn = source.isEmpty() ? -1 : columns.find(source, "workers-by");
            String weight = plan.get(PlanKey.WEIGHTS_BY);
            int weightColumn = weight.isEmpty() ? -1 : columns.find(weight, "weights-by");
            Check.that(
                    sourceColumn != labelColumn,
                    "%s: label and workers-by must be different columns, both are '%s'",
                    file,
                    columns.names.get(labelColumn));
            Check.that(
                    weightColumn < 0 || weightColumn != labelColumn && weightColumn != sourceColumn,
                    "%s: weights-by must be another column than label and workers-by, got '%s'",
                    file,
                    weight);
            List<Integer> features = new ArrayList<>();
            for (int c = 0; c < columns.names.size(); c++) {
                if (c != labelColumn && c != sourceColumn && c != weightColumn) {
                    features.add(c);
                }
            }
            Check.that(
                    !features.isEmpty(),
                    "%s: there must be a feature column beside the label; are its columns separated by comma, semicolon or tab?",
                    file);
            Labels labels = new Labels(file, columns.names.get(labelColumn), plan.get(PlanKey.MODEL));
            Map<String, Integer> sources = new LinkedHashMap<>();
            Dataset.Builder builder = new Dataset.Builder(features.size());
            double[] row = new double[features.size()];
            while (rows.hasNext()) {
                CsvRecord record = rows.next();
                columns.numbers(record, features, row);
                int group = 0;
                if (sourceColumn >= 0) {
                    String name = record.getField(sourceColumn).strip();
                    Check.that(
                            !name.isEmpty(),
                            "%s must name a source, got an empty cell",
                            columns.at(record, sourceColumn));
                    group = sources.computeIfAbsent(name, n -> sources.size());
                }
                labels.add(record.getField(labelColumn), columns.at(record, labelColumn));
                builder.add(row, 0, group, weightColumn < 0 ? 1 : columns.weight(record, weightColumn));
            }
            Check.that(builder.rows() > 0, "%s: no data rows", file);
            Dataset.Schema schema = new Dataset.Schema(
                    features.stream().map(columns.names::get).toList(),
                    columns.names.get(labelColumn),
                    labels.finish(),
                    List.copyOf(sources.keySet()));
            return digest -> labels.of(builder.build(schema, new DataSource(file, digest)));
        });
    }

    /**
     * Reads more data of a known schema: its feature columns by name, in any order and among others; by position where
     * there is no header and exactly as many columns. Sources are not read.
     *
     * @param labelled whether the label column must be there; if not, labels are 0
     */
    public static Dataset read(String file, Dataset.Schema schema, boolean labelled) {
        return scan(new DataFile(file), "auto", (columns, rows) -> {
            List<Integer> features = new ArrayList<>();
            boolean byPosition = columns.numbered
                    && columns.names.size() == schema.features().size()
                    && !columns.names.equals(schema.features());
            for (int i = 0; i < schema.features().size(); i++) {
                features.add(byPosition ? i : columns.find(schema.features().get(i), "the model's feature"));
            }
            int labelColumn = labelled ? columns.find(schema.label(), "label") : -1;
            Labels labels = new Labels(file, schema);
            Dataset.Builder builder = new Dataset.Builder(features.size());
            double[] row = new double[features.size()];
            while (rows.hasNext()) {
                CsvRecord record = rows.next();
                columns.numbers(record, features, row);
                builder.add(row, 0);
                if (labelled) {
                    labels.add(record.getField(labelColumn), columns.at(record, labelColumn));
                }
            }
            Check.that(builder.rows() > 0, "%s: no data rows", file);
            return digest -> {
                Dataset data = builder.build(schema.withoutGroups(), new DataSource(file, digest));
                return labelled ? labels.of(data) : data;
            };
        });
    }

    /** Consumes the rows, and makes the data set once the file's digest is known. */
    private interface Scan {
        Function<String, Dataset> read(Columns columns, Iterator<CsvRecord> rows);
    }

    private static Dataset scan(DataFile file, String header, Scan scan) {
        try (DigestInputStream stored = new DigestInputStream(file.openStored(), sha256());
                InputStream text = DataFile.unzipped(stored)) {
            BufferedInputStream in = new BufferedInputStream(text, SNIFFED);
            char separator = sniff(in);
            Iterator<CsvRecord> records = CsvReader.builder()
                    .fieldSeparator(separator)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .allowUnclosedQuote(false)
                    .detectBomHeader(true)
                    .ofCsvRecord(in, StandardCharsets.UTF_8)
                    .iterator();
            Check.that(records.hasNext(), "%s: is empty; a table is needed", file.name());
            CsvRecord first = records.next();
            boolean named = switch (header) {
                case "yes" -> true;
                case "no" -> false;
                default -> first.getFields().stream().noneMatch(cell -> !Double.isNaN(number(cell)));
            };
            Columns columns = Columns.of(file.name(), first, named);
            var made = scan.read(columns, named ? records : columns.replay(first, records));
            stored.transferTo(OutputStream.nullOutputStream());
            return made.apply(HexFormat.of().formatHex(stored.getMessageDigest().digest()));
        } catch (CsvParseException e) {
            throw new InputException(file.name() + ": is not well-formed CSV: " + rootMessage(e));
        } catch (UncheckedIOException e) {
            throw new InputException(file.name() + ": cannot be read: " + AtomicFile.reason(e.getCause()));
        } catch (IOException e) {
            throw new InputException(file.name() + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static String rootMessage(Throwable e) {
        String own = String.valueOf(e.getMessage());
        return e.getCause() == null || e.getCause().getMessage() == null
                ? own
                : own + ": " + e.getCause().getMessage();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static char sniff(BufferedInputStream in) throws IOException {
        in.mark(SNIFFED);
        int[] counts = new int[128];
        boolean quoted = false;
        for (int i = 0; i < SNIFFED; i++) {
            int c = in.read();
            if (c < 0 || (c == '\n' && !quoted)) {
                break;
            }
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c < 128) {
                counts[c]++;
            }
        }
        in.reset();
        char best = ',';
        for (char c : new char[] {';', '\t'}) {
            best = counts[c] > counts[best] ? c : best;
        }
        return best;
    }

    /** The number a cell holds, NaN if it holds none: no NaN, no infinities, no suffixes or hexadecimals of Java's. */
    static double number(String cell) {
        String text = cell.strip();
        if (text.isEmpty()
                || Character.isLetter(text.charAt(text.length() - 1))
                || text.indexOf('x') >= 0
                || text.indexOf('X') >= 0) {
            return Double.NaN;
        }
        try {
            double value = Double.parseDouble(text);
            return Double.isInfinite(value) ? Double.NaN : value;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** The columns of one file. */
    private record Columns(String file, List<String> names, boolean numbered) {

        static Columns of(String file, CsvRecord first, boolean named) {
            List<String> names = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (int c = 0; c < first.getFieldCount(); c++) {
                String name = named ? first.getField(c).strip() : "";
                name = name.isEmpty() ? Integer.toString(c + 1) : name;
                Check.that(seen.add(name), "%s: line 1: two columns are called '%s'", file, name);
                names.add(name);
            }
            return new Columns(file, List.copyOf(names), !named);
        }

        /** By name, else by number from 1. */
        int find(String wanted, String role) {
            int byName = names.indexOf(wanted);
            if (byName >= 0) {
                return byName;
            }
            boolean number = wanted.matches("[1-9][0-9]{0,8}");
            Check.that(
                    number && Integer.parseInt(wanted) <= names.size(),
                    "%s: %s '%s' is not a column; there are %s%s",
                    file,
                    role,
                    wanted,
                    String.join(", ", names.subList(0, Math.min(60, names.size()))),
                    names.size() > 60 ? ", ..." : "");
            return Integer.parseInt(wanted) - 1;
        }

        void numbers(CsvRecord record, List<Integer> wanted, double[] into) {
            Check.that(
                    record.getFieldCount() == names.size(),
                    "%s: line %d: must have %d cells like the first line, got %d",
                    file,
                    record.getStartingLineNumber(),
                    names.size(),
                    record.getFieldCount());
            for (int i = 0; i < into.length; i++) {
                int c = wanted.get(i);
                into[i] = number(record.getField(c));
                if (Double.isNaN(into[i])) {
                    throw new InputException(
                            at(record, c) + " must be a finite number, got '" + record.getField(c) + "'");
                }
            }
        }

        double weight(CsvRecord record, int column) {
            double weight = number(record.getField(column));
            Check.that(
                    weight > 0,
                    "%s must be a weight, a number > 0, got '%s'",
                    at(record, column),
                    record.getField(column));
            return weight;
        }

        String at(CsvRecord record, int column) {
            return file + ": line " + record.getStartingLineNumber() + ", column " + (column + 1) + " ("
                    + names.get(column) + ")";
        }

        Iterator<CsvRecord> replay(CsvRecord first, Iterator<CsvRecord> rest) {
            return new Iterator<>() {
                private boolean replayed;

                @Override
                public boolean hasNext() {
                    return !replayed || rest.hasNext();
                }

                @Override
                public CsvRecord next() {
                    if (replayed) {
                        return rest.next();
                    }
                    replayed = true;
                    return first;
                }
            };
        }
    }
}
