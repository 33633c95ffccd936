package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertTest {
    @TempDir
    private Path folder;

    private Path mapped() {
        return folder.resolve("spam.hfd");
    }

    @Test
    void aConvertedFileServesEveryCommandAlike() throws IOException {
        Shell.Result done = Shell.run("convert", "builtin:spambase", mapped().toString());
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).isEqualTo("4601 rows, 3 MB written to " + mapped() + "\n");
        Path model = folder.resolve("model.json");
        assertThat(Shell.run("train", mapped().toString(), "--rounds", "20", "--quiet", "--out", model.toString())
                        .code())
                .isZero();
        assertThat(Shell.run("rerun", model.toString(), "builtin:spambase").code())
                .as("the table gives the same weights")
                .isZero();
        assertThat(Shell.run("rerun", model.toString(), mapped().toString()).code())
                .isZero();
        for (String command : new String[] {"evaluate", "predict"}) {
            assertThat(Shell.run(command, model.toString(), mapped().toString()).out())
                    .isEqualTo(Shell.run(command, model.toString(), "builtin:spambase")
                            .out())
                    .isNotEmpty();
        }
    }

    /** The label is not the last column, and cells are missing: the model must know how the table was read. */
    @Test
    void aModelOfAConvertedFileIsThatOfItsTable() throws IOException {
        StringBuilder rows = new StringBuilder("ill,age,flag\n");
        for (int r = 0; r < 200; r++) {
            rows.append(r % 3 == 0 ? "yes," : "no,")
                    .append(r % 7 == 0 ? "" : Integer.toString(r % 3 + r % 11))
                    .append(r % 2 == 0 ? ",1\n" : ",0\n");
        }
        String table = Files.writeString(folder.resolve("t.csv"), rows).toString();
        String file = folder.resolve("t.hfd").toString();
        String model = folder.resolve("model.json").toString();
        String checkpoint = folder.resolve("run.ckpt").toString();
        Shell.run("convert", table, file, "--label", "ill", "--missing", "mean");
        Shell.run("train", file, "--quiet", "--out", model);
        assertThat(Shell.run("rerun", model, table).out()).startsWith("the same to the bit");
        assertThat(Shell.run("rerun", model, file).out()).startsWith("the same to the bit");
        String reading = "--label ill --missing mean";
        String run = "--tolerance 0 --rounds 9 --quiet --checkpoint " + checkpoint;
        assertThat(Shell.run(("train " + table + " " + reading + " " + run).split(" "))
                        .code())
                .isZero();
        Shell.Result resumed = Shell.run(("train " + file + " " + run + " --resume").split(" "));
        assertThat(resumed.code()).as(resumed.err()).isZero();
    }

    @Test
    void aFileConvertedWithAnotherLabelIsNoTest() throws IOException {
        String table = Files.writeString(folder.resolve("t.csv"), "x,y,z\n1,0,1\n2,1,0\n3,0,1\n5,1,1\n1,1,0\n4,0,0\n")
                .toString();
        String file = folder.resolve("t.hfd").toString();
        String model = folder.resolve("model.json").toString();
        Shell.run("convert", table, file, "--label", "z");
        Shell.run("train", table, "--label", "y", "--workers", "1", "--test-share", "0", "--quiet", "--out", model);
        expectRefused("must have the label y, got z; convert again with --label y", "evaluate", model, file);
        assertThat(Shell.run("predict", model, table).code()).isZero();
    }

    @Test
    void mistakesAreOneLine() throws IOException {
        expectRefused(
                "OUT must be a file, because it is memory-mapped when it is read; got -",
                "convert",
                "builtin:spambase",
                "-");
        expectRefused("no such file", "convert", folder.resolve("none.csv").toString(), mapped().toString());
        expectRefused("is a folder; a file is needed", "convert", "builtin:digits", folder.toString());
        expectRefused("--label 'x' is not a column", "convert", "builtin:digits", mapped().toString(), "--label", "x");
        expectRefused("unknown option '--rounds'", "convert", "builtin:digits", mapped().toString(), "--rounds", "3");
        Path table = Files.writeString(folder.resolve("a.csv"), "a,y\n1,0\n2,1\n");
        expectRefused("must differ from the other files of the command", "convert", table.toString(), table.toString());
        assertThat(mapped()).doesNotExist();
        assertThat(Shell.run("convert", table.toString(), mapped().toString()).code())
                .isZero();
        byte[] damaged = Files.readAllBytes(mapped());
        damaged[damaged.length - 9] ^= 1;
        Files.write(mapped(), damaged);
        expectRefused("is damaged", "train", mapped().toString());
    }

    private static void expectRefused(String why, String... command) {
        Shell.Result result = Shell.run(command);
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains(why);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
    }
}
