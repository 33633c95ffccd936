package holdfast.formats;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Block;
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
import java.util.Arrays;
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
            Check.that(
                    sourceColumn != labelColumn,
                    "%s: label and workers-by must be different columns, both are '%s'",
                    file,
                    columns.names.get(labelColumn));
            List<Integer> features = new ArrayList<>();
            for (int c = 0; c < columns.names.size(); c++) {
                if (c != labelColumn && c != sourceColumn) {
                    features.add(c);
                }
            }
            Check.that(
                    !features.isEmpty(),
                    "%s: there must be a feature column beside the label; are its columns separated by comma, semicolon or tab?",
                    file);
            Labels labels = new Labels(file, columns.names.get(labelColumn));
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
                builder.add(row, labels.learn(record.getField(labelColumn), columns.at(record, labelColumn)), group, 1);
            }
            Check.that(builder.rows() > 0, "%s: no data rows", file);
            boolean swapped = labels.sort();
            Dataset.Schema schema = new Dataset.Schema(
                    features.stream().map(columns.names::get).toList(),
                    columns.names.get(labelColumn),
                    labels.names,
                    List.copyOf(sources.keySet()));
            return digest -> {
                Dataset data = builder.build(schema, new DataSource(file, digest));
                return swapped ? data.map(Labels::swap) : data;
            };
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
            Labels labels = new Labels(file, schema.label(), schema.classes());
            Dataset.Builder builder = new Dataset.Builder(features.size());
            double[] row = new double[features.size()];
            while (rows.hasNext()) {
                CsvRecord record = rows.next();
                columns.numbers(record, features, row);
                double label =
                        labelled ? labels.known(record.getField(labelColumn), columns.at(record, labelColumn)) : 0;
                builder.add(row, label);
            }
            Check.that(builder.rows() > 0, "%s: no data rows", file);
            Dataset.Schema own = new Dataset.Schema(schema.features(), schema.label(), schema.classes(), List.of());
            return digest -> builder.build(own, new DataSource(file, digest));
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
    private static double number(String cell) {
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

    /** The two values of a label column: 0 and 1 by number if both are numbers, else by alphabet. */
    private static final class Labels {
        private final String file;
        private final String column;
        private List<String> names;

        Labels(String file, String column) {
            this(file, column, List.of());
        }

        Labels(String file, String column, List<String> names) {
            this.file = file;
            this.column = column;
            this.names = names;
        }

        int learn(String cell, String at) {
            String text = cell.strip();
            int index = indexOf(text);
            if (index < 0) {
                Check.that(!text.isEmpty(), "%s must be a label, got an empty cell", at);
                Check.that(
                        names.size() < 2,
                        "%s: a label must have two values, got a third: '%s' beside %s",
                        at,
                        text,
                        String.join(" and ", names));
                names = new ArrayList<>(names);
                names.add(text);
                index = names.size() - 1;
            }
            return index;
        }

        int known(String cell, String at) {
            int index = indexOf(cell.strip());
            Check.that(index >= 0, "%s must be %s, got '%s'", at, String.join(" or ", names), cell.strip());
            return index;
        }

        private int indexOf(String text) {
            int same = names.indexOf(text);
            double value = number(text);
            for (int i = 0; same < 0 && i < names.size(); i++) {
                same = value == number(names.get(i)) ? i : -1;
            }
            return same;
        }

        /** Whether the order of first appearance had to be turned round. */
        boolean sort() {
            Check.that(
                    names.size() == 2,
                    "%s: there must be rows of both classes, but every %s is %s",
                    file,
                    column,
                    names.get(0));
            double a = number(names.get(0));
            double b = number(names.get(1));
            boolean numeric = !Double.isNaN(a) && !Double.isNaN(b);
            boolean swapped = numeric ? a > b : names.get(0).compareTo(names.get(1)) > 0;
            if (swapped) {
                names = List.of(names.get(1), names.get(0));
            }
            return swapped;
        }

        static Block swap(Block block) {
            return block.relabelled(
                    Arrays.stream(block.labels()).map(y -> 1 - y).toArray());
        }
    }
}
