package holdfast.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.TrainingLoop;
import holdfast.training.PreparedData;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Training compared with what a user of Python would do, by processes on the same machine.
 *
 * <p>A table: {@code ./holdfast train data.csv --label y --out model.json}, which is robust, recalibrates and tests
 * under shifts, against a script that reads the same file with pandas, holds out 30 % of the rows, standardises, fits
 * scikit-learn's LogisticRegression with its defaults and scores. Both are timed from start to end of the process.
 *
 * <p>Rounds: how many rounds of plain training (lambda none, rule mean, ten workers) and how many iterations of SciPy's
 * L-BFGS it takes until (F - F*)/F* &lt;= 1e-4 on standard problems with the same scaled features and the same
 * objective. Where classes can be told apart without error, so that F alone has no minimum, both have l2 = 1e-3.
 */
final class TrainAgainstPython {
    private static final int ROWS = 100_000;
    private static final int COLUMNS = 100;
    private static final int TURNS = 5;
    private static final double CLOSE = 1e-4;
    private static final int MAX_ROUNDS = 5000;
    static final String PYTHON = Optional.ofNullable(System.getenv("PYTHON")).orElse("/usr/bin/python3");

    private static final Pattern TRAINED = Pattern.compile("training +(\\d+) rounds");
    private static final Pattern TESTED = Pattern.compile("as they are +([\\d.]+) +([\\d.]+)");

    private final Path folder;
    private final Path script;

    private TrainAgainstPython(Path folder) throws IOException {
        this.folder = folder;
        this.script = copy(TrainAgainstPython.class, "train.py");
    }

