package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.formats.Csv;
import holdfast.formats.LibSvm;
import holdfast.formats.Readers;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.preparation.Split;
import holdfast.rounds.TrainingException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/** A table in files that Spark reads: CSV, Parquet or LIBSVM. */
final class SparkFile {
    /** Lines looked at to find out how a file is written. */
    private static final int SNIFFED = 50;

    private static final String TOO_LONG = "_wrong";

    private final SparkSession spark;
    private final String name;

    SparkFile(SparkSession spark, String name) {
        Check.that(!name.equals("-") && !name.startsWith("builtin:"), "--engine spark reads files, got %s", name);
        this.spark = spark;
        this.name = name;
    }

    /**
     * A table to learn from.
     *
     * @param format as the plan has it
     */
    record Opened(
            Table table,
            holdfast.data.Schema schema,
            Encoding encoding,
            DataSource source,
            RowLayout written,
            String format,
            JavaRDD<Row> rows)
            implements AutoCloseable {
        @Override
        public void close() {
            SparkJobs.undisturbed(() -> rows.unpersist(false));
        }
    }

    /** @throws InputException if this is not a table that the plan can be trained on */
    Opened read(Plan plan) {
        return reading(() -> learn(plan));
    }

    /** More rows like those that were learnt from. */
    holdfast.data.Dataset read(Opened like, Target target, String header) {
        return reading(() -> more(like, target, header));
    }

    private <T> T reading(Supplier<T> reader) {
        try {
            return SparkJobs.run(spark.sparkContext(), "reading " + name, reader);
        } catch (TrainingException e) {
            throw SparkJobs.isAboutFiles(e) ? new InputException(name + ": cannot be read: " + SparkJobs.reason(e)) : e;
        }
    }

    private Opened learn(Plan plan) {
        boolean parquet = endsInParquet();
        String given = plan.get(PlanKey.FORMAT);
        String format = given.equals("auto") ? format(parquet) : given;
        Frame frame = frame(format, plan.get(PlanKey.HEADER));
        JavaRDD<Row> written = frame.rows;
        String[] names = frame.names;
        Row first = written.take(1).stream().findFirst().orElseThrow(() -> new InputException(name + ": no data rows"));
        RowLayout open = open(format, names, first, plan);
        RowLayout.Seen seen =
                open.all(written.mapPartitions(part -> List.of(open.learn(part)).iterator())
                        .collect());
        RowLayout closed = open.with(seen, plan.get(PlanKey.ONE_HOT).equals("auto"), first);
        List<String> classes = closed.classes(seen, plan.get(PlanKey.MODEL));
        Opened all = opened(frame, closed, closed, seen, classes, given);
        if (plan.get(PlanKey.TEST_SHARE) == 0 || !closed.hasText()) {
            return all;
        }
        RowLayout trained;
        try {
            // By labels and sources alone, so that it is the split of the run.
            Split split = Split.stratified(
                    all.table.outline(all.schema, all.source), plan.get(PlanKey.TEST_SHARE), plan.seed());
            trained = closed.only(all.table.nonZeros(split.training()));
        } catch (Exception e) {
            all.close();
            throw e;
        }
        String[][] unmet = trained.unmet(closed);
        if (Arrays.stream(unmet).allMatch(values -> values.length == 0)) {
            return all;
        }
        all.close();
        trained.warn(unmet, seen, trained.schema(seen, classes));
        return opened(frame, trained, closed, seen, classes, given);
    }

    /** @param all has every category of the table */
    private Opened opened(
            Frame frame, RowLayout closed, RowLayout all, RowLayout.Seen seen, List<String> classes, String given) {
        holdfast.data.Schema schema = closed.schema(seen, classes);
        Boolean sparse = closed.sparse(schema);
        RowConverter turning = closed.turning(schema, classes.isEmpty(), sparse != null && sparse, all);
        // Rows are looked at, split, scaled and dealt; taken apart once.
        JavaRDD<Row> rows = frame.rows.mapPartitions(turning::each).persist(StorageLevel.DISK_ONLY());
        try {
            Columns columns = new Columns(
                    closed.featuresName(),
                    closed.labelName(),
                    closed.weight() < 0 ? null : frame.names[closed.weight()],
                    closed.source() < 0 ? null : frame.names[closed.source()]);
            return new Opened(
                    table(rows, columns, sparse),
                    schema,
                    closed.encoding(),
                    new DataSource(name, Fingerprint.of(spark, name)),
                    closed,
                    given,
                    rows);
        } catch (Exception e) {
            SparkJobs.undisturbed(() -> rows.unpersist(false));
            throw e;
        }
    }

    private Table table(JavaRDD<Row> rows, Columns columns, Boolean sparse) {
        try {
            return Table.of(rows, columns, false, sparse);
        } catch (InputException e) {
            throw new InputException(name + ": " + e.getMessage());
        }
    }

