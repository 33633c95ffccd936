package holdfast.formats;

import de.siegmar.fastcsv.reader.CsvParseException;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DatePart;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.plan.Dates;
import holdfast.plan.Header;
import holdfast.plan.OneHot;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads tables: separated by comma, semicolon or tab (the one that is most frequent in the first line), with quoted
 * fields, plain or gzip, in UTF-8 unless the plan says otherwise. The first line is a header unless one of its cells is a number; without a header the
 * columns are called 1, 2, ... The file is streamed; only one number per cell is kept.
 */
public final class Csv implements Reader {
    private static final Set<String> MISSING = Set.of("", "na", "nan", "null", "?");
    private static final int MAX_LISTED = 60;

    Csv() {}

    @Override
    public String name() {
        return "csv";
    }

    /** Returns true: any text may be a table with one column. */
    @Override
    public boolean recognises(BufferedInputStream in) {
        return true;
    }

    @Override
    public Table read(Input in, Plan plan, IntFunction<DatasetBuilder> builders) throws IOException {
        return scan(in, plan.get(PlanKey.HEADER), (columns, all) -> {
            Roles roles = Roles.of(in.name(), columns.names(), plan);
            RowsWithout rows = new RowsWithout(all, Set.copyOf(plan.get(PlanKey.WITHOUT)), roles.source, columns);
            return table(in, columns, rows, roles, plan, builders).leftOut(rows.seen());
        });
    }

    /** Reads the rows that a filter chooses, as if there were no others. */
    static Table read(Input in, Plan plan, RowFilter filter) throws IOException {
        return scan(in, plan.get(PlanKey.HEADER), (columns, all) -> {
            Roles roles = Roles.of(in.name(), columns.names(), plan);
            return table(
                    in,
                    columns,
                    new ChosenRows(all, ChosenRows.named(columns, roles.source), filter),
                    roles,
                    plan,
                    DatasetBuilder::new);
        });
    }

    /**
     * The sources of a table.
     *
     * @param label the name of the label column
     * @param rows how many rows each source has
     */
    record Sources(String label, SortedMap<String, Integer> rows) {}

    /**
     * Finds the sources of a table.
     *
     * @throws InputException also if a source might decide whether the first line is a header, or a row names no source
     */
    static Sources sources(Input in, Plan plan) throws IOException {
        String by = plan.get(PlanKey.WORKERS_BY).orElseThrow();
        return scan(in, plan.get(PlanKey.HEADER), (columns, rows) -> {
            Check.that(
                    plan.get(PlanKey.HEADER) != Header.AUTO
                            || !columns.numbered() && columns.names().contains(by),
                    "%s: --vote needs a first line that names the columns, %s among them, or --header yes or no: a source must"
                            + " not decide what its first row is",
                    in.name(),
                    by);
            Roles roles = Roles.of(in.name(), columns.names(), plan);
            SortedMap<String, Integer> counts = new TreeMap<>();
            while (rows.hasNext()) {
                CsvRows.Row row = rows.next();
                columns.requireHaveAll(row);
                String name = row.cell(roles.source).strip();
                if (name.isEmpty()) {
                    throw new InputException(noSource(columns.at(row, roles.source)));
                }
                counts.merge(name, 1, Integer::sum);
            }
            Check.that(!counts.isEmpty(), "%s: no data rows", in.name());
            return new Sources(columns.names().get(roles.label), counts);
        });
    }

