package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code drift} and the warning of {@code predict}, by the real commands. */
class DriftTest {
    @TempDir
    private Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String out(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private static JsonNode json(String... args) throws IOException {
        return new ObjectMapper().readTree(out(args));
    }

    private static String refusal(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).hasLineCount(1);
        return result.err();
    }

    /**
     * Visits of five clinics in a year. From July on pressure is higher by one, more ages are missing, and the north sends more.
     */
    private void writeVisits(String name, boolean later, boolean labels, double unit) throws IOException {
        Randomness random = Seed.of(later ? 8 : 7).child("visits").random();
        StringBuilder csv = new StringBuilder("day,age,pressure,town,clinic" + (labels ? ",ill" : "") + "\n");
        for (int r = 0; r < 900; r++) {
            double age = 50 + 10 * random.nextGaussian();
            double pressure = random.nextGaussian() + (later ? 1 : 0);
            boolean north = random.nextDouble() < (later ? 0.8 : 0.4);
            boolean ill = (age - 50) / 10 + pressure + (north ? 0.5 : -0.5) + random.nextGaussian() > 0;
            csv.append(String.format(
                    Locale.ROOT,
                    "2024-%02d-%02d,%s,%.4f,%s,C%d%s%n",
                    1 + r / 150 + (later ? 6 : 0),
                    1 + r % 28,
                    random.nextDouble() < (later ? 0.3 : 0.05) ? "" : String.format(Locale.ROOT, "%.2f", age * unit),
                    pressure,
                    north ? "north" : "<b>south",
                    r % 5,
                    !labels ? "" : ill ? ",yes" : ",no"));
        }
        Files.writeString(folder.resolve(name), csv);
    }

