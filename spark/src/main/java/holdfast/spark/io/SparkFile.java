package holdfast.spark.io;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DatePart;
import holdfast.data.Schema;
import holdfast.data.SourceNames;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.formats.CellFormat;
import holdfast.formats.ColumnSettings;
import holdfast.formats.Csv;
import holdfast.formats.LibSvm;
import holdfast.formats.SourceFacts;
import holdfast.model.Target;
import holdfast.plan.Header;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.rounds.TrainingException;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.Piece;
import holdfast.spark.engine.SparkJobs;
import holdfast.spark.engine.SparkTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.storage.StorageLevel;

/** A table in files that Spark reads: CSV, Parquet or LIBSVM. */
public final class SparkFile {
    private final SparkSession spark;
    private final String name;

    public SparkFile(SparkSession spark, String name) {
        Check.that(!name.equals("-") && !name.startsWith("builtin:"), "--engine spark reads files, got %s", name);
        this.spark = spark;
        this.name = name;
    }

    /**
     * A table to train on.
     *
     * @param schema of the table's columns, its labels and, if rows name some, sources
     * @param layout of its rows
     * @param plan that it was read for
     */
    public record Opened(
            SparkTable table, Schema schema, DataSource source, RowLayout layout, Plan plan, JavaRDD<Row> rows)
            implements AutoCloseable {
        @Override
        public void close() {
            SparkJobs.undisturbed(() -> rows.unpersist(false));
        }
    }

    /** @throws InputException if this is not a table that the plan can be trained on */
    public Opened read(Plan plan) {
        return reading(() -> learn(plan));
    }

    /**
     * Reads more rows like those of the training table, as features.
     *
     * @param features their schema
     * @param encoding how columns become features
     */
    public Dataset read(Opened like, Schema features, Encoding encoding, Target target, Header header) {
        return reading(() -> more(like, features, encoding, target, header));
    }

    private <T> T reading(Supplier<T> reader) {
        try {
            return SparkJobs.run(spark.sparkContext(), "reading " + name, reader);
        } catch (TrainingException e) {
            throw SparkJobs.isAboutFiles(e) ? new InputException(name + ": cannot be read: " + SparkJobs.reason(e)) : e;
        }
    }

    private Opened learn(Plan plan) {
        CellFormat cells = CellFormat.of(plan);
        FrameReader reader =
                FrameReader.of(spark, name, plan.get(PlanKey.FORMAT).orElse("auto"), cells.encoding());
        Check.that(
                reader != FrameReader.PARQUET || cells.encoding().equals(StandardCharsets.UTF_8),
                "%s: --encoding is for text, and parquet says itself how letters are stored; got '%s'",
                name,
                plan.settings().get(PlanKey.ENCODING.name()));
        FrameReader.Frame frame = reader.read(spark, name, plan.get(PlanKey.HEADER), cells);
        Row first = frame.rows().take(1).stream()
                .findFirst()
                .orElseThrow(() -> new InputException(name + ": no data rows"));
        return SourceFacts.suits(plan) ? bySource(reader, frame, first, plan) : together(reader, frame, first, plan);
    }

    /** Learns from all rows, each of which can be an error. */
    private Opened together(FrameReader reader, FrameReader.Frame frame, Row first, Plan plan) {
        RowLayout open = open(reader, frame, first, plan, true);
        JavaRDD<Row> rows = counted(frame.rows(), open, plan);
        SeenRows seen = SeenRows.all(
                open,
                rows.mapPartitions(part -> List.of(SeenRows.of(open, part)).iterator())
                        .collect());
        List<String> classes = seen.classes(open, plan.get(PlanKey.MODEL));
        RowLayout layout = seen.close(open, plan);
        return opened(
                layout,
                classes,
                layout.form() == RowLayout.Form.CELLS ? 0 : seen.width(layout),
                plan,
                converter -> rows.mapPartitions(converter::each),
                table -> table);
    }

    /** Learns from rows of sources that may be unusable. */
    private Opened bySource(FrameReader reader, FrameReader.Frame frame, Row first, Plan plan) {
        RowLayout open = open(reader, frame, first, plan, false);
        ColumnSettings[] settings = IntStream.range(0, open.features().length)
                .mapToObj(i -> open.settings()[i].typed(isText(open, i, first, plan)))
                .toArray(ColumnSettings[]::new);
        SourceRows seen = SourceRows.of(counted(frame.rows(), open, plan), open, settings, plan);
        SourceFacts.Decision decided = seen.decided();
        SourceFacts.warnOf(name, decided.unusable());
        return opened(
                seen.layout(),
                decided.classes(),
                seen.width(),
                plan,
                seen::converted,
                table -> table.beside(decided.usable(), decided.unusable()));
    }