    private static Table table(
            Input in,
            CsvColumns columns,
            Iterator<CsvRows.Row> rows,
            Roles roles,
            Plan plan,
            IntFunction<DatasetBuilder> builders) {
        String file = in.name();
        int labelColumn = roles.label;
        int sourceColumn = roles.source;
        int weightColumn = roles.weight;
        List<Integer> features = roles.features;
        if (SourceFacts.suits(plan)) {
            return bySource(in, columns, rows, roles, plan, builders);
        }
        Labels labels = new Labels(file, columns.names().get(labelColumn), plan);
        int[] at = features.stream().mapToInt(Integer::intValue).toArray();
        LearntColumn[] learnt = roles.settings(columns.names(), plan).stream()
                .map(LearntColumn::new)
                .toArray(LearntColumn[]::new);
        Map<String, Integer> sources = new LinkedHashMap<>();
        DatasetBuilder cells = builders.apply(features.size());
        double[] row = new double[features.size()];
        CsvRows.Place place = columns::at;
        while (rows.hasNext()) {
            CsvRows.Row record = rows.next();
            columns.requireHaveAll(record);
            if (isWeightless(record, weightColumn)) {
                continue;
            }
            for (int i = 0; i < row.length; i++) {
                row[i] = learnt[i].add(record, at[i], place);
            }
            int group = 0;
            if (sourceColumn >= 0) {
                String name = record.cell(sourceColumn).strip();
                if (name.isEmpty()) {
                    throw new InputException(noSource(columns.at(record, sourceColumn)));
                }
                group = sources.computeIfAbsent(name, n -> sources.size());
            }
            labels.add(record.cell(labelColumn), () -> columns.at(record, labelColumn));
            cells.add(row, 0, group, weightColumn < 0 ? 1 : columns.weight(record, weightColumn));
        }
        Check.that(cells.rows() > 0, "%s: no data rows", file);
        List<String> classes = labels.finish();
        Arrays.stream(learnt).forEach(c -> c.decide(file));
        LeftOutColumns.warn(file, ReadColumn.decided(List.of(learnt)));
        Schema schema = new Schema(
                Arrays.stream(learnt).map(column -> column.decided().name()).toList(),
                columns.names().get(labelColumn),
                classes,
                List.copyOf(sources.keySet()));
        Dataset read = cells.build(schema, new DataSource(file, in.digest().get()));
        List<ReadColumn.Output> outputs =
                ReadColumn.outputs(List.of(learnt), plan.get(PlanKey.DATES).parts());
        boolean plain = outputs.size() == learnt.length && outputs.stream().allMatch(ReadColumn.Output::isPlain);
        return Table.of(
                outputs.stream().map(ReadColumn.Output::finish).toList(),
                labels.of(plain ? read : converted(read, outputs, builders)));
    }

    private static Dataset converted(
            Dataset read, List<ReadColumn.Output> outputs, IntFunction<DatasetBuilder> builders) {
        DatasetBuilder builder = builders.apply(outputs.size());
        double[] cells = new double[read.columns()];
        double[] made = new double[outputs.size()];
        for (int r = 0; r < read.rows(); r++) {
            read.copyRow(r, cells);
            for (int i = 0; i < made.length; i++) {
                made[i] = outputs.get(i).of(r, cells);
            }
            builder.add(made, 0, read.group(r), read.weight(r));
        }
        return builder.build(
                read.schema()
                        .withFeatures(
                                outputs.stream().map(ReadColumn.Output::name).toList()),
                read.source());
    }

    private static Table bySource(
            Input in,
            CsvColumns columns,
            Iterator<CsvRows.Row> rows,
            Roles roles,
            Plan plan,
            IntFunction<DatasetBuilder> builders) {
        SourceTable table = new SourceTable(
                in.name(),
                plan,
                roles.settings(columns.names(), plan),
                columns.names().get(roles.label),
                builders);
        SourceTable.Places places = new SourceTable.Places(
                roles.features.stream().mapToInt(Integer::intValue).toArray(), roles.label, roles.weight, columns::at);
        while (rows.hasNext()) {
            CsvRows.Row record = rows.next();
            columns.requireHaveAll(record);
            if (isWeightless(record, roles.weight)) {
                continue;
            }
            String name = record.cell(roles.source).strip();
            int source = table.source(name.isEmpty() ? SourceFacts.NO_SOURCE : name);
            if (name.isEmpty()) {
                table.charge(source, noSource(columns.at(record, roles.source)));
            }
            table.add(record, places, source);
        }
        return table.finish(new DataSource(in.name(), in.digest().get()));
    }

    /** Returns whether a row has the weight 0, so that it is there no times. */
    private static boolean isWeightless(CsvRows.Row record, int weightColumn) {
        return weightColumn >= 0 && record.number(weightColumn) == 0;
    }

    /** Says that a cell is not a weight. */
    public static String notAWeight(String at, String cell) {
        return at + " must be a weight, a number >= 0, got '" + CellReader.written(cell) + "'";
    }

    /** Says that a row names no source. */
    static String noSource(String at) {
        return at + " must name a source, got an empty cell";
    }

