package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void mistakesAreOneLine() throws IOException {
        expectRefused("OUT must be a file, as it is mapped when it is read; got -", "convert", "builtin:spambase", "-");
        expectRefused("no such file", "convert", folder.resolve("none.csv").toString(), mapped().toString());
        expectRefused("is a folder; a file is needed", "convert", "builtin:digits", folder.toString());
        expectRefused("label 'x' is not a column", "convert", "builtin:digits", mapped().toString(), "--label", "x");
        expectRefused("unknown option '--rounds'", "convert", "builtin:digits", mapped().toString(), "--rounds", "3");
        Path table = Files.writeString(folder.resolve("a.csv"), "a,y\n1,0\n2,1\n");
        expectRefused("must be a file of its own", "convert", table.toString(), table.toString());
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
        assertThat(result.code()).isEqualTo(Exit.BAD_INPUT);
        assertThat(result.err()).contains(why);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
    }
}