    /** Returns the rows that count: those of sources that the plan does not leave out, without those of weight 0. */
    private static JavaRDD<Row> counted(JavaRDD<Row> rows, RowLayout layout, Plan plan) {
        return weighing(others(rows, layout, plan), layout.weight());
    }

    private static JavaRDD<Row> weighing(JavaRDD<Row> rows, int weight) {
        return weight < 0 ? rows : rows.filter(row -> !RowLayout.isWeightless(row, weight));
    }

    private static JavaRDD<Row> others(JavaRDD<Row> rows, RowLayout layout, Plan plan) {
        Set<String> without = Set.copyOf(plan.get(PlanKey.WITHOUT));
        if (without.isEmpty()) {
            return rows;
        }
        Check.that(layout.source() >= 0, "--without needs --workers-by, the column that names the source of each row");
        List<String> known = rows.map(layout::anySourceOf).distinct().collect();
        SourceNames.require("--without", without, known);
        return rows.filter(row -> !without.contains(layout.anySourceOf(row)));
    }

    /** Returns whether a feature is text; null if neither the plan nor the column's type says it. */
    private static Boolean isText(RowLayout open, int i, Row first, Plan plan) {
        if (!plan.get(PlanKey.ONE_HOT).guessed()) {
            return open.categories()[i] != null;
        }
        boolean numbers = first.schema() != null
                && first.schema().apply(open.features()[i]).dataType() instanceof NumericType;
        return numbers ? Boolean.FALSE : null;
    }

    /**
     * @param width the number of features of rows that have no cells
     * @param converted makes rows of the file rows of a table
     * @param complete adds what is known about the table
     */
    private Opened opened(
            RowLayout layout,
            List<String> classes,
            int width,
            Plan plan,
            Function<RowConverter, JavaRDD<Row>> converted,
            UnaryOperator<SparkTable> complete) {
        List<TableColumn> cells = layout.columns();
        Schema schema = new Schema(
                layout.form() == RowLayout.Form.CELLS
                        ? cells.stream().map(TableColumn::name).toList()
                        : LibSvm.names(width),
                layout.labelName(),
                classes,
                List.of());
        Target labels = classes.isEmpty() ? Target.NUMBER : Target.CLASSES;
        RowConverter converter = layout.converter(schema.features().size(), classes, labels);
        // Rows are read several times: checked, split, scaled and dealt. This way they are parsed once.
        JavaRDD<Row> rows = converted.apply(converter).persist(StorageLevel.DISK_ONLY());
        try {
            Columns columns = new Columns(
                    layout.featuresName(),
                    layout.labelName(),
                    layout.weight() < 0 ? null : layout.names()[layout.weight()],
                    layout.source() < 0 ? null : layout.names()[layout.source()]);
            Boolean sparse =
                    layout.form() == RowLayout.Form.VECTOR ? null : (Boolean) (layout.form() == RowLayout.Form.LINE);
            return new Opened(
                    complete.apply(table(
                            rows,
                            columns,
                            sparse,
                            cells.stream().allMatch(TableColumn::isFeature) ? List.of() : cells)),
                    schema,
                    new DataSource(name, Fingerprint.of(spark, name)),
                    layout,
                    plan,
                    rows);
        } catch (Exception e) {
            SparkJobs.undisturbed(() -> rows.unpersist(false));
            throw e;
        }
    }

    private SparkTable table(JavaRDD<Row> rows, Columns columns, Boolean sparse, List<TableColumn> cells) {
        try {
            return SparkTable.of(rows, columns, Target.NUMBER, sparse, cells);
        } catch (InputException e) {
            throw new InputException(name + ": " + e.getMessage());
        }
    }

    private Dataset more(Opened like, Schema features, Encoding encoding, Target target, Header header) {
        RowLayout known = like.layout;
        boolean parquet = FrameReader.endsInParquet(spark, name);
        boolean lines = known.form() == RowLayout.Form.LINE;
        CellFormat cells = CellFormat.of(like.plan);
        FrameReader reader = parquet
                ? FrameReader.PARQUET
                : lines
                        ? FrameReader.LIBSVM
                        : FrameReader.of(
                                spark, name, like.plan.get(PlanKey.FORMAT).orElse("auto"), cells.encoding());
        Check.that(
                lines == (reader == FrameReader.LIBSVM),
                lines
                        ? "%s: the model's features have numbers (%s, ...), as libsvm data have, which parquet has not"
                        : "%s: libsvm data number their features, but the model's have names (%s, ...)",
                name,
                features.features().get(0));
        FrameReader.Frame frame = reader.read(spark, name, header, cells);
        List<String> names = List.of(frame.names());
        RowLayout own = lines
                ? known.in(name, frame.names(), known.features(), known.label())
                : known.in(
                        name,
                        frame.names(),
                        Arrays.stream(known.features())
                                .map(c -> Csv.find(name, names, known.names()[c], "the model's feature"))
                                .toArray(),
                        Csv.find(name, names, known.labelName(), "label"));
        RowConverter converter = own.converter(like.schema.features().size(), features.classes(), target);
        MoreRows rows = new MoreRows(own, like.schema.withoutGroups(), like.table.sparse());
        frame.rows().mapPartitions(converter::tried).collect().forEach(rows::add);
        return encoding.featuresOf(rows.table(name), features);
    }