    /**
     * Adds the rows of a file, which is one source, to a table; finds the columns by name.
     *
     * @param roles of the columns of the table
     * @param names the columns of the table
     * @param kept whether a row counts, by its number from 0
     */
    static void addTo(
            SourceTable table, int source, Input in, Header header, Roles roles, List<String> names, IntPredicate kept)
            throws IOException {
        scan(in, header, (columns, all) -> {
            Iterator<CsvRows.Row> rows = new ChosenRows(all, row -> "", (none, row) -> kept.test(row));
            SourceTable.Places places = new SourceTable.Places(
                    roles.features.stream()
                            .mapToInt(c -> columns.names().indexOf(names.get(c)))
                            .toArray(),
                    columns.names().indexOf(names.get(roles.label)),
                    roles.weight < 0 ? -1 : columns.names().indexOf(names.get(roles.weight)),
                    columns::at);
            Check.that(rows.hasNext(), "%s: no data rows", in.name());
            while (rows.hasNext()) {
                CsvRows.Row record = rows.next();
                columns.requireHaveAll(record);
                if (!isWeightless(record, places.weight())) {
                    table.add(record, places, source);
                }
            }
            return null;
        });
    }

    /**
     * Finds the columns by name, in any order and among others. Without a header, and with exactly as many columns,
     * finds them by position.
     */
    @Override
    public Dataset read(Input in, Schema schema, Encoding encoding, Labels labels, Optional<String> source)
            throws IOException {
        String file = in.name();
        return scan(in, Header.AUTO, (columns, rows) -> {
            boolean plain = encoding.equals(Encoding.NONE);
            List<Encoding.Column> wanted = wanted(schema, encoding);
            int[] at = places(columns, wanted);
            int labelColumn = labels != null ? columns.find(schema.label(), "label") : -1;
            int sourceColumn = source.map(columns::known)
                    .filter(c -> c != labelColumn && Arrays.stream(at).noneMatch(a -> a == c))
                    .orElse(-1);
            Map<String, Integer> sources = new LinkedHashMap<>();
            DatasetBuilder builder = plain ? new DatasetBuilder(at.length) : encoding.builder();
            double[] row = new double[at.length];
            UnseenValues[] unseen = wanted.stream().map(UnseenValues::new).toArray(UnseenValues[]::new);
            in.kept().bind(columns);
            while (rows.hasNext()) {
                CsvRows.Row record = rows.next();
                columns.requireHaveAll(record);
                for (int i = 0; i < row.length; i++) {
                    row[i] = columns.known(record, at[i], wanted.get(i), unseen[i]);
                }
                String name = sourceColumn < 0 ? "" : record.cell(sourceColumn).strip();
                int group = sources.computeIfAbsent(name.isEmpty() ? SourceFacts.NO_SOURCE : name, n -> sources.size());
                if (plain) {
                    builder.add(row, 0, group, 1);
                } else {
                    encoding.add(row, 0, group, 1, builder);
                }
                if (labels != null) {
                    labels.add(record.cell(labelColumn), () -> columns.at(record, labelColumn));
                }
                in.kept().add(record);
            }
            Check.that(builder.rows() > 0, "%s: no data rows", file);
            Arrays.stream(unseen).forEach(values -> values.warn(file));
            Dataset data = builder.build(
                    schema.withGroups(sourceColumn < 0 ? List.of() : List.copyOf(sources.keySet())),
                    new DataSource(file, in.digest().get()));
            return labels != null ? labels.of(data) : data;
        });
    }

    /** Returns the columns that a model needs. */
    static List<Encoding.Column> wanted(Schema schema, Encoding encoding) {
        return encoding.equals(Encoding.NONE)
                ? schema.features().stream().map(Encoding.Column::number).toList()
                : encoding.columns();
    }

    /**
     * Returns where the columns are that a model needs.
     *
     * @throws InputException if one is missing
     */
    static int[] places(CsvColumns columns, List<Encoding.Column> wanted) {
        List<String> names =
                wanted.stream().map(Encoding.Column::origin).distinct().toList();
        boolean byPosition = columns.numbered()
                && columns.names().size() == names.size()
                && !columns.names().equals(names);
        return wanted.stream()
                .map(Encoding.Column::origin)
                .mapToInt(name -> byPosition ? names.indexOf(name) : columns.find(name, "the model's feature"))
                .toArray();
    }

    /** Reads the rows. */
    interface Scan<T> {
        T read(CsvColumns columns, Iterator<CsvRows.Row> rows);
    }

