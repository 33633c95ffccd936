package holdfast.app.lab;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.objective.SquaredL2;
import holdfast.objective.Wasserstein;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.shift.Shift;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestbedTest {
    /** With a second objective and a second cost, so that these settings have another value too. */
    private static final Plan PLAN = Plan.defaults(Catalogues.standard()
                    .withObjective("plain", "rows as they are", p -> Wasserstein.none())
                    .withCost("other-l2", "the same cost by another name", p -> new SquaredL2()))
            .with(PlanKey.ROUNDS, 3);

    /** For every setting another value, with what that needs. */
    private static final Map<String, String> OTHERWISE = Map.ofEntries(
            entry("label", "y"),
            entry("classes", "no,yes"),
            entry("header", "yes"),
            entry("format", "csv"),
            entry("one-hot", "none"),
            entry("encoding", "latin-1"),
            entry("decimal", "comma"),
            entry("drop", "b"),
            entry("only", "a,b"),
            entry("missing-values", "-999"),
            entry("keep", "all"),
            entry("dates", "text"),
            entry("missing", "mean"),
            entry("workers-by", "clinic"),
            entry("statistics", "pooled"),
            entry("workers", "5"),
            entry("partition", "in-turn"),
            entry("source-weights", "rows workers-by=clinic"),
            entry("replicas", "2"),
            entry("test-share", "0.2"),
            entry("test-sources", "c1,c5 workers-by=clinic"),
            entry("without", "c1,c5 workers-by=clinic"),
            entry("split-by", "b"),
            entry("test-rounding", "at-least-one workers-by=clinic"),
            entry("scale", "min-max"),
            entry("storage", "float"),
            entry("class-weights", "balanced"),
            entry("recalibration", "none"),
            entry("threshold", "0.2"),
            entry("weights-by", "w"),
            entry("model", "poisson"),
            entry("objective", "plain"),
            entry("cost", "other-l2"),
            entry("intercept", "false"),
            entry("l2", "0.1"),
            entry("lambda", "none"),
            entry("radius", "0.1"),
            entry("prices", "a=4"),
            entry("label-price", "2"),
            entry("maximiser", "ascent precision=0.1"),
            entry("ascent-steps", "3"),
            entry("ascent-rate", "0.1 ascent-steps=3"),
            entry("precision", "0.1"),
            entry("early-precision", "0.2 early-rounds=2 precision=0.1"),
            entry("early-steps", "1 early-rounds=2 ascent-steps=3"),
            entry("early-rounds", "2 early-precision=0.2 precision=0.1"),
            entry("box", "3 maximiser=ascent precision=0.1"),
            entry("rule", "median"),
            entry("tolerated", "2"),
            entry("root", "5"),
            entry("learning-rate", "0.1"),
            entry("schedule", "inverse"),
            entry("update", "delta"),
            entry("local-steps", "2"),
            entry("local-rate", "0.1 local-steps=2"),
            entry("worker-momentum", "0.5"),
            entry("server-momentum", "0.5"),
            entry("batch", "3"),
            entry("rounds", "5"),
            entry("tolerance", "0.1"),
            entry("validation", "0.2"),
            entry("patience", "3 validation=0.2"),
            entry("init", "normal"),
            entry("intervals", "10"),
            entry("attack", "label-flip liars=3"),
            entry("liars", "2 attack=sign-flip"),
            entry("byzantine", "1,4 attack=label-flip"),
            entry("seed", "2"));

    @TempDir
    private Path folder;

    /** Rows of some clinics; the label is a class or a count. */
    private Table data(boolean classes) throws IOException {
        var random = Seed.of(1).random();
        StringBuilder text = new StringBuilder("a,b,w,clinic,y\n");
        for (int r = 0; r < 200; r++) {
            double a = random.nextGaussian();
            String label = classes ? a > 0.5 ? "yes" : "no" : Integer.toString(random.nextInt(4) + (a > 0 ? 2 : 0));
            text.append(a).append(',').append(3 + random.nextGaussian()).append(',');
            text.append(1 + random.nextInt(3))
                    .append(",c")
                    .append(r % 7)
                    .append(',')
                    .append(label)
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve(classes + ".csv"), text);
        return DataFile.read(file.toString(), PLAN.with("workers-by", "clinic"));
    }

    private static Plan changed(String key) {
        String[] given = OTHERWISE.get(key).split(" ");
        Plan plan = PLAN.with(key, given[0]);
        for (int i = 1; i < given.length; i++) {
            plan = plan.with(given[i].split("=")[0], given[i].split("=")[1]);
        }
        return plan;
    }

    /** All that a bench takes from the preparation, as text; why it is refused, if it is. */
    private static List<String> prepared(Table data, Plan plan) {
        try {
            PreparedData made = PreparedData.of(data, plan.without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE));
            List<String> out = new ArrayList<>(made.partition().workers());
            out.add(made.scaling().kind()
                    + Arrays.toString(made.scaling().offsets())
                    + Arrays.toString(made.scaling().divisors())
                    + made.labels());
            made.shards().forEach(shard -> out.addAll(rows(shard)));
            out.addAll(rows(made.training()));
            out.addAll(rows(made.heldOut().orElseThrow()));
            out.addAll(made.root().map(TestbedTest::rows).orElse(List.of("no root")));
            return out;
        } catch (InputException e) {
            return List.of(e.getMessage());
        }
    }

    private static List<String> rows(Dataset data) {
        List<String> out = new ArrayList<>();
        for (int r = 0; r < data.rows(); r++) {
            out.add(data.label(r) + " " + data.weight(r) + " " + Arrays.toString(data.row(r)));
        }
        return out;
    }

    private static String errors(Testbed bench, Plan plan) {
        try {
            return Arrays.toString(bench.errors(plan, List.of(Shift.NONE)));
        } catch (InputException e) {
            return e.getMessage();
        }
    }

    @Test
    void everySettingIsTried() {
        assertThat(PlanKey.all().stream().map(PlanKey::name)).containsExactlyInAnyOrderElementsOf(OTHERWISE.keySet());
        OTHERWISE
                .keySet()
                .forEach(key -> assertThat(changed(key).settings().get(key))
                        .isNotEqualTo(PLAN.settings().get(key)));
    }

    @Test
    void plansSharePreparedRowsOnlyIfThoseAreTheSame() throws IOException {
        TreeSet<String> decisive = new TreeSet<>();
        for (boolean classes : new boolean[] {true, false}) {
            Table data = data(classes);
            List<String> before = prepared(data, PLAN);
            for (String key : OTHERWISE.keySet()) {
                if (!prepared(data, changed(key)).equals(before)) {
                    decisive.add(key);
                    Testbed bench = new Testbed(data);
                    assertThat(bench.preparation(changed(key))).as(key).isNotEqualTo(bench.preparation(PLAN));
                }
            }
        }
        assertThat(decisive)
                .containsExactly(
                        "class-weights",
                        "intercept",
                        "model",
                        "partition",
                        "replicas",
                        "root",
                        "scale",
                        "seed",
                        "source-weights",
                        "split-by",
                        "statistics",
                        "storage",
                        "test-rounding",
                        "test-share",
                        "test-sources",
                        "tolerated",
                        "without",
                        "workers",
                        "workers-by");
        // Else every training would prepare its rows anew.
        Testbed bench = new Testbed(data(true));
        assertThat(bench.preparation(changed("rule"))).isEqualTo(bench.preparation(PLAN));
        assertThat(bench.preparation(changed("attack"))).isEqualTo(bench.preparation(PLAN));
        Plan pooled = PLAN.with("statistics", "pooled");
        assertThat(bench.preparation(pooled.with("tolerated", "2"))).isEqualTo(bench.preparation(pooled));
    }

    /** The preparation knows of a rule only how many liars it tolerates. */
    @Test
    void theNumberOfLiarsThatARuleItselfToleratesDecides() throws IOException {
        Table data = data(true);
        Testbed bench = new Testbed(data);
        Plan own = PLAN.with("rule", "norm-screening(tolerated=2)");
        assertThat(prepared(data, own)).isNotEqualTo(prepared(data, PLAN));
        assertThat(bench.preparation(own)).isEqualTo(bench.preparation(PLAN.with("tolerated", "2")));
        assertThat(bench.preparation(own.with("tolerated", "3")))
                .isEqualTo(bench.preparation(PLAN.with("tolerated", "3")));
        assertThat(bench.preparation(PLAN.with("tolerated", "0.2")))
                .isEqualTo(bench.preparation(PLAN.with("tolerated", "2")));
    }

    @Test
    void rowsThatWerePoisonedBeforeThePreparationAreSharedByRulesOnly() throws IOException {
        Table data = data(true);
        Testbed bench = new Testbed(data);
        Plan attacked = PLAN.with("attack", "units").with("liars", "2");
        assertThat(bench.preparation(attacked.with("rule", "median"))).isEqualTo(bench.preparation(attacked));
        List<Plan> others = List.of(
                PLAN,
                attacked.with("liars", "1"),
                attacked.with("attack", "units(factor=7)"),
                PLAN.with("attack", "units").with("byzantine", "1,4"));
        for (Plan other : others) {
            assertThat(bench.preparation(other)).isNotEqualTo(bench.preparation(attacked));
            errors(bench, attacked);
            assertThat(errors(bench, other)).isEqualTo(errors(new Testbed(data), other));
        }
    }

    @Test
    void whatWasTrainedBeforeChangesNoError() throws IOException {
        for (boolean classes : new boolean[] {true, false}) {
            Table data = data(classes);
            Testbed bench = new Testbed(data);
            for (String key : OTHERWISE.keySet()) {
                errors(bench, PLAN);
                assertThat(errors(bench, changed(key))).as(key).isEqualTo(errors(new Testbed(data), changed(key)));
            }
        }
    }

    @Test
    void sourcesAreDividedIntoGroupsBySeed() throws IOException {
        Testbed bench = new Testbed(data(true));
        Plan plan = PLAN.with("workers-by", "clinic");
        for (int groups = 2; groups < 10; groups++) {
            List<List<String>> made = bench.sourceGroups(plan, groups);
            assertThat(made).hasSize(Math.min(groups, 7));
            assertThat(made.stream().flatMap(List::stream))
                    .containsExactlyInAnyOrder("c0", "c1", "c2", "c3", "c4", "c5", "c6");
            assertThat(made.get(0).size() - made.get(made.size() - 1).size()).isBetween(0, 1);
        }
        assertThat(bench.sourceGroups(plan, 3)).isEqualTo(bench.sourceGroups(plan, 3));
        assertThat(bench.sourceGroups(plan.with("seed", "2"), 3)).isNotEqualTo(bench.sourceGroups(plan, 3));
        assertThat(bench.sourceGroups(plan.with("without", "c3"), 3).stream().flatMap(List::stream))
                .hasSize(6)
                .doesNotContain("c3");
    }

    /** Each group is tested by an ordinary training that never sees it; all rows count the same. */
    @Test
    void theErrorOnNewSourcesIsThatOfTrainingWithoutThem() throws IOException {
        for (boolean classes : new boolean[] {true, false}) {
            Plan plan = PLAN.with("workers-by", "clinic").with("model", classes ? "logistic" : "linear");
            data(classes);
            Table data = DataFile.read(folder.resolve(classes + ".csv").toString(), plan);
            Testbed bench = new Testbed(data);
            double sum = 0;
            int rows = 0;
            for (List<String> group : bench.sourceGroups(plan, 3)) {
                TrainingRun run = Training.of(data, plan)
                        .testSources(group.toArray(String[]::new))
                        .run();
                Dataset tested = run.heldOut().orElseThrow();
                double[] said = IntStream.range(0, tested.rows())
                        .mapToDouble(run.model().predict(tested)::label)
                        .toArray();
                for (int r = 0; r < said.length; r++) {
                    double gap = said[r] - tested.label(r);
                    sum += gap * gap;
                }
                rows += said.length;
            }
            assertThat(rows).isEqualTo(200);
            assertThat(bench.errorOnNewSources(plan, 3))
                    .isCloseTo(classes ? sum / 200 : Math.sqrt(sum / 200), within(1e-12));
        }
    }

    @Test
    void aRuleThatNeedsMoreWorkersIsRefusedBeforeSourcesAreLeftOut() throws IOException {
        Testbed bench = new Testbed(data(true));
        Plan plan = PLAN.with("workers-by", "clinic").with("rule", "bulyan(tolerated=1)");
        bench.requireTrainsOnOthers(PLAN.with("workers-by", "clinic"), 2);
        assertThatThrownBy(() -> bench.requireTrainsOnOthers(plan, 2))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("needs at least 7 workers, got 3");
    }
}