    private holdfast.data.Dataset more(Opened like, Target target, String header) {
        RowLayout known = like.written;
        boolean parquet = endsInParquet();
        boolean lines = known.form() == RowLayout.Form.LINE;
        String format =
                parquet ? "parquet" : lines ? "libsvm" : like.format.equals("auto") ? format(false) : like.format;
        Check.that(
                lines == format.equals("libsvm"),
                lines
                        ? "%s: the model's features have numbers (%s, ...), as libsvm data have, which parquet has not"
                        : "%s: libsvm data number their features, but the model's have names (%s, ...)",
                name,
                like.schema.features().get(0));
        Frame frame = frame(format, header);
        List<String> names = List.of(frame.names);
        RowLayout own = lines
                ? new RowLayout(
                        name, frame.names, known.features(), known.label(), -1, -1, known.form(), known.categories())
                : new RowLayout(
                        name,
                        frame.names,
                        Arrays.stream(known.features())
                                .map(c -> Csv.find(name, names, known.names()[c], "the model's feature"))
                                .toArray(),
                        Csv.find(name, names, known.labelName(), "label"),
                        -1,
                        -1,
                        known.form(),
                        known.categories());
        boolean sparse = like.table.sparse();
        RowConverter turning = own.turning(like.schema, !target.isClass(), sparse, own);
        holdfast.data.Dataset.Builder builder =
                Piece.builder(sparse, like.schema.features().size());
        for (Object turned : frame.rows.mapPartitions(turning::tried).collect()) {
            if (turned instanceof String complaint) {
                throw RowLayout.complaint(complaint, builder.rows() + 1);
            }
            Row row = (Row) turned;
            Vector features = row.getAs(0);
            builder.add(features.toArray(), row.getDouble(1), 0, 1);
        }
        Check.that(builder.rows() > 0, "%s: no data rows", name);
        return builder.build(like.schema.withoutGroups(), new DataSource(name, ""));
    }

    private boolean endsInParquet() {
        try {
            Path path = new Path(name);
            FileSystem system = path.getFileSystem(spark.sparkContext().hadoopConfiguration());
            FileStatus[] found = system.globStatus(path);
            if (found != null && found.length > 0) {
                return endsInParquet(system, found);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException(name + ": cannot be read: " + SparkJobs.reason(e));
        }
        throw new InputException(name + ": cannot be read: no such file");
    }

    /** Whether one does, be it in a folder of a folder, such as {@code year=2020}. */
    private static boolean endsInParquet(FileSystem system, FileStatus[] files) throws IOException {
        for (FileStatus file : files) {
            if (file.isDirectory()
                    ? endsInParquet(system, system.listStatus(file.getPath()))
                    : file.getPath().getName().endsWith(".parquet")) {
                return true;
            }
        }
        return false;
    }

    private String format(boolean parquet) {
        if (parquet) {
            return "parquet";
        }
        try {
            return Readers.recognised(stream(String.join("\n", lines().takeAsList(SNIFFED))))
                    .name();
        } catch (IOException e) {
            throw new IllegalStateException("memory can be read", e);
        }
    }

    private static BufferedInputStream stream(String text) {
        return new BufferedInputStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private Dataset<String> lines() {
        return spark.read().textFile(name);
    }

    /** The rows as they are written, and the names of their columns. */
    private record Frame(JavaRDD<Row> rows, String[] names) {}

    private Frame frame(String format, String header) {
        return switch (format) {
            case "parquet" -> parquet();
            case "libsvm" ->
                new Frame(
                        spark.read().text(name).javaRDD().filter(line -> LibSvm.isRow(line.getString(0))),
                        new String[] {"line"});
            default -> csv(header);
        };
    }

    private Frame parquet() {
        Dataset<Row> frame = spark.read().parquet(name);
        return new Frame(frame.javaRDD(), frame.columns());
    }

    private Frame csv(String header) {
        List<String> first =
                lines().filter((FilterFunction<String>) line -> !line.isBlank()).takeAsList(1);
        Check.that(!first.isEmpty(), "%s: is empty; a table is needed", name);
        try {
            Csv.Head head = Csv.head(name, stream(first.get(0)), header);
            int columns = head.names().size();
            // Spark does not tell Age from age.
            boolean distinct = head.names().stream()
                            .map(c -> c.toLowerCase(Locale.ROOT))
                            .distinct()
                            .count()
                    == columns;
            StructType schema = new StructType(IntStream.rangeClosed(0, columns)
                    .mapToObj(c -> DataTypes.createStructField(
                            c == columns ? TOO_LONG : distinct ? head.names().get(c) : "c" + c,
                            DataTypes.StringType,
                            true))
                    .toArray(StructField[]::new));
            return new Frame(
                    spark.read()
                            .schema(schema)
                            .option("sep", String.valueOf(head.separator()))
                            .option("header", head.named())
                            .option("escape", "\"")
                            .option("maxColumns", columns + 2)
                            .option("columnNameOfCorruptRecord", TOO_LONG)
                            .csv(name)
                            .javaRDD(),
                    head.names().toArray(String[]::new));
        } catch (IOException e) {
            throw new IllegalStateException("memory can be read", e);
        }
    }

    /** What the columns are as far as the first row shows; text columns have no categories yet. */
    private RowLayout open(String format, String[] names, Row first, Plan plan) {
        if (format.equals("libsvm")) {
            for (PlanKey<String> key : List.of(PlanKey.LABEL, PlanKey.WORKERS_BY, PlanKey.WEIGHTS_BY)) {
                Check.that(
                        plan.get(key).isEmpty(),
                        "%s: %s names a column, and libsvm data have none; got '%s'",
                        name,
                        key.name(),
                        plan.get(key));
            }
            return new RowLayout(name, names, new int[0], 0, -1, -1, RowLayout.Form.LINE, new String[0][]);
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
        String[][] categories = Arrays.stream(features)
                .mapToObj(c -> !vector
                                && (roles.text() == null
                                        ? RowLayout.isText(first.get(c))
                                        : roles.text().contains(c))
                        ? new String[0]
                        : null)
                .toArray(String[][]::new);
        return new RowLayout(
                name,
                names,
                features,
                roles.label(),
                roles.source(),
                roles.weight(),
                vector ? RowLayout.Form.VECTOR : RowLayout.Form.CELLS,
                categories);
    }
}
