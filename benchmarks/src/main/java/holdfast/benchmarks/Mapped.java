package holdfast.benchmarks;

import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.formats.DataFile;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Trains on an .hfd file larger than the heap, in a process of its own. Another process compares its rounds with those
 * on the same rows in memory, for one worker and for ten workers with rows dealt at random.
 */
final class Mapped {
    private static final int COLUMNS = 100;
    private static final long HEAP = 512L << 20;
    private static final int[] WORKERS = {1, 10};
    private static final int ROUNDS = 5;

    private static final Logger LOG = Logger.getLogger("holdfast");

    private Mapped() {}

    /** @param bytes the size of the file's values */
    static List<Measured> measure(long bytes) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("holdfast");
        try {
            long room = Files.getFileStore(folder).getUsableSpace();
            // The file exists twice while it is converted, beside a table of a quarter of its size.
            if (room < bytes / 4 * 10) {
                throw new IllegalStateException(folder + " has room for " + room + " bytes only");
            }
            Path file = folder.resolve("rows.hfd");
            write(folder.resolve("rows.csv"), bytes / 8 / COLUMNS);
            DataFile.convert(folder.resolve("rows.csv").toString(), Plan.defaults(), file, share -> {}, share -> {});
            Files.delete(folder.resolve("rows.csv"));
            String size = Math.round(Files.size(file) / 1e6) + " MB";
            double[] trained = inProcess(HEAP, Train.class, file);
            double[] rounds = inProcess(HEAP + bytes / 4 * 5, Compare.class, file);
            List<Measured> out = new ArrayList<>();
            out.add(Measured.atMost("training on " + size + ": peak heap, MB", trained[0] / (1 << 20), HEAP >> 20));
            out.add(Measured.only("its seconds in all", trained[1]));
            for (int i = 0; i < rounds.length / 2; i++) {
                String what = (i % 2 == 0 ? "plain" : "robust") + " round, workers: " + WORKERS[i / 2];
                out.add(Measured.only(what + ", in memory, seconds", rounds[2 * i]));
                out.add(Measured.atMost(what + ", mapped / in memory", rounds[2 * i + 1], 1.5));
            }
            return out;
        } finally {
            Paper.delete(folder);
        }
    }

    /** Writes digits, so that the table is a quarter of the file. */
    private static void write(Path table, long rows) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        byte[] line = ("0,".repeat(COLUMNS) + "0\n").getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(table), 1 << 16)) {
            for (long r = 0; r < rows; r++) {
                for (int c = 0; c < COLUMNS; c++) {
                    line[2 * c] = (byte) ('0' + random.nextInt(10));
                }
                line[2 * COLUMNS] = (byte) (line[0] + line[2] > 2 * '4' ? '1' : '0');
                out.write(line);
            }
        }
    }

    /** Runs a class in a process of its own and returns the numbers that it prints. */
    private static double[] inProcess(long heap, Class<?> main, Path file) throws IOException, InterruptedException {
        Path said = file.resolveSibling("said");
        int code = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:+UseParallelGC",
                        "--add-modules",
                        "jdk.incubator.vector",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        file.toString())
                .redirectOutput(said.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException(main.getSimpleName() + " ended with " + code);
        }
        return Arrays.stream(Files.readString(said).strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** Prints the peak of the heap in bytes, and the seconds. */
    static final class Train {
        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            long start = System.nanoTime();
            Plan plan = Plan.defaults().with("rounds", "10");
            Training.of(DataFile.read(args[0], plan), plan).threads(2).run();
            double seconds = (System.nanoTime() - start) / 1e9;
            long peak = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .mapToLong(pool -> pool.getPeakUsage().getUsed())
                    .sum();
            System.out.println(peak + " " + seconds);
        }
    }

    /**
     * Prints, for one worker and for ten, for a plain round and for a robust one, the seconds in memory and the time of
     * the mapped round as a multiple of it.
     */
    static final class Compare {
        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            Plan robust = Plan.defaults().with("test-share", "0").with("screened", "0");
            StringBuilder out = new StringBuilder();
            for (int workers : WORKERS) {
                Plan plan = robust.with("workers", Integer.toString(workers));
                PreparedData prepared = PreparedData.of(DataFile.read(args[0], plan), plan);
                List<Dataset> copies =
                        prepared.shards().stream().map(Compare::copy).toList();
                for (Plan each : List.of(plan.with("lambda", "none"), plan)) {
                    Objective loss = each.loss(prepared.training().schema());
                    Turns turns = compare(copies, prepared.shards(), loss);
                    out.append(turns.seconds(0))
                            .append(' ')
                            .append(turns.ratio(1, 0))
                            .append(' ');
                }
            }
            System.out.println(out);
        }

        private static Turns compare(List<Dataset> copied, List<Dataset> mapped, Objective loss) {
            double[] theta = new double[COLUMNS + 1];
            Arrays.fill(theta, 0.01);
            RoundRequest request = new RoundRequest(0, theta, false);
            try (InProcessPool here = pool(copied, loss);
                    InProcessPool there = pool(mapped, loss)) {
                return Turns.of(ROUNDS, () -> here.ask(request), () -> there.ask(request));
            }
        }

        private static InProcessPool pool(List<Dataset> shards, Objective loss) {
            return new InProcessPool(
                    IntStream.range(0, shards.size())
                            .mapToObj(w -> new Worker(w, shards.get(w), loss))
                            .toList(),
                    2);
        }

        private static Dataset copy(Dataset rows) {
            DatasetBuilder builder = new DatasetBuilder(rows.columns());
            IntStream.range(0, rows.rows()).forEach(r -> builder.add(rows.row(r), rows.label(r)));
            return builder.build(rows.schema(), rows.source());
        }
    }
}
