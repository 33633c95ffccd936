package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.app.lab.Testbed;
import holdfast.app.lab.paper.NetworkExperiment;
import holdfast.app.lab.paper.PaperResults;
import holdfast.app.report.NetworkReport;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code paper --nonconvex} on small tables. */
class NonconvexIT {
    @TempDir
    private static Path folder;

    private static Table two;
    private static Table three;
    private static NetworkReport report;
    private static JsonNode json;

    @BeforeAll
    static void train() throws IOException, InterruptedException {
        two = table("two", 2);
        three = table("three", 3);
        report = new NetworkReport(new NetworkExperiment(two, three, 2, 2).run(share -> {}));
        json = report.json();
    }

    /** A table whose classes lie in sectors, which no model that is linear in the columns tells apart. */
    private static Table table(String name, int classes) throws IOException {
        Randomness random = Seed.of(classes).random();
        StringBuilder csv = new StringBuilder("a,b,c,y\n");
        for (int row = 0; row < 240; row++) {
            double[] x = random.gaussians(3);
            int sector = (int) Math.floor(2 * classes * (Math.atan2(x[1], x[0]) / Math.PI + 1) / 2) % classes;
            csv.append(String.format(Locale.ROOT, "%.4f,%.4f,%.4f,c%d%n", x[0], x[1], x[2], sector));
        }
        Path file = folder.resolve(name + ".csv");
        Files.writeString(file, csv);
        return DataFile.read(file.toString(), Plan.defaults().with("label", "y"));
    }

    private static double mean(Table table, String split, String environment, String algorithm) {
        return json.path("tables")
                .path(table.source().name())
                .path(split)
                .path(environment)
                .path(algorithm)
                .path("mean")
                .asDouble(Double.NaN);
    }

    @Test
    void aNumberIsTheMeanOfTrainingsByTheProtocol() {
        Plan plan = Plan.defaults()
                .with("model", "mlp(hidden=32)")
                .with("rule", "norm-screening")
                .with("tolerated", "3")
                .with("workers", "20")
                .with("partition", "by-class")
                .with("attack", "intelligent")
                .with("liars", "3")
                .with("test-share", "0.3333333333333333")
                .with("statistics", "pooled")
                .with("learning-rate", "0.5")
                .with("rounds", "300")
                .with("tolerance", "0")
                .with("lambda", "1")
                .with("ascent-steps", "10");
        double sum = 0;
        for (String seed : List.of("1", "2")) {
            sum += new Testbed(three)
                    .errors(plan.with("seed", seed), List.<Shift>of(new WorstCaseShift(Norm.L2, 1)))[0];
        }
        assertThat(mean(three, PaperResults.CLASS_SORTED, "E4", "Algorithm 2")).isEqualTo(sum / 2);
    }

    @Test
    void onlyScreeningWithstandsTheAggressiveAttack() {
        // On the iid split, unshifted: nobody lies, then the aggressive attack.
        for (int first : List.of(7, 19)) {
            assertThat(unshifted(first, "ERM")).isLessThan(0.25);
            assertThat(unshifted(first + 2, "ERM")).isGreaterThan(0.4);
            assertThat(unshifted(first + 2, "NBS")).isLessThan(0.4);
        }
    }

    private static double unshifted(int figure, String algorithm) {
        JsonNode series = json.path("figure" + figure).path("series").get(PaperResults.ALGORITHMS.indexOf(algorithm));
        assertThat(series.path("name").asText()).isEqualTo(algorithm);
        return series.path("mean").get(0).asDouble();
    }

    @Test
    void theFiguresBeginUnshiftedAndPassThroughTheTable() {
        // Of each split of each table: nobody lies, aggressive, intelligent; each L1, then L2.
        JsonNode l1 = json.path("figure15");
        JsonNode l2 = json.path("figure16");
        assertThat(l1.path("title").asText()).isEqualTo("The aggressive attack by 3 of 20 workers, growing L1 shift");
        assertThat(l1.path("x").get(3).asDouble()).isEqualTo(1);
        for (int a = 0; a < PaperResults.ALGORITHMS.size(); a++) {
            JsonNode one = l1.path("series").get(a);
            JsonNode other = l2.path("series").get(a);
            String algorithm = PaperResults.ALGORITHMS.get(a);
            assertThat(one.path("name").asText()).isEqualTo(algorithm);
            assertThat(one.path("mean").get(0)).isEqualTo(other.path("mean").get(0));
            assertThat(one.path("mean").get(3).asDouble())
                    .isEqualTo(mean(three, PaperResults.CLASS_SORTED, "E1", algorithm));
            assertThat(other.path("mean").get(3).asDouble())
                    .isEqualTo(mean(three, PaperResults.CLASS_SORTED, "E2", algorithm));
        }
        assertThat(json.has("figure24")).isTrue();
        assertThat(json.has("figure25")).isFalse();
    }

    @Test
    void threadsChangeNoNumber() throws InterruptedException {
        assertThat(new NetworkReport(new NetworkExperiment(two, three, 2, 1).run(share -> {})).json())
                .isEqualTo(json);
    }

    @Test
    void theTableHasTheNumbers() {
        assertThat(report.text().lines())
                .filteredOn(line -> line.startsWith("E3  Algorithm 2"))
                .hasSize(2)
                .last()
                .isEqualTo(String.format(
                        Locale.ROOT,
                        "E3  Algorithm 2  %.4f ± %.4f      %.4f ± %.4f",
                        mean(three, PaperResults.CLASS_SORTED, "E3", "Algorithm 2"),
                        sd(PaperResults.CLASS_SORTED),
                        mean(three, PaperResults.IID, "E3", "Algorithm 2"),
                        sd(PaperResults.IID)));
        assertThat(report.text().lines().filter(line -> line.startsWith("E"))).allMatch(line -> line.length() <= 80);
    }

    private static double sd(String split) {
        return json.path("tables")
                .path(three.source().name())
                .path(split)
                .path("E3")
                .path("Algorithm 2")
                .path("sd")
                .asDouble(Double.NaN);
    }

    @Test
    void thePageDrawsAllFiguresInABrowserWithoutANetwork() throws IOException, InterruptedException {
        Path page = folder.resolve("nonconvex.html");
        Files.writeString(page, report.html());
        String shown = new Program(folder).browse(page);
        assertThat(shown).contains("data-drawn=\"true\"");
        for (int figure = 1; figure <= 24; figure++) {
            assertThat(shown).containsPattern("(?s)id=\"figure" + figure + "\".{0,600}<svg");
        }
        assertThat(report.html()).doesNotContainPattern("(src|href)=\"http");
    }
}