    static <T> T scan(Input in, Header header, Scan<T> scan) throws IOException {
        String file = in.name();
        try (CsvRows records = new CsvRows(in.stream(), sniff(in.stream()))) {
            Check.that(records.hasNext(), "%s: is empty; a table is needed", file);
            CsvRows.Row first = records.next();
            boolean named = named(in.cells().withoutMissing().read(first), header);
            CsvColumns columns = CsvColumns.of(file, first, named);
            return scan.read(columns, in.cells().read(named ? records : columns.replay(first, records)));
        } catch (CsvParseException e) {
            throw notWellFormed(file, e);
        }
    }

    private static String rootMessage(Throwable e) {
        String own = String.valueOf(e.getMessage());
        return e.getCause() == null || e.getCause().getMessage() == null
                ? own
                : own + ": " + e.getCause().getMessage();
    }

    /**
     * The roles of the columns of a table, by index; -1 if a plan names none.
     *
     * @param features the other columns, without those that a plan leaves out
     * @param text the features that a plan says are text; null means that the first cell of a column decides
     * @param kept the features that stay even if they look like identifiers
     */
    public record Roles(
            int label, int source, int weight, List<Integer> features, Set<Integer> text, Set<Integer> kept) {
        public static Roles of(String file, List<String> names, Plan plan) {
            int labelColumn = plan.get(PlanKey.LABEL)
                    .map(name -> find(file, names, name, PlanKey.LABEL.flag()))
                    .orElse(names.size() - 1);
            int sourceColumn = plan.get(PlanKey.WORKERS_BY)
                    .map(name -> find(file, names, name, PlanKey.WORKERS_BY.flag()))
                    .orElse(-1);
            int weightColumn = plan.get(PlanKey.WEIGHTS_BY)
                    .map(name -> find(file, names, name, PlanKey.WEIGHTS_BY.flag()))
                    .orElse(-1);
            Check.that(
                    sourceColumn != labelColumn,
                    "%s: --label and --workers-by must be different columns, both are '%s'",
                    file,
                    names.get(labelColumn));
            Check.that(
                    weightColumn < 0 || weightColumn != labelColumn && weightColumn != sourceColumn,
                    "%s: --weights-by must be another column than --label and --workers-by, got '%s'",
                    file,
                    plan.get(PlanKey.WEIGHTS_BY).orElse(""));
            List<Integer> others = IntStream.range(0, names.size())
                    .filter(c -> c != labelColumn && c != sourceColumn && c != weightColumn)
                    .boxed()
                    .toList();
            Set<Integer> only = chosen(file, names, others, PlanKey.ONLY, plan);
            Set<Integer> dropped = chosen(file, names, others, PlanKey.DROP, plan);
            List<Integer> features = others.stream()
                    .filter(c -> (only.isEmpty() || only.contains(c)) && !dropped.contains(c))
                    .toList();
            plan.get(PlanKey.SPLIT_BY)
                    .map(names::indexOf)
                    .filter(others::contains)
                    .ifPresent(c -> Check.that(
                            features.contains(c),
                            "%s: --split-by needs column %s, which %s leaves out",
                            file,
                            names.get(c),
                            dropped.contains(c) ? PlanKey.DROP.flag() : PlanKey.ONLY.flag()));
            Check.that(
                    others.isEmpty() || !features.isEmpty(),
                    "%s: --drop and --only leave no feature; there are %s",
                    file,
                    listed(others.stream().map(names::get).toList()));
            Check.that(
                    !features.isEmpty(),
                    "%s: there must be a feature column beside the label; are its columns separated by comma, semicolon or tab? use --format libsvm for LIBSVM data whose first line has no index:value",
                    file);
            Set<Integer> kept = new HashSet<>(only);
            plan.get(PlanKey.SPLIT_BY).map(names::indexOf).ifPresent(kept::add);
            kept.addAll(
                    plan.get(PlanKey.KEEP).equals(List.of("all"))
                            ? features
                            : chosen(file, names, features, PlanKey.KEEP, plan));
            return new Roles(
                    labelColumn, sourceColumn, weightColumn, features, text(file, names, features, plan), kept);
        }

        /** Returns what the plan says about the features. */
        public List<ColumnSettings> settings(List<String> names, Plan plan) {
            return features.stream()
                    .map(c -> new ColumnSettings(
                            names.get(c),
                            isText(c),
                            plan.get(PlanKey.MISSING),
                            plan.get(PlanKey.DATES) != Dates.TEXT,
                            kept.contains(c)))
                    .toList();
        }

        /** Returns the names of the columns that have a role. */
        Set<String> used(List<String> names) {
            return Stream.concat(features.stream(), Stream.of(label, source, weight))
                    .filter(c -> c >= 0)
                    .map(names::get)
                    .collect(Collectors.toSet());
        }

        /** Returns whether the plan says that a feature is text; null if it does not say. */
        Boolean isText(int column) {
            return text == null ? null : (Boolean) text.contains(column);
        }

        private static Set<Integer> text(String file, List<String> names, List<Integer> features, Plan plan) {
            OneHot given = plan.get(PlanKey.ONE_HOT);
            if (given.guessed()) {
                return null;
            }
            return found(file, names, features, PlanKey.ONE_HOT, given.columns());
        }

        private static Set<Integer> chosen(
                String file, List<String> names, List<Integer> features, PlanKey<List<String>> key, Plan plan) {
            return found(file, names, features, key, plan.get(key));
        }

        private static Set<Integer> found(
                String file, List<String> names, List<Integer> features, PlanKey<?> key, List<String> given) {
            Set<Integer> columns = new HashSet<>();
            for (String name : given) {
                int column = find(file, names, name, key.flag());
                Check.that(features.contains(column), "%s: %s '%s' is not a feature", file, key.flag(), name);
                columns.add(column);
            }
            return columns;
        }
    }

