package holdfast.formats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.aggregate.Carry;
import holdfast.data.DataSource;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.rounds.Ledger;
import holdfast.rounds.Stage;
import holdfast.rounds.StepSize;
import holdfast.rounds.TrainingState;
import holdfast.training.Checkpoint;
import holdfast.training.Guarantee;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;

/**
 * A checkpoint on disk. The first line is the CRC-32 of the rest, so a torn or edited file is detected. The previous
 * checkpoint is kept next to it with {@code .bak} appended and is read if the newest is damaged.
 */
public final class CheckpointFile {
    private static final String FORMAT = "holdfast-checkpoint";
    private static final int VERSION = 4;
    /** Version 2 did not have variables that belong to the objective; versions below 4 had one step size and pooled statistics. */
    private static final int OLDEST_VERSION = 2;

    private CheckpointFile() {}

    public static void write(Path file, Checkpoint checkpoint) {
        String body = print(checkpoint);
        try {
            if (isWhole(file)) {
                Files.copy(file, backup(file), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new InputException(backup(file) + ": cannot be written: " + AtomicFile.reason(e));
        }
        AtomicFile.write(file, checksum(body) + "\n" + body);
    }

    /**
     * Reads a checkpoint.
     *
     * @throws InputException if neither the file nor the previous one is intact
     */
    public static Checkpoint read(Path file) {
        return read(file, Catalogues.standard());
    }

    /** Reads a checkpoint with a plan that uses names from these catalogues. */
    public static Checkpoint read(Path file, Catalogues catalogues) {
        try {
            return readOne(file, catalogues);
        } catch (InputException e) {
            if (Files.exists(backup(file))) {
                return readOne(backup(file), catalogues);
            }
            throw e;
        }
    }

    /** Returns whether a file is intact: a damaged file must not replace the good backup. */
    private static boolean isWhole(Path file) {
        try {
            body(file);
            return true;
        } catch (InputException e) {
            return false;
        }
    }

    private static Path backup(Path file) {
        return file.resolveSibling(file.getFileName() + ".bak");
    }

    private static String checksum(String body) {
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }

    private static String print(Checkpoint checkpoint) {
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("version", VERSION);
        Json.put(root, "plan", checkpoint.plan().settings());
        RecordedPlugins.put(root, checkpoint.plan().catalogues().plugins());
        root.put("data", checkpoint.data().name());
        root.put("sha256", checkpoint.data().sha256());
        TrainingState state = checkpoint.state();
        root.put("round", state.round());
        Json.put(root, "theta", state.theta());
        Json.put(root, "duals", state.duals());
        Json.put(root, "velocity", state.velocity());
        Json.put(root, "momenta", state.momenta());
        Json.put(root, "carry", state.carry().values());
        Json.put(root, "first-objective", state.firstObjective());
        Json.put(root, "last-objective", state.lastObjective());
        Json.put(root, "step", new double[] {
            state.step().size(),
            state.step().objective(),
            state.step().growth(),
            state.step().flattest(),
            state.step().gap()
        });
        root.put("best-round", state.best().round());
        Json.put(root, "best-theta", state.best().theta());
        Json.put(root, "best-objective", state.best().objective());
        Json.put(root, "best-losses", state.best().losses());
        Stage stage = state.stage();
        Json.put(root, "stage", new double[] {
            stage.early() ? 1 : 0, stage.rounds(), stage.longest(), stage.shortest(), stage.since()
        });
        root.put("settled", state.settled());
        Ledger.Snapshot ledger = checkpoint.ledger();
        Json.put(root, "workers", ledger.workers());
        root.put("ledger-rounds", ledger.rounds());
        root.put("ledger-stride", ledger.stride());
        Json.put(root, "screened", ledger.screened());
        Json.put(root, "failed", ledger.failed());
        ObjectNode ratios = root.putObject("norm-ratios");
        float[][] remembered = ledger.ratios();
        for (int w = 0; w < remembered.length; w++) {
            ArrayNode own = ratios.putArray(Integer.toString(w));
            for (float ratio : remembered[w]) {
                own.add(Float.isNaN(ratio) ? -1 : ratio);
            }
        }
        Guarantee.Failures failures = checkpoint.failures();
        Json.put(root, "lambda-failed", numbers(failures.lambda()));
        Json.put(root, "step-failed", numbers(failures.step()));
        Json.put(root, "smoothness", failures.smoothness());
        Json.put(root, "worst-precision", failures.precision());
        Json.put(root, "squared-directions", failures.squares());
        return Json.print(root);
    }

    private static int[] numbers(Guarantee.Rounds failed) {
        return new int[] {failed.rounds(), failed.first(), failed.last()};
    }

    private static Stage stage(double[] numbers) {
        return new Stage(numbers[0] == 1, (int) numbers[1], numbers[2], numbers[3], (int) numbers[4]);
    }

    private static StepSize.Current step(double[] numbers) {
        return numbers.length == 3
                ? new StepSize.Current(numbers[0], numbers[1], numbers[2])
                : new StepSize.Current(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }

    private static Guarantee.Rounds rounds(Json root, String name) {
        int[] numbers = root.integers(name);
        Check.that(numbers.length == 3, "%s: '%s' must be three numbers", root.file(), name);
        return new Guarantee.Rounds(numbers[0], numbers[1], numbers[2]);
    }

    private static String body(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
        }
        Check.that(
                text.indexOf('\n') == 8 && checksum(text.substring(9)).equals(text.substring(0, 8)),
                "%s: is not a whole holdfast checkpoint",
                file);
        return text.substring(9);
    }

    private static Checkpoint readOne(Path file, Catalogues catalogues) {
        Json root = Json.parse(file.toString(), body(file));
        Check.that(root.node().path("format").asText().equals(FORMAT), "%s: is not a holdfast checkpoint", file);
        int version = root.integer("version");
        Check.that(
                version >= OLDEST_VERSION && version <= VERSION,
                "%s: must be a checkpoint of version %d to %d, got %d, which another version of holdfast wrote; start anew"
                        + " without --resume",
                file,
                OLDEST_VERSION,
                VERSION,
                version);
        RecordedPlugins.requireGiven(file.toString(), RecordedPlugins.read(root), catalogues);
        int workers = root.texts("workers").size();
        float[][] ratios = new float[workers][];
        for (int w = 0; w < workers; w++) {
            double[] own = root.object("norm-ratios").numbers(Integer.toString(w));
            ratios[w] = new float[own.length];
            for (int r = 0; r < own.length; r++) {
                ratios[w][r] = own[r] < 0 ? Float.NaN : (float) own[r];
            }
        }
        return new Checkpoint(
                Plan.of(ModelFile.settings(root, version < 4), catalogues),
                new DataSource(root.text("data"), root.text("sha256")),
                new TrainingState(
                        root.integer("round"),
                        root.numbers("theta"),
                        version == 2 ? new double[0] : root.numbers("duals"),
                        root.numbers("velocity"),
                        root.numbers("momenta"),
                        new Carry(root.numbers("carry")),
                        root.number("first-objective"),
                        root.number("last-objective"),
                        version < 4 ? StepSize.START : step(root.numbers("step")),
                        new TrainingState.Best(
                                root.integer("best-round"),
                                root.numbers("best-theta"),
                                root.number("best-objective"),
                                root.node().has("best-losses") ? root.numbers("best-losses") : new double[0]),
                        root.node().has("stage") ? stage(root.numbers("stage")) : Stage.START,
                        root.bool("settled")),
                new Ledger.Snapshot(
                        root.texts("workers"),
                        root.integer("ledger-rounds"),
                        root.integer("ledger-stride"),
                        root.integers("screened"),
                        root.integers("failed"),
                        ratios),
                new Guarantee.Failures(
                        rounds(root, "lambda-failed"),
                        rounds(root, "step-failed"),
                        root.number("smoothness"),
                        root.number("worst-precision"),
                        root.node().has("squared-directions") ? root.number("squared-directions") : Double.NaN));
    }
}
