package holdfast.spark.io;

import holdfast.Check;
import holdfast.InputException;
import holdfast.formats.CellFormat;
import holdfast.formats.Csv;
import holdfast.formats.LibSvm;
import holdfast.formats.Readers;
import holdfast.plan.Header;
import holdfast.spark.engine.SparkJobs;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * How Spark reads a format. Text formats are those of {@link Readers}, which also recognise them; only Spark reads
 * Parquet.
 */
enum FrameReader {
    PARQUET("parquet") {
        @Override
        Frame read(SparkSession spark, String file, Header header, CellFormat cells) {
            Dataset<Row> frame = spark.read().parquet(file);
            return new Frame(
                    new CellDecoder(StandardCharsets.UTF_8, cells).read(frame.javaRDD(), frame.columns().length),
                    frame.columns());
        }
    },
    LIBSVM("libsvm") {
        @Override
        Frame read(SparkSession spark, String file, Header header, CellFormat cells) {
            return new Frame(
                    lines(spark, file, cells.encoding()).filter(LibSvm::isRow).map(RowFactory::create),
                    new String[] {"line"});
        }
    },
    CSV("csv") {
        @Override
        Frame read(SparkSession spark, String file, Header header, CellFormat cells) {
            List<String> first = lines(spark, file, cells.encoding())
                    .filter(line -> !line.isBlank())
                    .take(1);
            Check.that(!first.isEmpty(), "%s: is empty; a table is needed", file);
            Csv.Head head;
            try {
                head = Csv.head(file, stream(first.get(0)), header, cells);
            } catch (IOException e) {
                throw new IllegalStateException("memory can be read", e);
            }
            int columns = head.names().size();
            CellDecoder decoder = new CellDecoder(cells.encoding(), cells);
            JavaRDD<Row> rows = spark.read()
                    .schema(schema(head.names().stream().map(decoder::asRead).toList()))
                    .option("encoding", decoder.readAs().name())
                    .option("sep", String.valueOf(head.separator()))
                    .option("header", head.named())
                    .option("escape", "\"")
                    .option("maxColumns", columns + 2)
                    .option("columnNameOfCorruptRecord", TOO_LONG)
                    .csv(file)
                    .javaRDD();
            return new Frame(decoder.read(rows, columns), head.names().toArray(String[]::new));
        }
    };

    /** How many lines are looked at to recognise a format. */
    private static final int SNIFFED = 50;

    private static final String TOO_LONG = "_wrong";

    private final String text;

    FrameReader(String text) {
        this.text = text;
    }

    /** The rows as they are in the file, but for how their cells are written, and the names of their columns. */
    record Frame(JavaRDD<Row> rows, String[] names) {}

    abstract Frame read(SparkSession spark, String file, Header header, CellFormat cells);

    /** @param format as plans name it; auto: recognised from the file */
    static FrameReader of(SparkSession spark, String file, String format, Charset encoding) {
        boolean parquet = endsInParquet(spark, file);
        if (!format.equals("auto")) {
            return named(format);
        }
        if (parquet) {
            return PARQUET;
        }
        try {
            List<String> lines = lines(spark, file, encoding).take(SNIFFED);
            return named(Readers.recognised(stream(String.join("\n", lines))).name());
        } catch (IOException e) {
            throw new IllegalStateException("memory can be read", e);
        }
    }

    private static JavaRDD<String> lines(SparkSession spark, String file, Charset encoding) {
        String name = encoding.name();
        return spark.read()
                .text(file)
                .select(functions.col("value").cast(DataTypes.BinaryType))
                .javaRDD()
                .map(line -> new String(line.<byte[]>getAs(0), name));
    }

    private static FrameReader named(String format) {
        for (FrameReader reader : values()) {
            if (reader.text.equals(format)) {
                return reader;
            }
        }
        throw new InputException("--engine spark reads no " + format);
    }

    private static BufferedInputStream stream(String text) {
        return new BufferedInputStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns a schema with one text column per name, and one column for what is wrong with a row. */
    private static StructType schema(List<String> names) {
        int columns = names.size();
        // Spark treats Age and age as the same name.
        boolean distinct =
                names.stream().map(c -> c.toLowerCase(Locale.ROOT)).distinct().count() == columns;
        return new StructType(IntStream.rangeClosed(0, columns)
                .mapToObj(c -> DataTypes.createStructField(
                        c == columns ? TOO_LONG : distinct ? names.get(c) : "c" + c, DataTypes.StringType, true))
                .toArray(StructField[]::new));
    }

    static boolean endsInParquet(SparkSession spark, String file) {
        try {
            Path path = new Path(file);
            FileSystem system = path.getFileSystem(spark.sparkContext().hadoopConfiguration());
            FileStatus[] found = system.globStatus(path);
            if (found != null && found.length > 0) {
                return endsInParquet(system, found);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException(file + ": cannot be read: " + SparkJobs.reason(e));
        }
        throw new InputException(file + ": cannot be read: no such file");
    }

    /** Whether one of the files ends in .parquet, also in nested folders such as {@code year=2020}. */
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
}
