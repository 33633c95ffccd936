package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands do not do: they say why in one line, and leave files as they are. */
class RefusalsTest {
    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void badInputIsOneLineAndNothingIsWritten() throws IOException {
        Path good = Clinics.write(folder, 7, 0);
        String trained = folder.resolve("trained.json").toString();
        Shell.run("train", good.toString(), "--label", "ill", "--workers-by", "clinic", "--out", trained);
        Path out = file("model.json", "precious");
        refused(out, "no such file", "train", folder.resolve("missing.csv").toString());
        refused(out, "is empty", "train", file("empty.csv", "").toString());
        refused(
                out,
                "line 3: must have 2 cells",
                "train",
                file("ragged.csv", "x,y\n1,0\n1\n").toString());
        refused(
                out,
                "line 3, column 1 (x) must be a finite number, got 'blue'",
                "train",
                file("text.csv", "x,y\n1,0\nblue,1\n").toString());
        refused(
                out,
                "line 3, column 1 (x) is missing",
                "train",
                file("nan.csv", "x,y\n2,0\nNaN,1\n").toString());
        refused(
                out,
                "different labels",
                "train",
                file("one.csv", "x,y\n2,0\n3,0\n").toString());
        refused(
                out,
                "4 rows for 10 workers",
                "train",
                file("few.csv", "x,y\n1,0\n2,1\n3,0\n4,1\n5,0\n6,1\n").toString());
        refused(
                out,
                "--tolerated must be below the number of workers",
                "train",
                good.toString(),
                "--label",
                "ill",
                "--workers-by",
                "clinic",
                "--screened",
                "12");
        refused(out, "--lambda must be > 0 and finite, got -1", "train", good.toString(), "--lambda", "-1");
        refused(
                out,
                "--lambda is the price of moving rows in --objective wasserstein; leave it out with --objective kl, got 3",
                "train",
                good.toString(),
                "--objective",
                "kl",
                "--lambda",
                "3");
        refused(out, "unknown option '--lamda'; known: --plan", "train", good.toString(), "--lamda", "3");
        refused(
                out,
                "--label 'sick' is not a column; there are age, pressure",
                "train",
                good.toString(),
                "--label",
                "sick");
        refused(
                out,
                "unknown plan key 'lamda'; known: label",
                "train",
                good.toString(),
                "--plan",
                file("plan.yaml", "lamda: 3\n").toString());
        refused(out, "unknown data 'builtin:mnist'", "train", "builtin:mnist");
        refused(
                out,
                "does not exist",
                "train",
                good.toString(),
                "--label",
                "ill",
                "--workers-by",
                "clinic",
                "--checkpoint",
                folder.resolve("nowhere/run.ckpt").toString());
        refused(
                out,
                "missing.csv: cannot be read: no such file",
                "train",
                good.toString(),
                "--label",
                "ill",
                "--workers-by",
                "clinic",
                "--test",
                folder.resolve("missing.csv").toString());
        refused(
                out,
                "must be one document",
                "train",
                good.toString(),
                "--plan",
                file("two.yaml", "lambda: 3\n---\nlambda: 4\n").toString());
        refused(out, "threads must be at least 1", "train", good.toString(), "--threads", "0");
        refused(out, "--out must differ from the other files of the command", "train", out.toString());
        refused(
                null,
                "--checkpoint must differ from the other files of the command",
                "train",
                good.toString(),
                "--checkpoint",
                good.toString());
        Path broken = file("broken.json", "{\"format\": \"holdfast-model\", \"vers");
        refused(
                null,
                "broken.json: line 1, column 35: is not JSON: Unexpected end-of-input in field name\n",
                "evaluate",
                broken.toString(),
                good.toString());
        Path list = file("list.json", "{\n\"weights\": [1,\n2");
        refused(null, "(start marker at line 2, column 12)\n", "evaluate", list.toString(), good.toString());
        refused(null, "is not JSON", "predict", broken.toString(), good.toString());
        refused(null, "is not JSON", "rerun", broken.toString(), good.toString());
        refused(null, "--budget needs --shift", "evaluate", trained, good.toString(), "--budget", "1");
        refused(null, "known: none, l1, l2, linf", "evaluate", trained, good.toString(), "--shift", "l3");
        String[] twice = {"evaluate", trained, good.toString(), "--shift", "l2(budget=1)", "--budget", "2"};
        refused(null, "the budget must be given once, got --shift ", twice);
        refused(
                null,
                "budget must be finite and >= 0, got -1",
                "evaluate",
                trained,
                good.toString(),
                "--shift",
                "l2",
                "--budget",
                "-1");
        refused(null, "unknown command 'fly'; known: demo, paper, train", "fly");
        refused(null, "--seeds must be at least 1", "paper", "--seeds", "0");
        assertThat(out).hasContent("precious");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(f -> f.toString().endsWith(".tmp"))).isEmpty();
        }
    }

    private static void refused(Path out, String message, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        if (out != null) {
            all.addAll(List.of("--out", out.toString()));
        }
        Shell.Result result = Shell.run(all.toArray(String[]::new));
        assertThat(result.err()).as("%s", all).startsWith("holdfast: ").contains(message);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void anEngineThatIsNotThereIsOneLine() {
        String getSpark =
                "Spark comes with ./holdfast train DATA --engine spark in the repository, or with spark-submit\n";
        for (String engine : List.of("spark", "sparc")) {
            assertThat(Shell.run("train", "builtin:digits", "--engine", engine, "--master", "local[2]")
                            .err())
                    .isEqualTo("holdfast: --engine must be one that is on the class path (local), got " + engine + "; "
                            + getSpark);
        }
        assertThat(Shell.run("train", "builtin:digits", "--master", "local[2]").err())
                .isEqualTo("holdfast: --master is an option of an engine that is not on the class path; " + getSpark);
        Shell.Result parquet = Shell.run("train", "builtin:digits", "--format", "parquet");
        assertThat(parquet.err()).isEqualTo("holdfast: builtin:digits: parquet is read by train --engine spark\n");
        assertThat(parquet.code()).isEqualTo(2);
    }
}
