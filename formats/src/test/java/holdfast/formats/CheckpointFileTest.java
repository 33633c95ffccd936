package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Carry;
import holdfast.aggregate.NormScreening;
import holdfast.data.Dataset;
import holdfast.model.LogisticRegression;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.Ledger;
import holdfast.rounds.LoopSettings;
import holdfast.rounds.ServerStep;
import holdfast.rounds.Stage;
import holdfast.rounds.StepSize;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.Worker;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.testkit.TrainedOffset;
import holdfast.training.Checkpoint;
import holdfast.training.Guarantee;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFileTest {
    private static final Dataset DATA = Samples.dataset(Seed.of(1), 500, 4);
    private static final Plan PLAN = Plan.defaults()
            .with("rounds", "40")
            .with("tolerance", "0.01")
            .with("attack", "aggressive")
            .with("liars", "1");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("run.checkpoint");
    }

    private static Checkpoint checkpoint(int round) {
        return new Checkpoint(
                PLAN,
                DATA.source(),
                new TrainingState(
                        round,
                        new double[] {0.1 + 0.2, -0.0, Double.MIN_VALUE},
                        new double[] {-0.0, 1.0 / 3},
                        new double[] {7, 1e-300, -0.0},
                        new double[] {1, 2, 3, 4, 5, 1.0 / 3},
                        new Carry(new double[] {1e308}),
                        Double.NaN,
                        0.25,
                        new StepSize.Current(0.1 + 0.2, Double.NaN, 1.1),
                        new TrainingState.Best(
                                round - 1, new double[] {-0.0, 1e-310, 0.3}, 0.1 + 0.2, new double[] {0.7, Double.NaN}),
                        new Stage(false, 12, 0.7, 1.0 / 3, 10),
                        true),
                new Ledger.Snapshot(List.of("a", "b"), 2, 1, new int[] {1, 2}, new int[] {0, 3}, new float[][] {
                    {0.1f, Float.NaN}, {Float.POSITIVE_INFINITY, 0}
                }),
                new Guarantee.Failures(
                        new Guarantee.Rounds(2, 0, 1),
                        new Guarantee.Rounds(1, 1, 1),
                        1.0 / 7,
                        Double.POSITIVE_INFINITY,
                        1.0 / 3));
    }

    @Test
    void readsBackToTheBit() {
        Checkpoint written = checkpoint(3);
        CheckpointFile.write(file, written);
        Checkpoint read = CheckpointFile.read(file);
        assertThat(Laws.bits(read.state().theta()))
                .isEqualTo(Laws.bits(written.state().theta()));
        assertThat(read.state())
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(written.state());
        assertThat(read.failures()).isEqualTo(written.failures());
        assertThat(read.ledger())
                .usingRecursiveComparison()
                .withEqualsForType(Float::equals, Float.class)
                .isEqualTo(written.ledger());
        assertThat(read.plan()).isEqualTo(PLAN);
        assertThat(read.data()).isEqualTo(DATA.source());
    }

    @Test
    void aRunResumedFromAnyFileEndsWithTheSameBitsAndLedger() {
        Plan plan = PLAN.with("tolerance", "1e-9");
        List<Checkpoint> saved = new ArrayList<>();
        TrainingRun whole = Training.of(DATA, plan)
                .checkpoints(3, c -> {
                    CheckpointFile.write(file, c);
                    saved.add(CheckpointFile.read(file));
                })
                .run();
        assertThat(saved).hasSizeGreaterThan(3);
        for (Checkpoint checkpoint : saved) {
            TrainingRun resumed = Training.of(DATA, plan).resume(checkpoint).run();
            assertThat(Laws.bits(resumed.state().theta()))
                    .isEqualTo(Laws.bits(whole.state().theta()));
            assertThat(resumed.ledger()).isEqualTo(whole.ledger());
        }
    }

    private static final Path OLD = Path.of("src/test/resources/holdfast/formats");

    /**
     * Version 0.1.0 at commit 1dc7f27 wrote these: {@code train builtin:spambase --workers 5 --worker-momentum 0.4
     * --server-momentum 0.3 --rule adaptive-screening --screened 1 --attack aggressive --liars 1 --test-share 0.9
     * --tolerance 0} with {@code --rounds 6}, and with {@code --rounds 12 --resume} from there.
     */
    @Test
    void aCheckpointOfTheVersionBeforeIsResumedToTheBitsOfThatVersion() {
        Checkpoint old = CheckpointFile.read(OLD.resolve("v2-round-6.checkpoint"));
        Checkpoint expected = CheckpointFile.read(OLD.resolve("v2-round-12.checkpoint"));
        assertThat(old.state().round()).isEqualTo(6);
        assertThat(old.state().duals()).isEmpty();
        Plan plan = expected.plan();
        List<Checkpoint> made = new ArrayList<>();
        TrainingRun run = Training.of(DataFile.read("builtin:spambase", plan), plan)
                .checkpoints(100, made::add)
                .resume(old)
                .run();
        assertThat(run.state().round()).isEqualTo(12);
        assertThat(made.get(0).state())
                .usingRecursiveComparison()
                .ignoringFields("step") // Older files do not have it.
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(expected.state());
        assertThat(made.get(0).ledger())
                .usingRecursiveComparison()
                .withEqualsForType(Float::equals, Float.class)
                .isEqualTo(expected.ledger());
        assertThat(made.get(0).failures()).isEqualTo(expected.failures());
    }

    /** A run whose objective has a variable of its own, saved and resumed after every third round. */
    @Test
    void dualsAreSavedAndResumedToTheSameBits() {
        TrainedOffset objective = new TrainedOffset(new LogisticRegression(true));
        LoopSettings settings =
                new LoopSettings(new NormScreening(1), objective, new double[5], 20, new ServerStep(0.3));
        List<Worker> workers = IntStream.range(0, 5)
                .mapToObj(w -> new Worker(
                        w, DATA.select(IntStream.range(100 * w, 100 * w + 100).toArray()), objective))
                .toList();
        try (InProcessPool pool = new InProcessPool(workers, 1)) {
            TrainingLoop loop = new TrainingLoop(settings, pool);
            TrainingState whole = loop.run(loop.start(), round -> {});
            assertThat(whole.duals()).hasSize(1).isNotEqualTo(loop.start().duals());
            TrainingState state = loop.start();
            while (state.round() < 20) {
                state = loop.next(state).state();
                if (state.round() % 3 == 0) {
                    Checkpoint any = checkpoint(1);
                    CheckpointFile.write(
                            file, new Checkpoint(any.plan(), any.data(), state, any.ledger(), any.failures()));
                    state = CheckpointFile.read(file).state();
                }
            }
            assertThat(Laws.bits(state.theta())).isEqualTo(Laws.bits(whole.theta()));
            assertThat(Laws.bits(state.duals())).isEqualTo(Laws.bits(whole.duals()));
        }
    }

    @Test
    void aTornFileFallsBackToTheOneBefore() throws IOException {
        CheckpointFile.write(file, checkpoint(1));
        CheckpointFile.write(file, checkpoint(2));
        assertThat(CheckpointFile.read(file).state().round()).isEqualTo(2);
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length += 97) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(CheckpointFile.read(file).state().round()).isOne();
        }
        Files.delete(file);
        assertThat(CheckpointFile.read(file).state().round()).isOne();
    }

    @Test
    void anEditedFileIsNotTrusted() throws IOException {
        CheckpointFile.write(file, checkpoint(7));
        Files.writeString(file, Files.readString(file).replace("\"round\" : 7", "\"round\" : 8"));
        assertThatThrownBy(() -> CheckpointFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": is not a whole holdfast checkpoint");
    }

    @Test
    void twoDamagedFilesAreAnError() throws IOException {
        CheckpointFile.write(file, checkpoint(1));
        CheckpointFile.write(file, checkpoint(2));
        Files.writeString(file, "torn");
        Files.writeString(folder.resolve("run.checkpoint.bak"), "torn too");
        assertThatThrownBy(() -> CheckpointFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith(": is not a whole holdfast checkpoint");
    }

    @Test
    void aDamagedFileDoesNotReplaceTheOneBeforeIt() throws IOException {
        CheckpointFile.write(file, checkpoint(1));
        CheckpointFile.write(file, checkpoint(2));
        Files.writeString(file, "torn");
        CheckpointFile.write(file, checkpoint(3));
        Files.writeString(file, "torn");
        assertThat(CheckpointFile.read(file).state().round()).isOne();
    }

    @Test
    void aMissingFileIsSaid() {
        assertThatThrownBy(() -> CheckpointFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": cannot be read: no such file");
    }

    /** Whole by its checksum, yet not for this program. */
    @Test
    void anotherFormatOrVersionIsRefused() throws IOException {
        CheckpointFile.write(file, checkpoint(1));
        String body = Files.readString(file).substring(9);
        expectRefused(body, body.replaceFirst("\"version\" : \\d+", "\"version\" : 99"), "got 99");
        expectRefused(body, body.replace("holdfast-checkpoint", "holdfast-model"), "is not a holdfast checkpoint");
        expectRefused(
                body,
                body.replaceFirst("\"step-failed\" : \\[[^]]*]", "\"step-failed\" : [ 1, 2 ]"),
                "'step-failed' must be three numbers");
    }

    private void expectRefused(String body, String other, String message) throws IOException {
        assertThat(other).isNotEqualTo(body);
        CRC32 crc = new CRC32();
        crc.update(other.getBytes(StandardCharsets.UTF_8));
        Files.writeString(file, String.format("%08x\n", crc.getValue()) + other);
        assertThatThrownBy(() -> CheckpointFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }
}
