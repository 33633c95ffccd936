package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code predict --coverage}: sets and ranges that contain the label as often as asked for. */
class CoverageTest {
    private static final int SOURCES = 10;
    private static final int LIARS = 2;

    @TempDir
    private Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static Shell.Result run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result;
    }

    /** Deals three of five rows of Spambase to ten offices, the first two of which swap the labels, and keeps the others. */
    private void writeMail() throws IOException {
        Dataset mail = DataFile.read("builtin:spambase", Plan.defaults()).cells();
        List<StringBuilder> files = List.of(new StringBuilder(), new StringBuilder());
        String names = String.join(",", mail.schema().features());
        files.forEach(file -> file.append(names).append(",office,spam\n"));
        for (int r = 0; r < mail.rows(); r++) {
            boolean kept = r % 5 < 3;
            int office = r / 5 % SOURCES;
            boolean spam = mail.label(r) == 1 != (kept && office < LIARS);
            files.get(kept ? 0 : 1)
                    .append(Arrays.stream(mail.row(r))
                            .mapToObj(Double::toString)
                            .collect(Collectors.joining(",")))
                    .append(",o")
                    .append(office)
                    .append(spam ? ",yes\n" : ",no\n");
        }
        Files.writeString(folder.resolve("mail.csv"), files.get(0));
        Files.writeString(folder.resolve("later.csv"), files.get(1));
    }

    @Test
    void rangesOfCountsBeginAtZero() throws IOException {
        StringBuilder counts = new StringBuilder("u,claims\n");
        Randomness random = Seed.of(3).child("claims").random();
        for (int r = 0; r < 400; r++) {
            double u = random.nextGaussian();
            double events = 0;
            for (int i = 0; i < 20; i++) {
                events += random.nextDouble() < Math.min(1, 0.05 * Math.exp(u)) ? 1 : 0;
            }
            counts.append(u).append(',').append((int) events).append('\n');
        }
        Files.writeString(folder.resolve("counts.csv"), counts);
        run(
                "train",
                path("counts.csv"),
                "--model",
                "poisson",
                "--quiet",
                "--rounds",
                "20",
                "--out",
                path("counts.json"));
        List<String[]> rows = cells(run("predict", path("counts.json"), path("counts.csv"), "--coverage", "0.95")
                .out());
        assertThat(rows).anyMatch(row -> row[0].equals("0.0")).allMatch(row -> Double.parseDouble(row[0]) >= 0);
        assertThat(rows).anyMatch(row -> Double.parseDouble(row[0]) > 0);
    }

    private static List<String[]> cells(String csv) {
        return csv.lines().skip(1).map(line -> line.split(",", -1)).toList();
    }

    private List<String> labels(String file) throws IOException {
        return cells(Files.readString(folder.resolve(file))).stream()
                .map(row -> row[row.length - 1])
                .toList();
    }

    /** The share of rows whose label is in their set. */
    private double covered(Shell.Result predicted) throws IOException {
        List<String> labels = labels("later.csv");
        List<String[]> rows = cells(predicted.out());
        assertThat(rows).hasSize(labels.size());
        return IntStream.range(0, rows.size())
                        .filter(r -> List.of(rows.get(r)[1].split("\\|")).contains(labels.get(r)))
                        .count()
                / (double) rows.size();
    }

    /**
     * 1,840 later rows and about 550 calibration rows of eight honest offices: the standard error of the coverage is about
     * 0.016 at 0.9. Two offices that swap the labels make sets larger than needed, never smaller.
     */
    @Test
    void setsCoverThoughOfficesSwapLabels() throws IOException {
        writeMail();
        String model = path("model.json");
        run(
                "train",
                path("mail.csv"),
                "--label",
                "spam",
                "--workers-by",
                "office",
                "--tolerated",
                "2",
                "--lambda",
                "none",
                "--rounds",
                "60",
                "--values",
                "none",
                "--quiet",
                "--out",
                model);
        int rows = ModelFile.read(Path.of(model)).conformal().orElseThrow().rows();
        Shell.Result pool = run("predict", model, path("later.csv"), "--coverage", "0.9");
        assertThat(pool.out()).startsWith("probability,set,spam\n");
        assertThat(pool.err())
                .contains("holdfast: coverage: the label is covered with probability at least 0.9 for a row like the"
                        + " calibration rows of the honest sources together, if at most 2 of 10 sources lie (" + rows
                        + " calibration rows)\n");
        assertThat(covered(pool)).isGreaterThan(0.9 - 0.05);
        assertThat(cells(pool.out())).extracting(row -> row[1]).contains("yes", "no", "no|yes");
        assertThat(pool.out().lines().map(line -> line.replaceAll(",.*,", ",")))
                .containsExactlyElementsOf(
                        run("predict", model, path("later.csv")).out().lines().toList());

        Shell.Result fresh =
                run("predict", model, path("later.csv"), "--coverage", "0.8", "--coverage-for", "new-source");
        assertThat(fresh.err())
                .contains("for a row of a new source like the honest ones, if at most 2 of 10 sources lie");
        assertThat(covered(fresh)).isGreaterThan(0.8 - 0.06);

        Shell.Result known = run("predict", model, path("later.csv"), "--coverage", "0.8", "--coverage-for", "o7");
        assertThat(known.err()).contains("for a row of source o7 like its ").contains("if that source is honest");
        // It knows nothing of the liars, so its sets are smaller.
        assertThat(covered(known))
                .isBetween(0.65, covered(run("predict", model, path("later.csv"), "--coverage", "0.89")));

        List<String> mails = new ArrayList<>(Files.readAllLines(Path.of(path("mail.csv"))));
        Collections.reverse(mails.subList(1, mails.size()));
        Files.write(Path.of(path("others.csv")), mails);
        Shell.Result given =
                run("predict", model, path("later.csv"), "--coverage", "0.9", "--calibration", path("others.csv"));
        assertThat(given.err()).contains("if at most 2 of 10 sources lie (2000 calibration rows)");
        assertThat(covered(given)).isGreaterThan(0.9 - 0.05);

        assertThat(refused("predict", model, path("later.csv"), "--coverage", "0.9", "--coverage-for", "new-source"))
                .isEqualTo(
                        "holdfast: --coverage 0.9 needs more sources: there are 10, of which 2 may lie, so that at most"
                                + " 0.8888 is possible\n");
        assertThat(refused("predict", model, path("later.csv"), "--coverage-for", "o7"))
                .isEqualTo("holdfast: --coverage-for and --calibration need --coverage, such as --coverage 0.9\n");
        assertThat(refused("predict", model, path("later.csv"), "--coverage", "0.5", "--coverage-for", "o17"))
                .startsWith(
                        "holdfast: --coverage-for must be pool, new-source or a source with held-out rows, got 'o17'; known:"
                                + " o0, o1, ");
    }

    private static String refused(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        return result.err();
    }

    /** y = 300 x + noise of sd 20: nine in ten labels are within 1.645 sd of the line. */
    @Test
    void rangesCoverNumbersInTheirOwnUnit() throws IOException {
        Randomness random = Seed.of(4).random();
        List<String> lines = new ArrayList<>(List.of("x,y"));
        for (int r = 0; r < 6000; r++) {
            double x = random.nextGaussian();
            lines.add(String.format(Locale.ROOT, "%.6f,%.6f", x, 300 * x + 20 * random.nextGaussian()));
        }
        Files.write(folder.resolve("all.csv"), lines.subList(0, 5000));
        List<String> later = new ArrayList<>(List.of("x,y"));
        later.addAll(lines.subList(5000, lines.size()));
        Files.write(folder.resolve("later.csv"), later);
        String model = path("model.json");
        run("train", path("all.csv"), "--label", "y", "--lambda", "none", "--quiet", "--out", model);
        assertThat(ModelFile.read(Path.of(model)).conformal().orElseThrow().rows())
                .isEqualTo(1500);
        Shell.Result predicted = run("predict", model, path("later.csv"), "--coverage", "0.9");
        assertThat(predicted.out()).startsWith("low,high,y\n");
        assertThat(predicted.err()).contains("for a row like the 1500 calibration rows, if none of these was forged");
        List<String> labels = labels("later.csv");
        List<String[]> rows = cells(predicted.out());
        long inside = IntStream.range(0, rows.size())
                .filter(r -> number(rows.get(r)[0]) <= number(labels.get(r))
                        && number(labels.get(r)) <= number(rows.get(r)[1]))
                .count();
        assertThat(inside / (double) rows.size()).isBetween(0.87, 0.93);
        assertThat((number(rows.get(0)[1]) - number(rows.get(0)[0])) / 2).isBetween(30.0, 36.0);
        assertThat((number(rows.get(0)[1]) + number(rows.get(0)[0])) / 2)
                .isCloseTo(number(rows.get(0)[2]), within(1e-6));
        assertThat(refused("predict", model, path("later.csv"), "--coverage", "0.9", "--coverage-for", "new-source"))
                .isEqualTo(
                        "holdfast: --coverage-for new-source needs rows that name their source, and these do not; use pool\n");
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    /** The margin stands for the probability, and a model without rows held out says what to do. */
    @Test
    void modelsWithoutProbabilitiesHaveSetsToo() throws IOException {
        String data = Clinics.write(folder, 5, 0).toString();
        String model = path("model.json");
        run("train", data, "--model", "svm", "--lambda", "none", "--drop", "clinic", "--quiet", "--out", model);
        Shell.Result predicted = run("predict", model, data, "--coverage", "0.97");
        assertThat(predicted.out()).startsWith("score,set,ill\n");
        assertThat(cells(predicted.out())).extracting(row -> row[1]).contains("no", "yes", "no|yes");
        for (String[] row : cells(predicted.out())) {
            assertThat(row[1].isEmpty() || List.of(row[1].split("\\|")).contains(row[2]))
                    .isTrue();
        }
        run("train", data, "--lambda", "none", "--drop", "clinic", "--quiet", "--test-share", "0", "--out", model);
        assertThat(refused("predict", model, data, "--coverage", "0.9"))
                .isEqualTo(
                        "holdfast: --coverage needs rows that the model was not trained on, and the model has kept none: train"
                                + " it again with --test-share above 0, or give --calibration FILE\n");
        assertThat(refused("predict", model, data, "--coverage", "0.9", "--calibration", data))
                .isEqualTo("holdfast: --calibration needs rows that the model was not trained on, and " + data
                        + " is what it was trained on\n");
        String others = Clinics.write(folder, 6, 0).toString();
        assertThat(run("predict", model, data, "--coverage", "0.9", "--calibration", others)
                        .err())
                .contains("for a row like the 720 calibration rows");
    }
}
