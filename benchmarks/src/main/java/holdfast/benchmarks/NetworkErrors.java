package holdfast.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.evaluation.Evaluation;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.shift.Shift;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Errors of networks with 32 units on held-out rows of standard tables, against scikit-learn's MLPClassifier with its
 * defaults on standardised columns: the same rows for both. Ours are trained as {@code ./holdfast train} would, with its
 * defaults (a price found by --lambda auto), and with {@code --lambda none}.
 */
final class NetworkErrors {
    private static final int SPLITS = Integer.getInteger("holdfast.bench.splits", 12);

    private static final Map<String, Plan> OURS = ours();

    private NetworkErrors() {}

    private static Map<String, Plan> ours() {
        Plan network =
                Plan.automatic().with("label", "y").with("test-share", "0").with("model", "mlp(hidden=32)");
        Map<String, Plan> plans = new LinkedHashMap<>();
        plans.put("with defaults", network);
        plans.put("lambda none", network.with("lambda", "none"));
        return plans;
    }

    static List<Measured> measure() throws IOException, InterruptedException {
        return Networks.beside(NetworkErrors::measure);
    }

    private static List<Measured> measure(Path folder, Path script) throws IOException {
        try (InputStream in = DataFile.class.getResourceAsStream("spambase.csv.gz")) {
            Files.copy(in, folder.resolve("spambase.csv.gz"));
        }
        Process python = new ProcessBuilder(
                        TrainAgainstPython.PYTHON, script.toString(), "tables", folder.toString(), "" + SPLITS)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Measured> out = new ArrayList<>();
        try (PrintWriter answers = new PrintWriter(python.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(python.getInputStream(), StandardCharsets.UTF_8))) {
            Map<String, double[]> errors = new LinkedHashMap<>();
            int split = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode theirs = new ObjectMapper().readTree(line);
                for (Map.Entry<String, Plan> plan : OURS.entrySet()) {
                    long start = System.nanoTime();
                    put(
                            errors,
                            plan.getKey(),
                            split,
                            error(folder, plan.getValue().with("seed", "" + (split + 1))));
                    put(errors, plan.getKey() + ", seconds", split, (System.nanoTime() - start) / 1e9);
                }
                for (String classifier : List.of("mlp", "linear", "trees")) {
                    if (theirs.has(classifier)) {
                        put(errors, classifier, split, theirs.get(classifier).doubleValue());
                    }
                }
                if (++split == SPLITS) {
                    add(theirs.get("name").textValue(), errors, out);
                    errors.clear();
                    split = 0;
                }
                answers.println();
            }
        } finally {
            python.destroy();
        }
        return out;
    }

    private static void put(Map<String, double[]> errors, String of, int split, double error) {
        errors.computeIfAbsent(of, key -> new double[SPLITS])[split] = error;
    }

    private static double error(Path folder, Plan plan) {
        TrainingRun run = Training.of(DataFile.read(folder.resolve("train.csv").toString(), plan), plan)
                .run();
        return Evaluation.of(
                        run.model(),
                        run.model()
                                .features(
                                        DataFile.read(folder.resolve("test.csv").toString(), plan)),
                        Shift.NONE)
                .error();
    }

    private static void add(String name, Map<String, double[]> errors, List<Measured> out) {
        errors.forEach((of, each) -> {
            boolean ours = OURS.containsKey(of);
            boolean seconds = of.endsWith("seconds");
            out.add(Measured.only(
                    name + ", " + (ours ? "mlp(32) " : seconds ? "" : "scikit-learn's ") + of
                            + (seconds ? "" : ", error"),
                    mean(each)));
            if (ours) {
                double[] more = new double[SPLITS];
                Arrays.setAll(more, split -> each[split] - errors.get("mlp")[split]);
                double spread = standardError(more);
                out.add(Measured.atMost(
                        String.format(
                                Locale.ROOT,
                                "%s, %s: more error than MLPClassifier, in standard errors of %.4f",
                                name,
                                of,
                                spread),
                        mean(more) == 0 ? 0 : mean(more) / spread,
                        1));
            }
        });
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double standardError(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
        return Math.sqrt(squares / (values.length - 1) / values.length);
    }
}
