package holdfast.app;

import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.math.Logistic;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import holdfast.training.TrainedModel;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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
        Dataset rows = DataFile.read(data, trained.schema(), false);
        double[] scores = trained.scores(rows);
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        Model kind = trained.model();
        if (!kind.target().isClass()) {
            numbers(trained, (LinearModel) kind, scores, out);
        } else if (kind instanceof LinearModel linear) {
            twoClasses(trained, linear, scores, out);
        } else {
            classes(trained, scores, out);
        }
        out.flush();
        return Exit.OK;
    }

    private static void numbers(TrainedModel trained, LinearModel model, double[] scores, Writer out)
            throws IOException {
        out.write(quoted(trained.schema().label()) + "\n");
        for (double score : scores) {
            out.write(trained.labels().restore(model.expected(score)) + "\n");
        }
    }

    /** The probability of the second class; a model that knows none gives its score. */
    private static void twoClasses(TrainedModel trained, LinearModel model, double[] scores, Writer out)
            throws IOException {
        boolean probable = !Double.isNaN(model.expected(0));
        out.write(
                (probable ? "probability," : "score,") + quoted(trained.schema().label()) + "\n");
        for (double score : scores) {
            double p = probable ? model.expected(score) : score;
            boolean second = p >= (probable ? trained.threshold() : 0);
            out.write(p + "," + quoted(trained.schema().classes().get(second ? 1 : 0)) + "\n");
        }
    }

    /** The probability of every class, then the most probable one. */
    private static void classes(TrainedModel trained, double[] scores, Writer out) throws IOException {
        List<String> names = trained.schema().classes();
        int k = names.size();
        for (String name : names) {
            out.write(quoted(name) + ",");
        }
        out.write(quoted(trained.schema().label()) + "\n");
        double[] p = new double[k];
        for (int from = 0; from < scores.length; from += k) {
            Logistic.softmax(scores, from, k, p);
            int best = 0;
            for (int c = 0; c < k; c++) {
                best = p[c] > p[best] ? c : best;
                out.write(p[c] + ",");
            }
            out.write(quoted(names.get(best)) + "\n");
        }
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
