package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prices of features in training, and in certificates of models that were trained with them. */
class PricesTest {
    private static final String PRICES = "age=4,region=fixed";

    @TempDir
    private static Path folder;

    private static String data;

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String run(String line) {
        Shell.Result result = Shell.run(line.split(" "));
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    @BeforeAll
    static void write() throws IOException {
        Random random = new Random(3);
        StringBuilder out = new StringBuilder("age,income,region,ill\n");
        for (int j = 0; j < 400; j++) {
            double age = random.nextGaussian();
            double income = random.nextGaussian();
            boolean north = random.nextBoolean();
            boolean ill = age - income + (north ? 1 : 0) + random.nextGaussian() > 0.5;
            out.append(String.format("%.6f,%.6f,%s,%s%n", age, income, north ? "north" : "south", ill ? "yes" : "no"));
        }
        data = path("people.csv");
        Files.writeString(Path.of(data), out);
    }

    @Test
    void certificatesAndRerunsKeepThePricesOfTraining() throws IOException {
        String model = path("model.json");
        run("train " + data + " --quiet --lambda 0.5 --prices " + PRICES + " --out " + model);
        assertThat(Files.readString(Path.of(model))).contains("age=4,region=fixed");
        run("rerun " + model + " " + data);
        String plain = path("plain.json");
        run("train " + data + " --quiet --lambda 0.5 --out " + plain);
        String worst = path("worst.csv");
        String certify = " " + data + " --budgets 0.5";
        String own = run("certify " + model + certify + " --out " + path("own.json") + " --worst-rows " + worst);
        assertThat(own).startsWith("Prices of moves: age=4,region=fixed, as in training\n");
        assertThat(run("certify " + model + certify + " --prices " + PRICES))
                .isEqualTo(own.replace(", as in training", ""));
        String equal = run("certify " + model + certify + " --prices equal");
        assertThat(equal).startsWith("Prices of moves: equal\n");
        assertThat(equal.substring(equal.indexOf('\n'))).isNotEqualTo(own.substring(own.indexOf('\n')));
        assertThat(run("certify " + plain + certify)).doesNotContain("Prices of moves");
        assertThat(run("certify " + model + " " + data + " --check " + path("own.json")))
                .isEqualTo("the same to the bit\n");
        assertThat(run("plan " + data + " --lambda 0.5 --prices " + PRICES))
                .containsPattern("Assumption 2 .*1-smooth in its own norm");
        assertThat(run("plan --lambda 0.5 --prices " + PRICES)).contains("Assumption 2");
    }

    @Test
    void labelsThatMayChangeAreKeptAndVoidTheGuarantee() {
        String model = path("labels.json");
        String train = "train " + data + " --lambda 0.5 --label-price 2";
        assertThat(run(train + " --out " + model))
                .contains("(--label-price) make the objective nonsmooth: Lemma 1 is void");
        run("rerun " + model + " " + data);
        assertThat(run("plan " + data + " --lambda 0.5 --label-price 2"))
                .contains("labels that may change make the worst case of a row nonsmooth");
        Shell.Result numbers = Shell.run((train + " --label income --quiet").split(" "));
        assertThat(numbers.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(numbers.err())
                .isEqualTo("holdfast: --label-price needs labels that are classes, and income has numbers\n");
        Shell.Result zero = Shell.run(("train " + data + " --label-price 0").split(" "));
        assertThat(zero.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(zero.err()).startsWith("holdfast: --label-price must").hasLineCount(1);
    }

    @Test
    void categoriesChangeAsAWhole() throws IOException {
        String model = path("whole.json");
        String prices = "age=4,region=whole(0.2)";
        assertThat(run("train " + data + " --lambda 1 --prices " + prices + " --out " + model))
                .contains("categories that change as a whole (--prices) make the objective nonsmooth: Lemma 1 is void");
        run("rerun " + model + " " + data);
        Path worst = folder.resolve("changed.csv");
        Path page = folder.resolve("whole.html");
        String certify = "certify " + model + " " + data + " --budgets 0.5";
        String said = run(
                certify + " --out " + path("whole-certificate.json") + " --worst-rows " + worst + " --report " + page);
        assertThat(said)
                .startsWith("Prices of moves: " + prices + ", as in training\n")
                .contains(
                        "Categories change as a whole: region at 0.2 a change. In the columns l1, l2 and linf they stay.\n");
        List<String> lines = Files.readAllLines(worst);
        assertThat(lines.get(0))
                .isEqualTo(
                        "row,share,loss before,loss after,cost,reachable,changed,ill,age,income,region=north,region=south");
        // The features are those of one category, never of a part of one.
        assertThat(lines.stream().skip(1)).allMatch(line -> line.endsWith(",0.0,1.0") || line.endsWith(",1.0,0.0"));
        assertThat(lines)
                .anyMatch(line -> line.contains(",region: north -> south at 0.2,yes,") && line.endsWith(",0.0,1.0"));
        assertThat(lines)
                .anyMatch(line -> line.contains(",region: south -> north at 0.2,no,") && line.endsWith(",1.0,0.0"));
        assertThat(lines).anyMatch(line -> line.contains(",true,,"));
        assertThat(Files.readString(page)).contains("Categories change as a whole: region at 0.2 a change.");
        assertThat(Files.readString(Path.of(path("whole-certificate.json"))))
                .contains("\"whole_columns\"")
                .contains("\"--prices\", \"" + prices + "\"");
        String check = "certify " + model + " " + data + " --check " + path("whole-certificate.json");
        assertThat(run(check)).isEqualTo("the same to the bit\n");
        // Of fractions of categories there is another bound.
        assertThat(run(certify + " --prices age=4").lines().skip(2).toList())
                .isNotEqualTo(said.lines().skip(2).toList());
        assertThat(run("plan " + data + " --lambda 0.5 --prices " + prices))
                .containsPattern("Assumption 2 +fails: .*1-smooth in its own norm")
                .contains("changing a category is a jump");
        assertThat(run("plan --lambda 0.5 --prices " + prices)).contains("make the worst case of a row nonsmooth");
        Shell.Result unknown = Shell.run((certify + " --prices age=whole(2)").split(" "));
        assertThat(unknown.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(unknown.err()).contains("'age' is no column of text").hasLineCount(1);
    }

    @Test
    void labelsStayWhereRowsDo() throws IOException {
        Path out = folder.resolve("none.json");
        Shell.Result none = Shell.run(("train " + data + " --lambda none --label-price 2 --out " + out).split(" "));
        assertThat(none.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(none.err())
                .isEqualTo(
                        "holdfast: --label-price is a multiple of --lambda, and with --lambda none rows and labels stay;"
                                + " leave out one of them\n");
        assertThat(out).doesNotExist();
        // At next to no price any label will do, so every lambda costs too much.
        String page = path("stay.html");
        assertThat(run("train " + data + " --quiet --label-price 1e-6 --report " + page))
                .contains("\nprice     none, by --lambda auto: ")
                .contains("; labels stay, because lambda is none\n")
                .doesNotContain("Lemma 1 is void");
        assertThat(Files.readString(Path.of(page))).contains("; labels stay, because lambda is none.</p>");
        assertThat(run("plan " + data + " --lambda auto --label-price 1e-6")).doesNotContain("labels that may change");
    }

    @Test
    void pricesThatTrainingDidNotUseAreThoseOfThePlan() {
        String model = path("unused.json");
        for (String lambda : new String[] {"none", "auto"}) {
            run("train " + data + " --quiet --lambda " + lambda + " --prices " + PRICES + " --out " + model);
            assertThat(run("certify " + model + " " + data + " --budgets 0.5"))
                    .startsWith("Prices of moves: age=4,region=fixed, as in the plan of the model\n");
        }
        run("train " + data + " --quiet --radius 0.01 --rounds 3 --prices " + PRICES + " --out " + model);
        assertThat(run("certify " + model + " " + data + " --budgets 0.5"))
                .startsWith("Prices of moves: age=4,region=fixed, as in training\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "height=2|--prices: 'height' is not a feature of the model",
                "age=0|--prices: the price of age must be a number > 0, or fixed, got '0'",
                "age=NaN|--prices: the price of age must be a number > 0, or fixed, got 'NaN'",
                "age|--prices must be equal, or such as age=4,sex=fixed, got 'age'",
                "age=fixed,income=fixed,region=fixed|--prices: a cost that moves nothing: at least one of the",
                "zone=whole(2)|--prices: 'zone' is not a feature of the model",
                "age=whole(2)|--prices: 'age' is no column of text, so it cannot change as a whole; leave out whole(...)",
                "region=whole(0)|--prices: the price of changing region must be a number > 0, as in whole(2), got '0'",
                "region=whole|--prices: the price of region must be a number > 0, or fixed, got 'whole'",
                "region=whole(2),region=north=1|--prices: 'region=north' is of a column that changes as a whole, so it has",
                "region=whole(2) --model softmax|--prices: training has no worst case for categories that change as a whole",
                "region=whole(2) --box 3|leave out --box",
                "age=2 --objective cvar|--prices are of moving rows in --objective wasserstein; leave them out"
            })
    void whatIsRefusedIsOneLineAndNothingIsWritten(String prices, String message) {
        Path out = folder.resolve("refused.json");
        Shell.Result result = Shell.run(("train " + data + " --quiet --out " + out + " --prices " + prices).split(" "));
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).startsWith("holdfast: ").contains(message).hasLineCount(1);
        assertThat(out).doesNotExist();
    }
}