    private void train(String data, String model, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "train",
                path(data),
                "--drop",
                "day",
                "--workers-by",
                "clinic",
                "--missing",
                "mean",
                "--quiet",
                "--out"));
        args.add(path(model));
        args.addAll(List.of(more));
        out(args.toArray(String[]::new));
    }

    @Test
    void saysWhatChangedWithoutLabels() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("new.csv", true, false, 1);
        train("old.csv", "model.json");
        JsonNode found = json("drift", path("model.json"), path("new.csv"), "--json");
        assertThat(found.get("rows").asInt()).isEqualTo(900);
        assertThat(found.get("compared_with").asText()).isEqualTo("the summary of training rows in model.json");
        assertThat(found.get("certificate")).isEmpty();
        JsonNode first = found.get("columns").get(0);
        assertThat(first.get("column").asText()).isEqualTo("pressure");
        assertThat(first.get("mean_shift").asDouble()).isCloseTo(1, within(0.15));
        assertThat(first.get("distance").asDouble()).isCloseTo(1, within(0.15));
        assertThat(first.get("effect").asDouble())
                .isCloseTo(first.get("effect_on_mean").asDouble(), within(0.1));
        JsonNode town = column(found, "town");
        assertThat(town.get("text").asBoolean()).isTrue();
        assertThat(town.get("distance").asDouble()).isCloseTo(0.4, within(0.08));
        assertThat(column(found, "age").get("missing").asDouble()).isCloseTo(0.3, within(0.05));
        assertThat(found.get("rho_from_summary").asDouble()).isBetween(0.5, 2.0);
        assertThat(found.has("rho_at_least")).isFalse();
        assertThat(found.get("all").has("error")).isFalse();
        assertThat(found.get("all").get("estimated_error").asDouble()).isBetween(0.05, 0.4);
        String text = out("drift", path("model.json"), path("new.csv"));
        assertThat(text)
                .contains("new.csv: 900 rows, compared with the summary of training rows in model.json")
                .contains("the columns are rho = ", "in which each source counts the same")
                .contains("needs --reference FILE")
                .contains("Estimated error without labels: 0.")
                .contains("C4");
        writeVisits("same.csv", false, true, 1);
        assertThat(json("drift", path("model.json"), path("same.csv"), "--json")
                        .get("rho_from_summary")
                        .asDouble())
                .isLessThan(0.02);
    }

    private static JsonNode column(JsonNode found, String name) {
        for (JsonNode column : found.get("columns")) {
            if (column.get("column").asText().equals(name)) {
                return column;
            }
        }
        throw new AssertionError(name);
    }

    @Test
    void withAReferenceTheCertificateSpeaks() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("new.csv", true, true, 1);
        train("old.csv", "model.json", "--recalibration", "none", "--threshold", "0.5");
        String[] command = {"drift", path("model.json"), path("new.csv"), "--reference", path("old.csv")};
        JsonNode found = json(with(command, "--json"));
        JsonNode promises = found.get("certificate");
        double rho = found.get("rho_at_least").asDouble();
        double last = 0;
        for (JsonNode promise : promises) {
            assertThat(promise.get("loss_at_most").asDouble()).isGreaterThan(last);
            last = promise.get("loss_at_most").asDouble();
            assertThat(promise.get("rho").asDouble()).isLessThanOrEqualTo(rho);
        }
        assertThat(promises).hasSize(3);
        JsonNode certified =
                json("certify", path("model.json"), path("old.csv"), "--budgets", "" + Math.sqrt(2 * rho), "--json");
        assertThat(last)
                .isCloseTo(certified.get("points").get(0).get("loss_at_most").asDouble(), within(1e-9));
        assertThat(out(command))
                .contains("The new rows are no shift of less than ")
                .contains("rank of score")
                .contains("loss at most");
        assertThat(found.get("all").get("error").asDouble()).isBetween(0.1, 0.4);
    }

    private static String[] with(String[] command, String... more) {
        String[] all = Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return all;
    }

    /** One large source is far from five small ones, and each counts the same in the summary. */
    @Test
    void fromTheSummaryThereIsNoBoundAndFromTheRowsThereIs() throws IOException {
        Randomness random = Seed.of(3).child("sizes").random();
        StringBuilder csv = new StringBuilder("x,site,y\n");
        for (int source = 0; source < 6; source++) {
            for (int r = 0; r < (source == 5 ? 5000 : 200); r++) {
                double x = random.nextGaussian() + (source == 5 ? 2 : 0);
                csv.append(x + ",S" + source + (x + random.nextGaussian() > 1 ? ",yes\n" : ",no\n"));
            }
        }
        Files.writeString(folder.resolve("sites.csv"), csv);
        String model = path("sites.json");
        out("train", path("sites.csv"), "--workers-by", "site", "--tolerated", "1", "--quiet", "--out", model);
        String[] command = {"drift", model, path("sites.csv")};
        JsonNode found = json(with(command, "--json"));
        assertThat(found.get("rho_from_summary").asDouble()).isGreaterThan(0.5);
        assertThat(found.has("rho_at_least")).isFalse();
        String page = path("sites.html");
        String text = out(with(command, "--report", page));
        for (String each : List.of(text, Files.readString(Path.of(page)))) {
            assertThat(each).contains("That is no bound").doesNotContain("at least", "cannot change");
        }
        JsonNode itself = json(with(command, "--reference", path("sites.csv"), "--json"));
        assertThat(itself.get("rho_at_least").asDouble()).isZero();
        assertThat(itself.has("rho_from_summary")).isFalse();
    }

    /** What is at least a number is printed rounded down, and what is at most one rounded up. */
    @Test
    void boundsArePrintedOnTheirSafeSide() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("new.csv", true, false, 1);
        train("old.csv", "model.json");
        String page = path("bounds.html");
        String[] command = {"drift", path("model.json"), path("new.csv"), "--reference", path("old.csv")};
        JsonNode found = json(with(command, "--json"));
        String text = out(with(command, "--report", page));
        BigDecimal rho = found.get("rho_at_least").decimalValue();
        String down = rho.round(new MathContext(4, RoundingMode.FLOOR)).toPlainString();
        assertThat(text).contains("rho is at least " + down + " ", "no shift of less than " + down + ".");
        for (JsonNode promise : found.get("certificate")) {
            String most = promise.get("loss_at_most")
                    .decimalValue()
                    .setScale(4, RoundingMode.CEILING)
                    .toPlainString();
            assertThat(text).containsPattern(promise.get("about").asText() + " +" + most + "\n");
            assertThat(Files.readString(Path.of(page)))
                    .contains("<td>" + most + "</td><td>" + promise.get("about").asText());
        }
        for (JsonNode column : found.get("columns")) {
            String least = column.get("rho")
                    .decimalValue()
                    .setScale(4, RoundingMode.FLOOR)
                    .toPlainString();
            assertThat(text).containsPattern("(?m)^" + column.get("column").asText() + " .*  " + least + "  ");
        }
    }

    @Test
    void saysWhyThereIsNoCertificate() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("bare.csv", false, false, 1);
        train("old.csv", "model.json");
        train("old.csv", "net.json", "--model", "mlp(hidden=2)", "--rounds", "3");
        StringBuilder csv = new StringBuilder("x,y\n");
        for (int r = 0; r < 60; r++) {
            csv.append(r % 7 + "," + r % 5 + "\n");
        }
        Files.writeString(folder.resolve("counts.csv"), csv);
        out("train", path("counts.csv"), "--model", "poisson", "--quiet", "--out", path("counts.json"));
        assertThat(out("drift", path("model.json"), path("old.csv"), "--reference", path("bare.csv")))
                .contains("needs labels, and ", "bare.csv has none.")
                .doesNotContain("--reference");
        for (String[] reference : new String[][] {{}, {"--reference", path("old.csv")}}) {
            assertThat(out(with(new String[] {"drift", path("net.json"), path("old.csv")}, reference)))
                    .contains("There is no certificate: mlp has none against shifts.")
                    .doesNotContain("needs --reference");
        }
        assertThat(out("drift", path("counts.json"), path("counts.csv"), "--reference", path("counts.csv")))
                .contains("drift gives no certificate for poisson, whose rows must stay in a box")
                .doesNotContain("needs");
    }

    @Test
    void figuresBySourceAndOverTime() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("new.csv", true, true, 1);
        train("old.csv", "model.json");
        JsonNode found = json("drift", path("model.json"), path("new.csv"), "--time", "day", "--json");
        assertThat(found.get("by_source")).hasSize(5);
        assertThat(found.get("over_time")).hasSize(6);
        assertThat(found.get("over_time").get(0).get("time").asText()).isEqualTo("2024-07");
        JsonNode evaluated = json("evaluate", path("model.json"), path("new.csv"), "--json");
        assertThat(found.get("all").get("error").asDouble())
                .isEqualTo(evaluated.get("error").asDouble());
        for (JsonNode source : evaluated.get("by_source")) {
            JsonNode own = null;
            for (JsonNode each : found.get("by_source")) {
                own = each.get("source").equals(source.get("source")) ? each : own;
            }
            assertThat(own.get("error")).isEqualTo(source.get("error"));
            assertThat(own.get("low")).isEqualTo(source.get("low"));
        }
        int rows = 0;
        for (JsonNode month : found.get("over_time")) {
            rows += month.get("rows").asInt();
        }
        assertThat(rows).isEqualTo(900);
        assertThat(json("drift", path("model.json"), path("new.csv"), "--time", "pressure", "--json")
                        .get("over_time"))
                .hasSize(10);
        assertThat(json("drift", path("model.json"), path("new.csv"), "--no-labels", "--json")
                        .get("all")
                        .has("error"))
                .isFalse();
        String page = path("page.html");
        assertThat(out("drift", path("model.json"), path("new.csv"), "--time", "day", "--report", page))
                .contains("2024-12")
                .contains("measured error");
        assertThat(Files.readString(Path.of(page)))
                .contains("By source", "Over time", "2024-07", "<svg", "pressure")
                .as("numbers and short names stay on one line")
                .contains("\ntd { white-space: nowrap; }\n", "overflow-wrap: break-word")
                .doesNotContainPattern("(th|td)[^{}\n]*\\{ overflow-wrap: anywhere")
                .doesNotContain("<b>south", "{{");
    }

    @Test
    void whatCannotBeDoneIsOneLine() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("new.csv", true, true, 1);
        train("old.csv", "model.json");
        assertThat(refusal("drift", path("model.json"), path("new.csv"), "--time", "dya"))
                .contains("new.csv: --time 'dya' is not a column; the closest: day");
        assertThat(refusal("drift", path("model.json"), path("new.csv"), "--time", "town"))
                .contains("row 1: --time town must be a date such as 2024-05-31 in every row, or a number");
        assertThat(refusal("drift", path("model.json"), path("new.csv"), "--report", path("new.csv")))
                .contains("--report must differ");
        ObjectNode old = (ObjectNode)
                new ObjectMapper().readTree(folder.resolve("model.json").toFile());
        old.remove("training_rows");
        Files.writeString(folder.resolve("earlier.json"), old.toString());
        assertThat(refusal("drift", path("earlier.json"), path("new.csv"), "--changed"))
                .contains("earlier.json: keeps no summary of its training rows")
                .contains("give --reference FILE");
        assertThat(json(
                                "drift",
                                path("earlier.json"),
                                path("new.csv"),
                                "--changed",
                                "--reference",
                                path("old.csv"),
                                "--json")
                        .get("columns")
                        .get(0)
                        .get("column")
                        .asText())
                .isEqualTo("pressure");
    }

    @Test
    void predictWarnsOfAnotherUnitOnceAndChangesNothing() throws IOException {
        writeVisits("old.csv", false, true, 1);
        writeVisits("new.csv", true, false, 1000);
        train("old.csv", "model.json");
        Shell.Result warned = Shell.run("predict", path("model.json"), path("new.csv"));
        assertThat(warned.code()).isZero();
        assertThat(warned.err())
                .hasLineCount(1)
                .startsWith("holdfast: warning: ")
                .contains(" of 900 rows are far outside of the range of the training rows")
                .contains(" has age = ");
        assertThat(warned.out().lines()).hasSize(901);
        assertThat(Shell.run("predict", path("model.json"), path("old.csv")).err())
                .isEmpty();
        assertThat(out("drift", path("model.json"), path("new.csv")))
                .contains("far outside")
                .contains("has age = ");
    }

    @Test
    void countsNumbersAndManyClassesHaveEffectsToo() throws IOException {
        writeVisits("old.csv", false, true, 1);
        for (String model : List.of("linear", "huber", "softmax", "svm")) {
            String label = model.equals("softmax") ? "clinic" : model.equals("svm") ? "town" : "pressure";
            out(
                    "train",
                    path("old.csv"),
                    "--label",
                    label,
                    "--model",
                    model,
                    "--drop",
                    "day,age,ill",
                    "--quiet",
                    "--out",
                    path("other.json"));
            String[] command = {"drift", path("other.json"), path("old.csv"), "--reference", path("old.csv"), "--json"};
            JsonNode found = json(command);
            assertThat(found.get("rho_at_least").asDouble()).isZero();
            assertThat(found.get("all").has("estimated_error")).isEqualTo(model.equals("softmax"));
            assertThat(found.get("certificate").size()).isPositive();
        }
    }

    /** Rows of Spambase chosen by a feature: labels depend on the columns as before, so the estimate holds. */
    @Test
    void theEstimateHoldsWhereOnlyRowsShiftAndNotWhereLabelsFlip() throws IOException {
        Dataset mail = DataFile.read("builtin:spambase", Plan.defaults()).cells();
        write("train.csv", mail, r -> r % 2 == 0, false);
        out("train", path("train.csv"), "--quiet", "--out", path("mail.json"));
        for (int column : new int[] {4, 15, 20, 56}) {
            double[] sorted = column(mail, column);
            double cut = sorted[sorted.length * 3 / 5];
            write("shifted.csv", mail, r -> r % 2 == 1 && (mail.row(r)[column] > cut || r % 10 == 1), false);
            JsonNode found = json("drift", path("mail.json"), path("shifted.csv"), "--json")
                    .get("all");
            double estimated = found.get("estimated_error").asDouble();
            double measured = found.get("error").asDouble();
            double chance =
                    Math.sqrt(measured * (1 - measured) / found.get("rows").asInt());
            assertThat(estimated).as("column " + column).isCloseTo(measured, within(0.015 + 2.5 * chance));
            write("flipped.csv", mail, r -> r % 2 == 1 && (mail.row(r)[column] > cut || r % 10 == 1), true);
            JsonNode flipped = json("drift", path("mail.json"), path("flipped.csv"), "--json")
                    .get("all");
            assertThat(flipped.get("estimated_error").asDouble()).isEqualTo(estimated);
            assertThat(flipped.get("error").asDouble()).isCloseTo(1 - measured, within(1e-12));
        }
    }

    private static double[] column(Dataset data, int i) {
        double[] values = new double[data.rows()];
        Arrays.setAll(values, r -> data.row(r)[i]);
        Arrays.sort(values);
        return values;
    }

    private void write(String name, Dataset mail, IntPredicate chosen, boolean flipped) throws IOException {
        StringBuilder csv = new StringBuilder(String.join(",", mail.schema().features())).append(",spam\n");
        for (int r = 0; r < mail.rows(); r++) {
            if (chosen.test(r)) {
                csv.append(Arrays.stream(mail.row(r)).mapToObj(Double::toString).collect(Collectors.joining(",")))
                        .append(mail.label(r) == 1 != flipped ? ",yes\n" : ",no\n");
            }
        }
        Files.writeString(folder.resolve(name), csv);
    }
}
