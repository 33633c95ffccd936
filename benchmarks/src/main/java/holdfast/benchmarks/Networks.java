package holdfast.benchmarks;

import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.math.Threads;
import holdfast.model.Activation;
import holdfast.model.HiddenLayers;
import holdfast.model.LogisticRegression;
import holdfast.model.NeuralNetwork;
import holdfast.model.SoftmaxRegression;
import holdfast.objective.Effort;
import holdfast.objective.GradientAscent;
import holdfast.objective.Iterate;
import holdfast.objective.RobustLoss;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.LocalWork;
import holdfast.rounds.LoopSettings;
import holdfast.rounds.RowSampling;
import holdfast.rounds.ServerStep;
import holdfast.rounds.StepSchedule;
import holdfast.rounds.StepSize;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.Worker;
import holdfast.training.PreparedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Epochs of a network with 64 hidden units (softplus, doubles, batches of 256 rows, plain steps of a constant length, two
 * threads) against PyTorch. An epoch of ours is rows/256 rounds of Holdfast's training loop with one worker, everything
 * that a round does included: the worker draws and copies its batch, its update is checked and goes through a rule (the
 * mean), and the server takes the step. An epoch of PyTorch draws an order of the rows, copies each batch, and does
 * zero_grad, forward, backward and step. "Gradients alone" are those of the same number of batches that lie side by side
 * in memory, without drawing, copying or stepping, on both sides.
 */
final class Networks {
    private static final int BATCH = 256;
    private static final int TURNS = 31;
    private static final int WARM_UP = 10;
    private static final int THREADS = 2;
    private static final double LAMBDA = 3;

    private final Path folder;
    private final List<Measured> out = new ArrayList<>();

    private Networks(Path folder) {
        this.folder = folder;
    }

    static List<Measured> measure() throws IOException, InterruptedException {
        return beside((folder, script) -> {
            Networks networks = new Networks(folder);
            networks.compare(script, "Digits", digits());
            networks.compare(script, "100,000 x 100", Samples.rows(100_000, 100));
            return networks.out;
        });
    }

    /** What is measured beside PyTorch or scikit-learn. */
    interface Comparison {
        List<Measured> measure(Path folder, Path script) throws IOException;
    }

