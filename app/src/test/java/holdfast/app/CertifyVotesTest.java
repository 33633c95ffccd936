package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code certify} on models that vote, by the real command. */
class CertifyVotesTest {
    @TempDir
    private static Path folder;

    private static String data;
    private static String votes;
    private static String numbers;

    @BeforeAll
    static void train() throws IOException {
        data = Clinics.write(folder, 1, 2).toString();
        votes = trained("votes.json", "--classes", "no,yes");
        numbers = trained("numbers.json", "--label", "weight", "--classes", "numbers");
    }

    private static String trained(String name, String... more) {
        String out = folder.resolve(name).toString();
        run(Stream.of(
                        Stream.of(
                                "train",
                                data,
                                "--workers-by",
                                "clinic",
                                "--vote",
                                "12",
                                "--lambda",
                                "8",
                                "--rounds",
                                "20"),
                        Stream.of("--recalibration", "none", "--quiet", "--out", out),
                        Arrays.stream(more))
                .flatMap(part -> part)
                .toArray(String[]::new));
        return out;
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private static JsonNode json(String... args) throws IOException {
        return new ObjectMapper().readTree(run(args));
    }

    private static String[] with(String[] last, String... first) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(last)).toArray(String[]::new);
    }

    /** The same numbers as evaluate gives for each budget, and no larger where k or q is. */
    @Test
    void theTableIsThatOfEvaluate() throws IOException {
        for (String norm : List.of("l1", "l2", "linf")) {
            String[] moved = {"--units", "age=1,pressure=0.5", "--shift", norm};
            JsonNode certificate = json(with(moved, "certify", votes, data, "--json", "--budgets", "0,0.1,0.3"));
            assertThat(certificate.get("norm").asText()).isEqualTo(norm);
            assertThat(certificate.get("groups").asInt()).isEqualTo(12);
            double[][] shares = new double[3][];
            for (int q = 0; q < 3; q++) {
                String budget = List.of("0", "0.1", "0.3").get(q);
                JsonNode evaluated = json(
                        q == 0
                                ? new String[] {"evaluate", votes, data, "--json"}
                                : with(moved, "evaluate", votes, data, "--json", "--budget", budget));
                List<Double> own = new ArrayList<>();
                for (JsonNode point : certificate.get("points")) {
                    if (point.get("q").asDouble() == Double.parseDouble(budget)) {
                        assertThat(point.get("liars").asInt()).isEqualTo(own.size());
                        own.add(point.get("certified_correct").asDouble());
                    }
                }
                shares[q] = own.stream().mapToDouble(Double::doubleValue).toArray();
                assertThat(own).hasSize(6).isSortedAccordingTo((a, b) -> Double.compare(b, a));
                for (int k = 0; k < 6; k++) {
                    assertThat(own.get(k))
                            .isEqualTo(evaluated.get("certified_correct").get(k).asDouble());
                    assertThat(q == 0 || own.get(k) <= shares[q - 1][k]).isTrue();
                }
            }
            assertThat(shares[2][1]).isLessThan(shares[0][1]);
        }
    }

    @Test
    void theSentenceStatesTheUnits() {
        assertThat(run("certify", votes, data, "--liars", "1,3", "--budgets", "0,0.2", "--units", "age=2,pressure=0.5"))
                .startsWith("12 groups of 12 sources vote on ill. Rows of " + data
                        + " (720): the share whose class is right"
                        + " and stays so, whichever k sources lie and whatever they wrote, even if the row moves by up to q at"
                        + " the same time: root of the sum of (delta_i/unit_i)^2 <= q, in the units age=2, pressure=0.5;"
                        + " nothing else moves.\n")
                .containsPattern(
                        "\nk +q = 0 +q = 0.2\n1  0\\.\\d{4} +0\\.\\d{4}\n3  0\\.\\d{4} +0\\.\\d{4}\nThe error of")
                .contains("a party that owns several counts several times.");
        assertThat(run("certify", votes, data)).containsPattern("\nk +share\n0  0\\.\\d{4}  #{20,}\n");
        assertThat(run("certify", numbers, data))
                .contains("the median width of the interval that the prediction stays in")
                .containsPattern("\nk +median width\n0 +0.0000\n1 ");
    }

    /** The units of a trusted file are in the certificate, so that it can be checked without the file. */
    @Test
    void aCertificateIsCheckedWithItsOwnSettingsAndUnits() throws IOException {
        Path trusted = folder.resolve("trusted.csv");
        Files.writeString(trusted, "age,weight\n1,2\n2,5\n4,1\n");
        String file = folder.resolve("certificate.json").toString();
        run(
                "certify",
                votes,
                data,
                "--budgets",
                "0,0.1",
                "--liars",
                "2,0",
                "--shift",
                "linf",
                "--units",
                trusted.toString(),
                "--out",
                file);
        Files.delete(trusted);
        assertThat(run("certify", votes, data, "--check", file)).isEqualTo("the same to the bit\n");
        Path narrower = folder.resolve("narrower.json");
        Files.writeString(
                narrower, Files.readString(Path.of(file)).replaceFirst("\"age\" : [0-9.]+", "\"age\" : 0.0001"));
        Shell.Result other = Shell.run("certify", votes, data, "--check", narrower.toString());
        assertThat(other.code()).isEqualTo(ExitCode.NOT_THE_SAME);
        assertThat(other.out()).isEqualTo("not the same: a number or a setting differs\n");

        String two = folder.resolve("two.json").toString();
        run("certify", numbers, data, "--out", two);
        assertThat(run("certify", numbers, data, "--check", two)).isEqualTo("the same to the bit\n");
        assertRefused(Shell.run("certify", votes, data, "--check", two), two + " is about the model of SHA-256 ");
        Path rows = folder.resolve("rows.csv");
        Files.writeString(rows, Files.readString(Path.of(data)).replaceFirst("yes", "no"));
        assertRefused(
                Shell.run("certify", votes, rows.toString(), "--check", file), file + " is about rows of SHA-256 ");
        assertRefused(
                Shell.run("certify", votes, data, "--check", file, "--liars", "1"),
                "--check uses the settings of the certificate");
    }

    private static void assertRefused(Shell.Result result, String message) {
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("holdfast: ").contains(message).hasLineCount(1);
    }

    /** A column of words, which most groups read, and a number for missing cells: both say what to do instead. */
    @Test
    void unitsThatCertifyNothingAreRefusedWithAWayOut() throws IOException {
        List<String> lines = Files.readAllLines(Path.of(data));
        Path warded = folder.resolve("wards.csv");
        Files.write(
                warded,
                IntStream.range(0, lines.size())
                        .mapToObj(r -> (r == 0 ? "ward" : r % 3 == 0 ? "icu" : "surgery") + "," + lines.get(r))
                        .toList());
        String[] train = {
            "train",
            warded.toString(),
            "--workers-by",
            "clinic",
            "--vote",
            "3",
            "--classes",
            "no,yes",
            "--rounds",
            "5",
            "--quiet"
        };
        String wards = folder.resolve("wards.json").toString();
        run(with(new String[] {"--lambda", "8", "--out", wards}, train));
        assertRefused(
                Shell.run("certify", wards, warded.toString(), "--budgets", "0.1", "--units", "age=1,ward=1"),
                "--units: ward is text in 3 of the 3 groups that use it; words do not move, so leave it out of --units");
        run(with(new String[] {"--lambda", "8", "--out", wards, "--missing-values", "-999"}, train));
        assertRefused(
                Shell.run("certify", wards, warded.toString(), "--budgets", "0.1", "--units", "age=1"),
                "(--missing-values -999): a number may become it; without --units rows stay and votes are certified, or"
                        + " leave these cells empty in the tables and train again");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--liars 6|--liars must be whole numbers from 0 to 5, because liars must be fewer than half of 12 groups, got 6",
                "--liars -1|--liars must be whole numbers from 0 to 5",
                "--liars 1.5|--liars must be whole numbers from 0 to 5",
                "--liars x|--liars must be numbers, got 'x'",
                "--liars 1,1|--liars must be different numbers, got 1,1",
                "--budgets -1 --units age=1|--budgets must be at least 0, got -1.0",
                "--budgets 0.1|--budgets above 0 of models that vote needs --units",
                "--budgets 0 --units age=1|--shift and --units need --budgets above 0",
                "--shift l1|--shift and --units need --budgets above 0",
                "--shift l3 --units age=1|--shift of models that vote must be none, l1, l2 or linf",
                "--units height=1|--units: no group uses a column 'height'",
                "--units age=1,age=2|--units: 'age' is named twice",
                "--units age=0|the unit of age must be finite and > 0, got 0.0",
                "--prices age=2|--prices, --tolerated, --box, --confidence and --worst-rows are for one model",
                "--confidence 0.9|--prices, --tolerated, --box, --confidence and --worst-rows are for one model",
                "--tolerated 1|--prices, --tolerated, --box, --confidence and --worst-rows are for one model"
            })
    void whatIsRefusedIsOneLineAndWritesNothing(String options, String message) {
        Path out = folder.resolve("nothing.json");
        List<String> args = new ArrayList<>(List.of("certify", votes, data, "--out", out.toString()));
        args.addAll(List.of(options.split(" ")));
        assertRefused(Shell.run(args.toArray(String[]::new)), message);
        assertThat(out).doesNotExist();
    }

    @Test
    void thePageHasTheBarsAndTheMap() throws IOException {
        Path page = folder.resolve("votes.html");
        String[] asked = {"--budgets", "0,0.2", "--liars", "0,3", "--units", "age=1"};
        String text = run(with(asked, "certify", votes, data, "--report", page.toString()));
        String html = Files.readString(page);
        assertThat(html)
                .doesNotContain("http:", "https:", "url(", "@import", "<script")
                .contains("<h2>Share against lying");
        for (String share : text.replaceAll("(?s).*q = 0.2\\n|The error.*", "").split("\\s+")) {
            assertThat(share.length() < 3 || html.contains(">" + share + "</td>"))
                    .as(share)
                    .isTrue();
        }
        assertThat(html.split("<tr><th>k = ", -1)).hasSize(3);
        run("certify", numbers, data, "--report", page.toString());
        assertThat(Files.readString(page))
                .contains("Width against lying sources")
                .doesNotContain("<table");
    }

    @Test
    void votesOnNumbersDoNotMove() {
        assertRefused(
                Shell.run("certify", numbers, data, "--budgets", "0.1", "--units", "age=1"),
                "--budgets above 0 are for votes on classes, not on numbers");
    }
}