    static List<Measured> measure() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("holdfast");
        try {
            TrainAgainstPython both = new TrainAgainstPython(folder);
            if (!succeeds(both.script, "check")) {
                System.err.println("holdfast-bench: train compares with scikit-learn, which " + PYTHON
                        + " does not have: apt-get install python3-sklearn python3-pandas");
                return List.of();
            }
            List<Measured> out = new ArrayList<>(both.table());
            out.addAll(both.rounds());
            return out;
        } finally {
            Paper.delete(folder);
        }
    }

    private Path copy(Class<?> beside, String resource) throws IOException {
        Path file = folder.resolve(resource);
        try (InputStream in = beside.getResourceAsStream(resource)) {
            Files.copy(in, file);
        }
        return file;
    }

    /** Runs a script, and says whether it ends without an error; false without Python. */
    static boolean succeeds(Path script, String argument) throws InterruptedException {
        try {
            return new ProcessBuilder(PYTHON, script.toString(), argument)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private List<Measured> table() throws IOException {
        Path file = folder.resolve("data.csv");
        write(file);
        Paper.run("./holdfast", "--help"); // Builds it first, so that the build is not measured.
        String[] command = {
            "./holdfast",
            "train",
            file.toString(),
            "--label",
            "y",
            "--out",
            folder.resolve("model.json").toString()
        };
        String[] ours = new String[1];
        JsonNode[] theirs = new JsonNode[1];
        Turns turns = Turns.of(
                1,
                TURNS,
                Turns.timed(() -> ours[0] = Paper.run(command)),
                Turns.timed(() -> theirs[0] = python("fit", file).get(0)),
                Turns.timed(() -> DataFile.read(file.toString(), Plan.defaults())),
                () -> theirs[0].get("read").doubleValue());
        double[] tested = found(TESTED, ours[0]);
        return List.of(
                Measured.only("the file, MB", Files.size(file) / 1e6),
                Measured.only("./holdfast train, seconds", turns.seconds(0)),
                Measured.only("pandas and scikit-learn, seconds", turns.seconds(1)),
                Measured.atMost("./holdfast train / pandas and scikit-learn", turns.ratio(0, 1), 1),
                Measured.only("reading by holdfast, in a JVM that has read it before, seconds", turns.seconds(2)),
                Measured.only("reading by pandas, seconds", turns.seconds(3)),
                Measured.only("holdfast's rounds", found(TRAINED, ours[0])[0]),
                Measured.only(
                        "scikit-learn's iterations", theirs[0].get("iterations").doubleValue()),
                Measured.only("holdfast's log-loss on held-out rows", tested[1]),
                Measured.only(
                        "scikit-learn's log-loss on held-out rows",
                        theirs[0].get("logLoss").doubleValue()),
                Measured.only("holdfast's accuracy on them", 1 - tested[0]),
                Measured.only(
                        "scikit-learn's accuracy on them",
                        theirs[0].get("accuracy").doubleValue()));
    }

    /** Writes rows with about six digits a number. */
    private static void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < COLUMNS; i++) {
                out.append("x" + i + ",");
            }
            out.append("y\n");
            for (int r = 0; r < ROWS; r++) {
                double[] row = Samples.neighbours(r, COLUMNS);
                for (int i = 0; i < COLUMNS; i++) {
                    out.append(Math.round(row[i] * 1e5) / 1e5 + ",");
                }
                out.append((int) row[COLUMNS] + "\n");
            }
        }
    }

    private static double[] found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("./holdfast train does not print " + pattern);
        }
        return IntStream.rangeClosed(1, matcher.groupCount())
                .mapToDouble(group -> Double.parseDouble(matcher.group(group)))
                .toArray();
    }

    /** Returns the lines of JSON that the script prints. */
    private List<JsonNode> python(String what, Path about) {
        try {
            return new ObjectMapper()
                    .readerFor(JsonNode.class)
                    .<JsonNode>readValues(Paper.run(PYTHON, script.toString(), what, about.toString()))
                    .readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Measured> rounds() throws IOException {
        copy(DataFile.class, "spambase.csv.gz");
        List<Measured> out = new ArrayList<>();
        for (JsonNode problem : python("problems", folder)) {
            String name = problem.get("name").textValue();
            double least = problem.get("least").doubleValue();
            int iterations = problem.get("iterations").intValue();
            int ofFall = problem.get("iterationsOfFall").intValue();
            List<Double> objectives = objectives(problem);
            double rounds = firstBelow(least * (1 + CLOSE), objectives);
            out.add(Measured.atMost(
                    String.format(
                            Locale.ROOT,
                            "%s, l2 %s, %.0f rounds / %d iterations (%d passes)",
                            name,
                            problem.get("l2").asText(),
                            rounds,
                            iterations,
                            problem.get("passes").intValue()),
                    rounds / iterations,
                    3));
            double roundsOfFall = firstBelow(least + CLOSE * (objectives.get(0) - least), objectives);
            out.add(Measured.only(
                    String.format(Locale.ROOT, "  to (F - F*)/(F_0 - F*) <= 1e-4, %.0f / %d", roundsOfFall, ofFall),
                    roundsOfFall / ofFall));
        }
        return out;
    }

    /** Returns F at the start and after each round, in the unit of Python's labels, until F is close by both measures. */
    private static List<Double> objectives(JsonNode problem) {
        Plan plan = Plan.defaults()
                .with("label", "y")
                .with("rule", "mean")
                .with("lambda", "none")
                .with("l2", problem.get("l2").asText())
                .with("scale", "none")
                .with("source-weights", "rows") // F is then the mean over all rows, even if workers have one row more
                .with("test-share", "0")
                .with("tolerance", "0");
        PreparedData prepared =
                PreparedData.of(DataFile.read(problem.get("file").textValue(), plan), plan);
        Plan resolved = prepared.resolve(plan);
        double unit = Math.pow(prepared.labels().divisor(), 2); // of squared errors; 1 for classes
        double least = problem.get("least").doubleValue();
        List<Double> objectives = new ArrayList<>();
        try (InProcessPool pool = new InProcessPool(prepared.workers(resolved), 2)) {
            TrainingLoop loop = new TrainingLoop(
                    resolved.resolve(prepared.training().schema(), pool.workers())
                            .loop(Optional.empty()),
                    pool);
            RoundRecord round = loop.next(loop.start());
            objectives.add(round.objective() * unit);
            double limit = least + CLOSE * Math.min(least, objectives.get(0) - least);
            while (objectives.get(objectives.size() - 1) > limit && objectives.size() <= MAX_ROUNDS) {
                round = loop.next(round.state());
                objectives.add(round.objective() * unit);
            }
        }
        return objectives;
    }

    /** Returns the number of rounds after which the objective is at most this; infinite if it never is. */
    private static double firstBelow(double limit, List<Double> objectives) {
        return IntStream.range(0, objectives.size())
                .filter(t -> objectives.get(t) <= limit)
                .asDoubleStream()
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
