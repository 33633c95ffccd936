package holdfast.spark;

import holdfast.InputException;
import holdfast.formats.ModelFile;
import holdfast.formats.SummaryFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * Saves and loads models as folders of one text each: {@code metadata}, where Spark looks for Params; {@code data}, a
 * model.json; and {@code summary}, a summary.json, if there is a summary. The driver writes and reads them itself,
 * which needs no job and nothing that differs between versions of Spark.
 */
final class Saved {
    private static final String METADATA = "metadata";
    private static final String DATA = "data";
    private static final String SUMMARY = "summary";

    private final Path folder;
    private final Configuration hadoop;

    private Saved(String path, SparkSession spark) {
        this.folder = new Path(path);
        this.hadoop = spark.sparkContext().hadoopConfiguration();
    }

    /** @param file the model as it is when it is saved, including the Params that a model.json has */
    static MLWriter writer(RobustModel<?> model, Supplier<ModelFile> file) {
        return new MLWriter() {
            @Override
            public void saveImpl(String path) {
                String data = file.get().print();
                Saved saved = new Saved(path, sparkSession());
                saved.write(
                        METADATA, "part-00000", metadata(model, sparkSession().version()));
                saved.write(DATA, "part-00000.txt", data);
                if (model.hasSummary()) {
                    saved.write(
                            SUMMARY, "part-00000.txt", model.summary().file().print());
                }
            }

            /** Spark Connect's server keeps models in folders of its own machine. Spark 4.0 does not have this. */
            public void saveToLocal(String path) throws IOException {
                save(local(path));
            }
        };
    }

    static <S extends RobustSummary, M extends RobustModel<S>> MLReader<M> reader(
            Class<M> type, BiFunction<Uid, Learnt, M> make) {
        return new MLReader<>() {
            @Override
            public M load(String path) {
                Saved saved = new Saved(path, sparkSession());
                DefaultParamsReader.Metadata metadata =
                        DefaultParamsReader.parseMetadata(saved.required(METADATA), type.getName());
                Learnt learnt = new Learnt(ModelFile.parse(path, saved.required(DATA)));
                M model = make.apply(Uid.of(metadata.uid()), learnt);
                metadata.getAndSetParams(model, Option.empty());
                saved.read(SUMMARY)
                        .map(text -> model.summaryOf(SummaryFile.parse(path, text), null))
                        .ifPresent(summary -> model.setSummary(Option.apply(summary)));
                return model;
            }

            /** The counterpart of saveToLocal. */
            public M loadFromLocal(String path) {
                return load(local(path));
            }
        };
    }

    private static String local(String path) {
        return "file://" + java.nio.file.Path.of(path).toAbsolutePath();
    }

    /** Returns the line that {@link DefaultParamsReader} reads. */
    private static String metadata(Params model, String version) {
        return "{\"class\":" + quoted(model.getClass().getName())
                + ",\"timestamp\":" + System.currentTimeMillis()
                + ",\"sparkVersion\":" + quoted(version)
                + ",\"uid\":" + quoted(model.uid())
                + ",\"paramMap\":"
                + Arrays.stream(model.params())
                        .filter(model::isSet)
                        .map(param -> field(param, model.getOrDefault(param)))
                        .collect(Collectors.joining(",", "{", "}"))
                + ",\"defaultParamMap\":"
                + Arrays.stream(model.params())
                        .filter(model::hasDefault)
                        .map(param -> field(param, model.getDefault(param).get()))
                        .collect(Collectors.joining(",", "{", "}"))
                + "}\n";
    }

    @SuppressWarnings("unchecked")
    private static <T> String field(Param<T> param, Object value) {
        return quoted(param.name()) + ":" + param.jsonEncode((T) value);
    }

    private static String quoted(String text) {
        return new Param<String>("", "", "").jsonEncode(text);
    }

    private void write(String name, String file, String text) {
        try {
            Path part = new Path(folder, name);
            FileSystem files = part.getFileSystem(hadoop);
            try (OutputStream out = files.create(new Path(part, file), false)) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
            files.create(new Path(part, "_SUCCESS"), false).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String required(String name) {
        return read(name)
                .orElseThrow(() -> new InputException(
                        folder + ": is not a saved model: there must be a file part-... in its folder " + name));
    }

    /** Returns the text in a folder; empty if there is none. */
    private Optional<String> read(String name) {
        try {
            Path part = new Path(folder, name);
            FileSystem files = part.getFileSystem(hadoop);
            FileStatus[] found = files.listStatus(part, file -> file.getName().startsWith("part-"));
            Arrays.sort(found, Comparator.comparing(FileStatus::getPath));
            StringBuilder text = new StringBuilder();
            for (FileStatus file : found) {
                // Earlier versions let Spark write, which compresses if it is told to.
                CompressionCodec codec = new CompressionCodecFactory(hadoop).getCodec(file.getPath());
                InputStream stored = files.open(file.getPath());
                try (InputStream in = codec == null ? stored : codec.createInputStream(stored)) {
                    text.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
            return found.length == 0 ? Optional.empty() : Optional.of(text.toString());
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
