package holdfast.app;

import holdfast.formats.Csv;
import holdfast.formats.ModelFile;
import holdfast.training.TrainedModel;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast predict}: a probability and a label for every row. */
@Command(
        name = "predict",
        description = "Prints a CSV with the probability of the second class and the predicted label of each row.",
        mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MODEL", description = "a model.json")
    private Path model;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table; a label column is not needed")
    private String data;

    @Override
    public Integer call() throws IOException {
        TrainedModel trained = ModelFile.read(model).model();
        double[] probabilities = trained.probabilities(Csv.read(data, trained.schema(), false));
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        out.write("probability," + quoted(trained.label()) + "\n");
        for (double p : probabilities) {
            out.write(p + "," + quoted(trained.classes().get(p >= trained.threshold() ? 1 : 0)) + "\n");
        }
        out.flush();
        return Exit.OK;
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