    /** Rows brought here, one after the other; their words are categories of their own. */
    private static final class MoreRows {
        private final RowLayout layout;
        private final Schema schema;
        private final DatasetBuilder builder;
        private final List<Map<String, Integer>> words = new ArrayList<>();

        MoreRows(RowLayout layout, Schema schema, boolean sparse) {
            this.layout = layout;
            this.schema = schema;
            this.builder = Piece.builder(sparse, schema.features().size());
            IntStream.range(0, layout.features().length).forEach(c -> words.add(new HashMap<>()));
        }

        void add(RowConverter.Converted row) {
            if (row.complaint() != null) {
                throw RowLayout.complaint(row.complaint(), builder.rows() + 1);
            }
            double[] cells = row.cells();
            for (int c = 0; row.words() != null && c < cells.length; c++) {
                String word = row.words()[c];
                if (word != null) {
                    Map<String, Integer> known = words.get(c);
                    cells[c] = known.computeIfAbsent(word, w -> known.size());
                }
            }
            if (row.at() == null) {
                builder.add(cells, row.label());
            } else {
                builder.add(row.at(), cells, cells.length, row.label(), 0, 1);
            }
        }

        Table table(String file) {
            Check.that(builder.rows() > 0, "%s: no data rows", file);
            Dataset cells = builder.build(schema, new DataSource(file, ""));
            if (layout.form() != RowLayout.Form.CELLS) {
                return Table.of(cells);
            }
            return Table.of(
                    IntStream.range(0, words.size())
                            .mapToObj(c -> new TableColumn(
                                    schema.features().get(c), byCode(words.get(c)), TableColumn.Missing.MEAN))
                            .toList(),
                    cells);
        }

        private static List<String> byCode(Map<String, Integer> codes) {
            String[] byCode = new String[codes.size()];
            codes.forEach((word, code) -> byCode[code] = word);
            return List.of(byCode);
        }
    }

    /**
     * Returns the columns; text columns have no categories yet.
     *
     * @param guess whether the first cells show which columns are text, if the plan does not say
     */
    private RowLayout open(FrameReader reader, FrameReader.Frame frame, Row first, Plan plan, boolean guess) {
        String[] names = frame.names();
        TableColumn.Missing missing = plan.get(PlanKey.MISSING);
        if (reader == FrameReader.LIBSVM) {
            LibSvm.requireNameNoColumn(name, plan);
            return new RowLayout(
                    name,
                    names,
                    new int[0],
                    0,
                    -1,
                    -1,
                    RowLayout.Form.LINE,
                    missing,
                    new String[0][],
                    new ColumnSettings[0],
                    new DatePart[0]);
        }
        Csv.Roles roles = Csv.Roles.of(name, List.of(names), plan);
        int[] features = roles.features().stream().mapToInt(c -> c).toArray();
        boolean vector = features.length == 1
                && first.schema() != null
                && first.schema().apply(features[0]).dataType().equals(SQLDataTypes.VectorType());
        for (int c = 0; first.schema() != null && c < names.length; c++) {
            var type = first.schema().apply(c).dataType();
            Check.that(
                    vector && c == features[0]
                            || type instanceof NumericType
                            || type instanceof StringType
                            || type instanceof BooleanType,
                    "%s: column %s must hold numbers or text, or be the only feature and a vector, got %s",
                    name,
                    names[c],
                    type.simpleString());
        }
        boolean[] text = new boolean[features.length];
        if (!vector && guess && roles.text() == null) {
            text = RowLayout.text(weighing(frame.rows(), roles.weight()), features, missing);
        } else if (!vector && roles.text() != null) {
            for (int i = 0; i < text.length; i++) {
                text[i] = roles.text().contains(features[i]);
            }
        }
        boolean[] isText = text;
        return new RowLayout(
                name,
                names,
                features,
                roles.label(),
                roles.source(),
                roles.weight(),
                vector ? RowLayout.Form.VECTOR : RowLayout.Form.CELLS,
                missing,
                IntStream.range(0, isText.length)
                        .mapToObj(i -> isText[i] ? new String[0] : null)
                        .toArray(String[][]::new),
                roles.settings(List.of(names), plan).toArray(ColumnSettings[]::new),
                Collections.nCopies(features.length, DatePart.NONE).toArray(DatePart[]::new));
    }
}
