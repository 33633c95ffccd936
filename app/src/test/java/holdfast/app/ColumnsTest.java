package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Choosing and reading columns, from the command line to the prediction. */
class ColumnsTest {
    @TempDir
    private Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    /** Rows of a German export: semicolons, commas, Latin-1 and -999 where a cell is missing. */
    private String export() throws IOException {
        Randomness random = Seed.of(3).child("export").random();
        StringBuilder csv = new StringBuilder("Größe;Ort;Notiz;krank\n");
        for (int r = 0; r < 200; r++) {
            double size = random.nextGaussian();
            csv.append(r % 11 == 0 ? "-999" : String.format(Locale.GERMAN, "%.3f", size))
                    .append(r % 3 == 0 ? ";Köln" : ";Lyon")
                    .append(";n")
                    .append(r % 5)
                    .append(size + random.nextGaussian() > 0 ? ";ja\n" : ";nein\n");
        }
        Files.write(folder.resolve("export.csv"), csv.toString().getBytes(StandardCharsets.ISO_8859_1));
        return path("export.csv");
    }

    @Test
    void namesWithCommasCanBeListed() throws IOException {
        Randomness random = Seed.of(5).child("commas").random();
        StringBuilder csv = new StringBuilder("site,\"age, years\",size,ill\n");
        for (int r = 0; r < 400; r++) {
            double size = random.nextGaussian();
            boolean ill = size + random.nextGaussian() / 2 > 0;
            csv.append(r % 8 == 0 ? "\"St. Mary, Boston\"" : "H" + r % 8)
                    .append("," + random.nextInt(90) + "," + size + "," + (ill != (r % 8 == 0) ? 1 : 0) + "\n");
        }
        String data = Files.writeString(folder.resolve("commas.csv"), csv).toString();
        String[] train = {"train", data, "--workers-by", "site", "--lambda", "8", "--quiet", "--report", path("r.html")
        };
        String without = "--without '\"St. Mary, Boston\"'\n";
        assertThat(run(train)).contains("To train without: " + without);
        assertThat(Files.readString(folder.resolve("r.html")))
                .contains("--without &#39;&quot;St. Mary, Boston&quot;&#39;</pre>");
        String[] less = {"--without", "\"St. Mary, Boston\"", "--drop", "\"age, years\""};
        assertThat(run(joined(train, less))).contains("350 rows, 1 features").contains("workers   7,");
    }

    @Test
    void everyCommandReadsAnExportAsTrainingDid() throws IOException {
        String data = export();
        String model = path("model.json");
        String[] reading = {
            "--encoding",
            "latin-1",
            "--decimal",
            "comma",
            "--missing-values",
            "-999",
            "--missing",
            "mean",
            "--drop",
            "Notiz"
        };
        String[] train = {"train", data, "--rounds", "20", "--quiet", "--out", model, "--test", data};
        run(joined(train, reading));
        assertThat(Files.readString(Path.of(model)))
                .contains("\"Größe\"")
                .contains("Ort=Köln")
                .doesNotContain("Notiz=");
        assertThat(run("rerun", model, data)).startsWith("the same");
        assertThat(run("evaluate", model, data)).contains("200, as they are");
        String usual = path("usual.csv");
        Files.writeString(
                Path.of(usual),
                Files.readString(Path.of(data), StandardCharsets.ISO_8859_1)
                        .replace("-999", "")
                        .replace(',', '.')
                        .replace(';', ','));
        run(
                "train",
                usual,
                "--missing",
                "mean",
                "--only",
                "Größe,Ort",
                "--rounds",
                "20",
                "--quiet",
                "--test",
                usual,
                "--out",
                path("m.json"));
        assertThat(run("predict", path("m.json"), usual)).isEqualTo(run("predict", model, data));
        String mapped = path("export.hfd");
        run(joined(new String[] {"convert", data, mapped, "--quiet"}, reading));
        assertThat(run("rerun", model, mapped)).startsWith("the same");
        assertThat(run("predict", model, mapped)).isEqualTo(run("predict", model, data));
    }

    private static String[] joined(String[] first, String[] more) {
        return java.util.stream.Stream.of(first, more)
                .flatMap(java.util.Arrays::stream)
                .toArray(String[]::new);
    }
}
