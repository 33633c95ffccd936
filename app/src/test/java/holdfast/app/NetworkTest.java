package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A neural network from end to end, on labels that no linear model can learn. */
class NetworkTest {
    private static final int ROWS = 400;

    @TempDir
    private Path folder;

    private String table;

    @BeforeEach
    void writeTable() throws IOException {
        Randomness random = Seed.of(4).child("rows").random();
        StringBuilder csv = new StringBuilder("a,b,site,y\n");
        for (int row = 0; row < ROWS; row++) {
            double[] x = random.gaussians(2);
            String label = x[0] * x[1] > 0 ? "same" : "other";
            csv.append(String.format(Locale.ROOT, "%.4f,%.4f,s%d,%s\n", x[0], x[1], row % 8, label));
        }
        table = Files.writeString(folder.resolve("signs.csv"), csv).toString();
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static String done(String line) {
        Shell.Result result = Shell.run(line.split(" +"));
        assertThat(result.code()).as("%s: %s", line, result.err()).isZero();
        return result.out();
    }

    private static void refused(String line, String message) {
        Shell.Result result = Shell.run(line.split(" +"));
        assertThat(result.err()).contains(message);
        assertThat(result.err().lines().filter(l -> l.startsWith("holdfast: ") && !l.contains("warning")))
                .hasSize(1);
        assertThat(result.code()).isEqualTo(2);
    }

    private static JsonNode weights(String model) throws IOException {
        return new ObjectMapper().readTree(Path.of(model).toFile()).get("weights");
    }

    /** Verdicts compare labels by a linear model, which sees nothing of a product. */
    @Test
    void saysWhereLabelsCouldNotBeCompared() throws IOException {
        String train = "train " + table
                + " --label y --workers-by site --model mlp(hidden=8) --lambda none --quiet --rounds 20"
                + " --values none";
        String page = file("run.html");
        assertThat(done(train + " --report " + page))
                .contains("labels could not be compared: a linear model of the others")
                .contains("; look at the errors in the ledger");
        assertThat(Files.readString(Path.of(page)))
                .contains("stands out, but labels could not be compared.")
                .contains("<b>Labels could not be compared: ");
        assertThat(new ObjectMapper()
                        .readTree(done(train + " --json"))
                        .get("labels_compared")
                        .asBoolean(true))
                .isFalse();
        assertThat(done("profile " + table + " --label y --workers-by site"))
                .contains("\nStands out: no source\n  labels could not be compared: ");
    }

    @Test
    void aNetworkIsTrainedResumedRerunAndUsedToTheSameBits() throws IOException {
        String train = "train " + table + " --workers-by site --model mlp(hidden=12-4) --lambda 100 --quiet";
        String model = file("model.json");
        assertThat(done(train + " --rounds 60 --threads 1 --out " + model)).contains("l2 0.3, lower bound");
        done(train + " --rounds 60 --threads 2 --out " + file("two.json"));
        assertThat(weights(model)).isNotEmpty().isEqualTo(weights(file("two.json")));
        done(train + " --rounds 25 --checkpoint " + file("half.ckpt"));
        done(train + " --rounds 60 --resume --checkpoint " + file("half.ckpt") + " --out " + file("resumed.json"));
        assertThat(weights(file("resumed.json"))).isEqualTo(weights(model));
        assertThat(done("rerun " + model + " " + table)).startsWith("the same to the bit");
        assertThat(done("predict " + model + " " + table).lines()).hasSize(ROWS + 1);
        JsonNode evaluated = new ObjectMapper()
                .readTree(done("evaluate " + model + " " + table + " --shift linf --budget 0.1 --json"));
        assertThat(evaluated.get("shift").asText()).isEqualTo("linf 0.1, lower bound");
        assertThat(evaluated.get("error").asDouble()).isBetween(0.0, 0.4);
        assertThat(new ObjectMapper()
                        .readTree(done("evaluate " + model + " " + table + " --json"))
                        .get("error")
                        .asDouble())
                .isLessThan(0.1);
    }

    @Test
    void batchesMomentaLocalStepsAndValidationWork() {
        String train = "train " + table + " --workers-by site --model mlp(hidden=8) --lambda none --quiet --rounds 30 ";
        done(train + "--batch 16 --worker-momentum 0.5 --server-momentum 0.5");
        done(train + "--local-steps 3 --update delta --batch 16");
        done(train + "--validation 0.2 --attack aggressive --liars 1");
        done(train + "--update newton(damping=1)");
        done(train + "--vote 4 --classes other,same --out " + file("votes.json"));
    }

    /** What is searched is no bound, whichever command prints it. */
    @Test
    void searchedWorstCasesAreNamedSo() throws IOException {
        assertThat(done("train " + table + " --workers-by site --model mlp(hidden=3) --radius 0.05 --quiet --rounds 3"))
                .contains("as workers report (by worst cases that were searched: no bound)");
        String redteam = "redteam --data " + table + " --workers-by site --model mlp(hidden=3) --lambda none --quiet"
                + " --rounds 2 --rules mean --attacks sign-flip --shifts linf --liars 1 --seeds 1 --source-groups 0 --out ";
        assertThat(done(redteam + file("red"))).contains("linf 0.3, lower bound");
        assertThat(Path.of(file("red"), "redteam.html")).content().contains("linf 0.3, lower bound");
        assertThat(new ObjectMapper()
                        .readTree(Path.of(file("red"), "redteam.json").toFile())
                        .findValuesAsText("shift_name"))
                .contains("linf 0.3, lower bound");
    }

    @Test
    void votesOfNetworksAreCertifiedAgainstSourcesButNotWhereRowsMove() {
        String votes = file("votes.json");
        done("train " + table
                + " --workers-by site --model mlp(hidden=4) --lambda none --quiet --rounds 10 --vote 4 --classes other,same --out "
                + votes);
        refused(
                "certify " + votes + " " + table + " --units a=1 --budgets 0.1",
                "how far votes reach when rows move is known of models linear in their scores, and mlp is not; without --units,"
                        + " --shift and --budgets its votes are certified");
        assertThat(done("certify " + votes + " " + table)).contains("whichever k sources lie");
        refused("drift " + votes + " " + table, "which predict, evaluate, certify and rerun can use");
    }

    @Test
    void aKinkIsWarnedOf() {
        Shell.Result trained = Shell.run(
                ("train " + table + " --model mlp(hidden=4,activation=relu) --lambda 50 --rounds 5").split(" +"));
        assertThat(trained.code()).isZero();
        assertThat(trained.err()).contains("warning: activation relu has a kink");
    }

    @Test
    void whatNeedsLinearScoresIsRefusedInOneLine() {
        String model = file("model.json");
        done("train " + table + " --model mlp(hidden=4) --lambda none --quiet --rounds 10 --out " + model);
        refused("explain " + model, "only a model linear in its scores has coefficients");
        refused("certify " + model + " " + table, "needs a model with known worst cases, and mlp has none");
        refused(
                "certify " + model + " " + table + " --box 3",
                "needs a model with known worst cases, and mlp has none");
        refused("train " + table + " --model mlp --no-intercept", "always have biases");
        refused("train " + table + " --model mlp(hiden=4)", "unknown parameter 'hiden'");
    }
}