    /** Returns what a comparison measures, in a temporary folder with the script; nothing where Python lacks what that needs. */
    static List<Measured> beside(Comparison comparison) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("holdfast");
        try {
            Path script = folder.resolve("networks.py");
            try (InputStream in = Networks.class.getResourceAsStream("networks.py")) {
                Files.copy(in, script);
            }
            if (!TrainAgainstPython.succeeds(script, "check")) {
                System.err.println("holdfast-bench: networks are compared with PyTorch and scikit-learn, which "
                        + TrainAgainstPython.PYTHON
                        + " does not have: apt-get install python3-torch python3-sklearn libopenblas0");
                return List.of();
            }
            return comparison.measure(folder, script);
        } finally {
            Paper.delete(folder);
        }
    }

    private static Dataset digits() {
        Plan plan = Plan.defaults().with("test-share", "0");
        return PreparedData.of(DataFile.read("builtin:digits", plan), plan).training();
    }

    /** A process with PyTorch that answers each line with a number. */
    private static final class Torch implements AutoCloseable {
        private final Process process;
        private final PrintWriter questions;
        private final BufferedReader answers;

        Torch(Path script, Path file, int columns, int classes) throws IOException {
            process = new ProcessBuilder(
                            TrainAgainstPython.PYTHON,
                            script.toString(),
                            "serve",
                            file.toString(),
                            Integer.toString(columns),
                            Integer.toString(classes))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            questions = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        double ask(String question) {
            questions.println(question);
            try {
                return Double.parseDouble(answers.readLine());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    private void compare(Path script, String name, Dataset data) throws IOException {
        int classes = data.schema().classes().size();
        int d = data.columns();
        NeuralNetwork model = new NeuralNetwork(
                HiddenLayers.of(64),
                Activation.SOFTPLUS,
                classes == 2 ? new LogisticRegression(true) : new SoftmaxRegression(classes, true));
        double[] start = model.start(d, Seed.of(1));
        RobustLoss plain = RobustLoss.plain(model);
        RobustLoss robust = new RobustLoss(
                model, new GradientAscent(model, LAMBDA, 1 / (2 * LAMBDA)), Effort.always(new Effort.Steps(10)), 0);
        Path file = folder.resolve(name.replaceAll("\\W", "") + ".f64");
        write(file, rows(data));
        try (Torch torch = new Torch(script, file, d, classes)) {
            requireSameLoss(torch, model, start, data);
            List<Dataset> batches = batches(data);
            Epochs epochs = new Epochs(data, plain, start, THREADS);
            Threads two = Threads.of(THREADS);
            Turns turns = Turns.of(
                    WARM_UP,
                    TURNS,
                    () -> epochs.seconds(batches.size()),
                    () -> torch.ask("epoch"),
                    () -> gradients(batches, plain, start, two),
                    () -> torch.ask("gradients"),
                    () -> gradients(batches, plain, start, Threads.ONE),
                    () -> gradients(batches.subList(0, Math.min(40, batches.size())), robust, start, Threads.ONE),
                    () -> gradients(batches.subList(0, Math.min(40, batches.size())), plain, start, Threads.ONE));
            String on = ", " + name;
            out.add(Measured.atMost("epoch / PyTorch's" + on, turns.ratio(0, 1), 1));
            addTimes("epoch, ms" + on, turns, 0);
            addTimes("PyTorch's epoch, ms" + on, turns, 1);
            out.add(Measured.only("gradients alone / PyTorch's" + on, turns.ratio(2, 3)));
            addTimes("gradients alone, ms" + on, turns, 2);
            addTimes("PyTorch's gradients alone, ms" + on, turns, 3);
            addTimes("gradients alone, one thread, ms" + on, turns, 4);
            out.add(Measured.atMost("robust gradient, T_z = 10 / plain" + on, turns.ratio(5, 6), 11));
            two.close();
            epochs.close();
        }
    }

    private void addTimes(String what, Turns turns, int work) {
        out.add(Measured.only(what + ", median", 1e3 * turns.seconds(work)));
        out.add(Measured.only(what + ", least", 1e3 * turns.least(work)));
    }

    /** Rounds of the training loop, one after the other. */
    private static final class Epochs implements AutoCloseable {
        private final InProcessPool pool;
        private final TrainingLoop loop;
        private TrainingState state;

        Epochs(Dataset data, RobustLoss loss, double[] start, int threads) {
            LocalWork batch = new LocalWork(new RowSampling.Batch(BATCH, Seed.of(1)), 1, 1, new LocalWork.Gradient());
            pool = new InProcessPool(List.of(new Worker(0, data, Optional.empty(), loss, batch)), threads);
            loop = new TrainingLoop(
                    new LoopSettings(
                            new Mean(),
                            loss,
                            start,
                            Integer.MAX_VALUE,
                            new ServerStep(
                                    new StepSize.Fixed(0.01),
                                    StepSchedule.CATALOGUE.choose("constant").value(),
                                    0)),
                    pool);
            state = loop.start();
        }

        double seconds(int rounds) {
            long begin = System.nanoTime();
            for (int round = 0; round < rounds; round++) {
                state = loop.next(state).state();
            }
            return (System.nanoTime() - begin) / 1e9;
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private static double gradients(List<Dataset> batches, RobustLoss loss, double[] theta, Threads threads) {
        Iterate at = Iterate.of(theta);
        long begin = System.nanoTime();
        for (Dataset batch : batches) {
            threads.call(() -> loss.sums(at, batch, false));
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private static List<Dataset> batches(Dataset data) {
        return IntStream.range(0, data.rows() / BATCH)
                .mapToObj(b ->
                        data.select(IntStream.range(b * BATCH, (b + 1) * BATCH).toArray()))
                .toList();
    }

    /** Fails unless PyTorch's network and ours have the same loss with the same parameters. */
    private void requireSameLoss(Torch torch, NeuralNetwork model, double[] theta, Dataset data) throws IOException {
        Path file = folder.resolve("theta.f64");
        write(file, List.of(theta));
        RobustLoss plain = RobustLoss.plain(model);
        double ours = plain.value(Iterate.of(theta), plain.sums(Iterate.of(theta), data, true), data.columns());
        double theirs = torch.ask("loss " + file);
        if (!(Math.abs(ours - theirs) <= 1e-10 * ours)) {
            throw new IllegalStateException("not the same network: the losses are " + ours + " and " + theirs);
        }
    }

    /** The rows, each with its label at the end. */
    private static List<double[]> rows(Dataset data) {
        return IntStream.range(0, data.rows())
                .mapToObj(r -> {
                    double[] row = new double[data.columns() + 1];
                    data.copyRow(r, row);
                    row[data.columns()] = data.label(r);
                    return row;
                })
                .toList();
    }

    private static void write(Path file, List<double[]> arrays) throws IOException {
        int length = arrays.stream().mapToInt(array -> array.length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(8 * length).order(ByteOrder.LITTLE_ENDIAN);
        arrays.forEach(array -> {
            bytes.asDoubleBuffer().put(array);
            bytes.position(bytes.position() + 8 * array.length);
        });
        Files.write(file, bytes.array());
    }
}
