package holdfast.spark.io;

import holdfast.formats.DataFile;
import java.io.DataInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.input.PortableDataStream;
import org.apache.spark.sql.SparkSession;

/** The SHA-256 that identifies the files of a table, for example to a checkpoint. */
final class Fingerprint {
    private Fingerprint() {}

    /**
     * Returns the digest of the file's bytes, as the local engine does; for several files, that of all their digests
     * and names.
     */
    static String of(SparkSession spark, String name) {
        List<String> sums = files(spark, name)
                .map(file -> {
                    try (DataInputStream in = file._2.open()) {
                        MessageDigest digest = DataFile.sha256();
                        byte[] bytes = new byte[1 << 16];
                        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                            digest.update(bytes, 0, count);
                        }
                        return hex(digest.digest()) + "  " + called(new Path(file._1)) + "\n";
                    }
                })
                .collect();
        return sums.size() == 1
                ? sums.get(0).substring(0, sums.get(0).indexOf(' '))
                : hex(DataFile.sha256()
                        .digest(sums.stream()
                                .sorted()
                                .collect(Collectors.joining())
                                .getBytes(StandardCharsets.UTF_8)));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static JavaPairRDD<String, PortableDataStream> files(SparkSession spark, String name) {
        Configuration hadoop = spark.sparkContext().hadoopConfiguration();
        boolean before = hadoop.getBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, false);
        hadoop.setBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, true);
        try {
            return JavaSparkContext.fromSparkContext(spark.sparkContext()).binaryFiles(name);
        } finally {
            hadoop.setBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, before);
        }
    }

    /** Returns the file's name, after the names of the folders that are column values, such as {@code year=2020}. */
    private static String called(Path file) {
        String called = file.getName();
        for (Path in = file.getParent(); in != null && in.getName().contains("="); in = in.getParent()) {
            called = in.getName() + "/" + called;
        }
        return called;
    }
}
