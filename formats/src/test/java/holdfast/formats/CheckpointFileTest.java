package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Laws;
import holdfast.Samples;
import holdfast.Seed;
import holdfast.aggregate.Carry;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.rounds.Ledger;
import holdfast.rounds.TrainingState;
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
                        new double[] {7, 1e-300, -0.0},
                        new double[] {1, 2, 3, 4, 5, 1.0 / 3},
                        new Carry(new double[] {1e308}),
                        Double.NaN,
                        0.25,
                        new TrainingState.Best(round - 1, new double[] {-0.0, 1e-310, 0.3}, 0.1 + 0.2),
                        true),
                new Ledger.Snapshot(List.of("a", "b"), 2, 1, new int[] {1, 2}, new int[] {0, 3}, new float[][] {
                    {0.1f, Float.NaN}, {Float.POSITIVE_INFINITY, 0}
                }),
                new Guarantee.Failures(
                        new Guarantee.Rounds(2, 0, 1),
                        new Guarantee.Rounds(1, 1, 1),
                        1.0 / 7,
                        Double.POSITIVE_INFINITY));
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
        List<Checkpoint> saved = new ArrayList<>();
        TrainingRun whole = Training.of(DATA, PLAN)
                .checkpoints(3, c -> {
                    CheckpointFile.write(file, c);
                    saved.add(CheckpointFile.read(file));
                })
                .run();
        assertThat(saved).hasSizeGreaterThan(3);
        for (Checkpoint checkpoint : saved) {
            TrainingRun resumed = Training.of(DATA, PLAN).resume(checkpoint).run();
            assertThat(Laws.bits(resumed.state().theta()))
                    .isEqualTo(Laws.bits(whole.state().theta()));
            assertThat(resumed.ledger()).isEqualTo(whole.ledger());
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