    /**
     * How a table begins.
     *
     * @param names the names of its columns
     * @param named whether the names are in its first line
     */
    public record Head(char separator, List<String> names, boolean named) {}

    /**
     * Reads how a table begins.
     *
     * @param in the table, or its first line, in UTF-8
     * @param cells how its cells are written
     */
    public static Head head(String file, BufferedInputStream in, Header header, CellFormat cells) throws IOException {
        return head(new Input(file, in, () -> "", cells), header);
    }

    static Head head(Input input, Header header) throws IOException {
        String file = input.name();
        BufferedInputStream in = input.stream();
        char separator = sniff(in);
        try (CsvRows records = new CsvRows(in, separator)) {
            Check.that(records.hasNext(), "%s: is empty; a table is needed", file);
            CsvRows.Row first = records.next();
            boolean named = named(input.cells().withoutMissing().read(first), header);
            return new Head(separator, CsvColumns.of(file, first, named).names(), named);
        } catch (CsvParseException e) {
            throw notWellFormed(file, e);
        }
    }

    private static InputException notWellFormed(String file, CsvParseException e) {
        return new InputException(file + ": is not well-formed CSV: " + rootMessage(e));
    }

    private static boolean named(CsvRows.Row first, Header header) {
        return switch (header) {
            case YES -> true;
            case NO -> false;
            case AUTO -> IntStream.range(0, first.cells()).allMatch(c -> Double.isNaN(first.number(c)));
        };
    }

    private static char sniff(BufferedInputStream in) throws IOException {
        in.mark(DataFile.SNIFFED);
        int[] counts = new int[128];
        boolean quoted = false;
        for (int i = 0; i < DataFile.SNIFFED; i++) {
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

    /**
     * Returns the number in a cell, NaN if there is none. NaN, infinities and Java's suffixes and hexadecimals do not
     * count as numbers.
     */
    public static double number(String cell) {
        String text = cell.strip();
        if (text.isEmpty()
                || "+-.0123456789".indexOf(text.charAt(0)) < 0
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

    /**
     * Returns the days since 1970 that a cell says which must be a date.
     *
     * @throws InputException if it is none
     */
    public static double days(String cell, Supplier<String> at) {
        double days = DatePart.days(cell);
        if (Double.isNaN(days)) {
            throw new InputException(at.get() + " must be a date such as 2024-05-31, got '" + cell + "'");
        }
        return days;
    }

    /** Returns whether a cell stands for a missing value. */
    public static boolean isMissing(String cell) {
        return MISSING.contains(cell.strip().toLowerCase(Locale.ROOT));
    }

    static String listed(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())))
                + (names.size() > MAX_LISTED ? ", ..." : "");
    }

    /**
     * Returns the index of a column, found by name, else by number from 1.
     *
     * @param role the role of the column, for the message if there is none
     */
    public static int find(String file, List<String> names, String wanted, String role) {
        int byName = names.indexOf(wanted);
        if (byName >= 0) {
            return byName;
        }
        boolean number = wanted.matches("[1-9][0-9]{0,8}");
        Check.that(
                number && Integer.parseInt(wanted) <= names.size(),
                "%s: %s '%s' is not a column; there are %s",
                file,
                role,
                wanted,
                listed(names));
        return Integer.parseInt(wanted) - 1;
    }
}
