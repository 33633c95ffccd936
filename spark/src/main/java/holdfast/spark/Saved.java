package holdfast.spark;

import holdfast.formats.ModelFile;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Encoders;
import scala.Option;

/**
 * Saves and loads models as two folders: {@code metadata}, where Spark keeps Params, and {@code data}, a text that is a
 * model.json.
 */
final class Saved {
    private Saved() {}

    private static String data(String path) {
        return new Path(path, "data").toString();
    }

    /** @param file the model as it is when it is saved, including the Params that a model.json has */
    static MLWriter writer(Params model, Supplier<ModelFile> file) {
        return new MLWriter() {
            @Override
            public void saveImpl(String path) {
                DefaultParamsWriter.saveMetadata(model, path, sparkSession());
                sparkSession()
                        .createDataset(List.of(file.get().print()), Encoders.STRING())
                        .coalesce(1)
                        .write()
                        .text(data(path));
            }
        };
    }

    static <M extends Params> MLReader<M> reader(Class<M> type, BiFunction<Uid, Learnt, M> make) {
        return new MLReader<>() {
            @Override
            public M load(String path) {
                DefaultParamsReader.Metadata metadata =
                        DefaultParamsReader.loadMetadata(path, sparkSession(), type.getName());
                String text = sparkSession()
                        .read()
                        .option("wholetext", true)
                        .textFile(data(path))
                        .head();
                Learnt learnt = new Learnt(ModelFile.parse(path, text), null);
                M model = make.apply(Uid.of(metadata.uid()), learnt);
                metadata.getAndSetParams(model, Option.empty());
                return model;
            }
        };
    }
}
