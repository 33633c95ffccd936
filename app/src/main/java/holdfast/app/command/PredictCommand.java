package holdfast.app.command;

import holdfast.app.report.CsvText;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast predict}: prints a label for every row, and how sure the model is. */
@Command(
        name = "predict",
        description =
                "Prints a CSV whose last column is the predicted label of each row. For two classes, the column before it is"
                        + " the probability of the second class, or its score if the model has no probabilities; for more"
                        + " classes, there is one column of probabilities for each.",
        mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {
    @Mixin
    private ModelArgument model;

    @Mixin
    private PluginOption plugins;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table; a label column is not needed")
    private String data;

    @Override
    public Integer call() throws IOException {
        ModelFile file = model.read(plugins.catalogues());
        TrainedModel trained = file.model();
        Warnings.show(true);
        Predictions said = trained.predict(DataFile.read(data, file, false));
        List<String> classes = trained.schema().classes();
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        write(out, names(said, classes), trained.schema().label());
        for (int row = 0; row < said.rows(); row++) {
            double label = said.label(row);
            write(
                    out,
                    numbers(said, row).mapToObj(Double::toString),
                    classes.isEmpty() ? Double.toString(label) : classes.get((int) label));
        }
        out.flush();
        return ExitCode.OK;
    }

    private static Stream<String> names(Predictions said, List<String> classes) {
        if (classes.size() > 2) {
            return classes.stream().map(name -> "probability of " + name);
        }
        return classes.isEmpty() ? Stream.of() : Stream.of(said.hasProbabilities() ? "probability" : "score");
    }

    /**
     * Returns the numbers before the label: for two classes the probability of the second, or the score if the model
     * gives no probabilities.
     */
    private static DoubleStream numbers(Predictions said, int row) {
        if (said.classes() == 0) {
            return DoubleStream.of();
        }
        if (!said.hasProbabilities()) {
            return DoubleStream.of(said.score(row));
        }
        double[] p = said.probabilities(row);
        return p.length == 2 ? DoubleStream.of(p[1]) : DoubleStream.of(p);
    }

    private static void write(Writer out, Stream<String> cells, String label) throws IOException {
        out.write(CsvText.line(Stream.concat(cells, Stream.of(label))));
    }
}
