package holdfast.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import example.ExamplePlugin;
import example.TanhNetwork;
import holdfast.Catalogue;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NearestNeighbourMixing;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.PreAggregated;
import holdfast.aggregate.Round;
import holdfast.aggregate.TrimmedMean;
import holdfast.attack.Aggressive;
import holdfast.attack.Attacks;
import holdfast.data.Dataset;
import holdfast.model.HuberRegression;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.model.Target;
import holdfast.objective.Box;
import holdfast.objective.Effort;
import holdfast.objective.FirstStage;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.RobustLoss;
import holdfast.objective.SquaredL2;
import holdfast.objective.TransportCost;
import holdfast.objective.Wasserstein;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Checkpoint;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans as text and plans by objects are the same plans. */
class PlanTextTest {
    private static final Map<String, List<String>> VALUES = values();

    private static Map<String, List<String>> values() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("label", List.of("", "ill", "3", "a b"));
        values.put("classes", List.of("auto", "numbers", "no,yes", "a, b ,c"));
        values.put("header", List.of("auto", "yes", "no"));
        values.put("format", List.of("auto", "csv", "libsvm"));
        values.put("encoding", List.of("utf-8", "latin-1", "UTF-16", "windows-1252"));
        values.put("decimal", List.of("point", "comma"));
        values.put("drop", List.of("", "id", "id,7"));
        values.put("only", List.of("", "age", "age,sex"));
        values.put("keep", List.of("", "id", "all"));
        values.put("dates", List.of("number", "parts", "text"));
        values.put("one-hot", List.of("auto", "none", "city", "city,7"));
        values.put("missing", List.of("fail", "mean", "median", "indicator"));
        values.put("missing-values", List.of("", "N/A", "N/A,-999"));
        values.put("weights-by", List.of("", "w"));
        values.put("test-share", List.of("0", "0.3", "0.999"));
        values.put("test-rounding", List.of("fair", "at-least-one"));
        values.put("test-sources", List.of("", "H1", "north clinic,H2"));
        values.put("without", List.of("", "H1", "north clinic,H2"));
        values.put("split-by", List.of("", "day"));
        values.put("scale", List.of("auto", "none", "sd", "standardise", "min-max", "max-abs"));
        values.put("storage", List.of("double", "float"));
        values.put("seed", List.of("1", "-9223372036854775808"));
        values.put("workers-by", List.of("", "hospital"));
        values.put("statistics", List.of("robust", "pooled"));
        values.put("workers", List.of("1", "10", "2147483647"));
        values.put("partition", List.of("iid", "in-turn", "gamma(similarity=0.25)", "dirichlet(alpha=0.1)"));
        values.put("source-weights", List.of("equal", "rows"));
        values.put("replicas", List.of("1", "3"));
        values.put("root", List.of("0", "100"));
        values.put("model", List.of("auto", "svm(smoothing=0.5)", "huber", "softmax"));
        values.put("intercept", List.of("true", "false"));
        values.put("class-weights", List.of("none", "balanced", "1,2.5"));
        values.put("recalibration", List.of("auto", "none"));
        values.put("threshold", List.of("none", "auto", "0.2", "cost(false-negative=20, false-positive=0.5)"));
        values.put("objective", List.of("wasserstein", "cvar(level=0.8)", "group(cap=3)"));
        values.put("lambda", List.of("none", "8", "0.1", "1e300"));
        values.put("radius", List.of("none", "0.125", "1e-9"));
        values.put("cost", List.of("squared-l2"));
        values.put("prices", List.of("equal", "age=4", "age=0.25,sex=fixed"));
        values.put("label-price", List.of("none", "0.5", "3"));
        values.put("maximiser", List.of("auto", "exact", "recurrence", "ascent"));
        values.put("ascent-steps", List.of("auto", "0", "10"));
        values.put("ascent-rate", List.of("auto", "0.05"));
        values.put("precision", List.of("auto", "1e-9"));
        values.put("early-precision", List.of("auto", "0.1"));
        values.put("early-steps", List.of("auto", "0", "2"));
        values.put("early-rounds", List.of("auto", "7"));
        values.put("box", List.of("auto", "none", "2.5"));
        values.put("rule", List.of("norm-screening", "mean", "krum(f=2)", "nnm + trimmed-mean(tolerated=3)"));
        values.put("tolerated", List.of("auto", "0", "3", "0.28", "1e-9"));
        values.put(
                "learning-rate",
                List.of("auto", "0.5", "1e-300", "adaptive(first=0.1)", "adaptive(first=2, shortest=0.5)"));
        values.put("schedule", List.of("constant", "inverse(rounds=10)", "steps(every=5)"));
        values.put("l2", List.of("0", "0.1"));
        values.put("update", List.of("gradient", "delta", "newton(damping=0)"));
        values.put("local-steps", List.of("1", "4"));
        values.put("local-rate", List.of("auto", "0.1"));
        values.put("worker-momentum", List.of("0", "0.9"));
        values.put("server-momentum", List.of("0", "0.5"));
        values.put("batch", List.of("all", "32"));
        values.put("rounds", List.of("0", "1000"));
        values.put("tolerance", List.of("0", "1e-4"));
        values.put("validation", List.of("0", "0.2"));
        values.put("patience", List.of("1", "5"));
        values.put("init", List.of("auto", "zero", "normal"));
        values.put("intervals", List.of("0", "100"));
        values.put("attack", List.of("none", "alie(tau=1.5)", "fang(against=krum)", "label-flip"));
        values.put("liars", List.of("0", "3"));
        values.put("byzantine", List.of("none", "0,3,7", "3,0"));
        return values;
    }

    @Test
    void everyPlanIsReadBackFromItsText() {
        assertThat(VALUES.keySet())
                .containsExactlyElementsOf(
                        PlanKey.all().stream().map(PlanKey::name).toList());
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            Map<String, String> settings = new LinkedHashMap<>();
            VALUES.forEach((key, texts) -> settings.put(key, texts.get(random.nextInt(texts.size()))));
            Plan plan = Plan.of(settings);
            Plan read = Plan.of(plan.settings());
            assertThat(read).isEqualTo(plan).hasSameHashCodeAs(plan);
            assertThat(read.settings()).isEqualTo(plan.settings());
            assertThat(read.differences(plan)).isEmpty();
        });
    }

    @Test
    void twoNamesOfOneSettingAreRefused() {
        assertThatThrownBy(() -> Plan.of(Map.of("screened", "1", "tolerated", "2")))
                .isInstanceOf(InputException.class)
                .hasMessage("--tolerated is given twice, also by its older name --screened");
    }

    /** Whatever a catalogue makes is found there again. */
    @Test
    void objectsOfTheCatalogueHaveTheirNames() {
        for (Catalogue.Entry entry : Aggregators.rules().entries()) {
            Aggregator rule = Aggregators.create(entry.name(), 2);
            Plan plan = Plan.defaults().withRule(rule);
            assertThat(ResolvedPlan.rule(plan.with("tolerated", "0"), 100))
                    .as(entry.name())
                    .isEqualTo(rule);
            assertThat(Plan.of(plan.settings())).isEqualTo(plan);
            assertThat(plan.settings().get("rule")).startsWith(entry.name());
        }
        for (Catalogue.Entry entry : Attacks.catalogue().entries()) {
            Plan plan = Plan.defaults().withAttack(Attacks.catalogue().create(Spec.parse(entry.name())));
            assertThat(Plan.of(plan.settings()).attack()).as(entry.name()).isEqualTo(plan.attack());
        }
        assertThat(Plan.defaults().withAttack(new Aggressive(4)).settings())
                .containsEntry("attack", "aggressive(factor=4)");
        assertThat(Plan.defaults()
                        .withObjective(new Wasserstein(3).withAscentSteps(7))
                        .withRule(new TrimmedMean(2)))
                .isEqualTo(Plan.of(Map.of("lambda", "3", "ascent-steps", "7", "rule", "trimmed-mean(tolerated=2)")));
    }

    @Test
    void objectsAndTextTrainToTheSameBits() {
        Dataset data = Samples.dataset(Seed.of(5), 400, 4);
        TrainingRun run = Training.on(data)
                .workers(8)
                .rule(new NormScreening(2))
                .objective(new Wasserstein(3))
                .attack(new Aggressive(10), 2)
                .rounds(20)
                .seed(4)
                .run();
        Plan plan = Plan.of(Map.of(
                "workers",
                "8",
                "rule",
                "norm-screening(f=2)",
                "lambda",
                "3",
                "attack",
                "aggressive",
                "liars",
                "2",
                "rounds",
                "20",
                "seed",
                "4"));
        assertThat(run.plan()).isEqualTo(plan);
        assertThat(Laws.bits(Training.of(data, plan).run().model().theta()))
                .isEqualTo(Laws.bits(run.model().theta()));
    }

    /** The plain mean, which no catalogue knows. */
    private static final class OwnRule implements Aggregator {
        @Override
        public Aggregate aggregate(Round round) {
            lies(round);
            return new Mean().aggregate(round);
        }

        @Override
        public int tolerated() {
            return 0;
        }

        @Override
        public int minWorkers() {
            return 1;
        }
    }

    @Test
    void anObjectWithoutANameRunsInThisProcessAndNowhereElse() {
        Dataset data = Samples.dataset(Seed.of(6), 300, 3);
        List<Checkpoint> checkpoints = new ArrayList<>();
        TrainingRun own = Training.on(data)
                .rule(new OwnRule())
                .rounds(12)
                .checkpoints(4, checkpoints::add)
                .run();
        assertThat(Laws.bits(own.model().theta()))
                .isEqualTo(Laws.bits(Training.on(data)
                        .rule(new Mean())
                        .rounds(12)
                        .run()
                        .model()
                        .theta()));
        assertThat(Laws.bits(Training.of(data, own.plan())
                        .resume(checkpoints.get(0))
                        .run()
                        .model()
                        .theta()))
                .isEqualTo(Laws.bits(own.model().theta()));
        assertThatThrownBy(() -> PortablePlan.of(own.plan()))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("another process needs names for everything in the plan, but --rule is <"
                        + OwnRule.class.getName() + ">");
        assertThatThrownBy(() -> Plan.of(own.plan().settings()))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("--rule: <")
                .hasMessageContaining("is an object without a name");
        assertThat(Plan.defaults()
                        .withRule(new PreAggregated(new NearestNeighbourMixing(), new OwnRule()))
                        .get(PlanKey.RULE)
                        .name())
                .isEmpty();
    }

    @Test
    void aModelThatTheCatalogueMakesHasItsName() {
        Map<Model, String> names = Map.of(
                new LogisticRegression(false), "logistic",
                new SmoothedHinge(true, 1), "svm",
                new SmoothedHinge(true, 0.25), "svm(smoothing=0.25)",
                new SoftmaxRegression(4, true), "softmax",
                new LinearRegression(true), "linear",
                new HuberRegression(false, 3), "huber(delta=3)",
                new PoissonRegression(true), "poisson");
        names.forEach((model, name) -> {
            Plan plan = Plan.defaults().withModel(model);
            assertThat(plan.get(PlanKey.MODEL).name()).contains(name);
            assertThat(Plan.of(plan.settings())).isEqualTo(plan);
        });
    }

    @Test
    void aModelOfAPluginHasItsNameWithThePluginAndNoneWithoutIt() {
        Model network = new TanhNetwork(Target.TWO_CLASSES, 3);
        Plan known =
                Plan.defaults(new ExamplePlugin().extend(Catalogues.standard())).withModel(network);
        assertThat(known.get(PlanKey.MODEL).name()).contains("tanh(units=3)");
        assertThat(Plan.defaults().withModel(network).get(PlanKey.MODEL).name()).isEmpty();
    }

    @Test
    void rulesAndPreAggregatorsHaveDifferentNames() {
        assertThatThrownBy(() -> Catalogues.standard().withRule("nnm", "a rule", p -> f -> new Mean()))
                .isInstanceOf(InputException.class)
                .hasMessage("a rule and a pre-aggregator must have different names, but there is a pre-aggregator 'nnm'"
                        + " already");
        assertThatThrownBy(() -> Catalogues.standard()
                        .withRule("own", "a rule", p -> f -> new Mean())
                        .withPreAggregator("own", "a pre-aggregator", p -> new NearestNeighbourMixing()))
                .isInstanceOf(InputException.class)
                .hasMessage("a rule and a pre-aggregator must have different names, but there is a rule 'own' already");
    }

    @Test
    void aModelGivenAsAnObjectBringsItsIntercept() {
        Plan without = Plan.defaults().withModel(new LogisticRegression(false));
        assertThat(without.get(PlanKey.INTERCEPT)).isFalse();
        assertThatThrownBy(() -> without.with(PlanKey.INTERCEPT, true).model(Samples.schema(2)))
                .isInstanceOf(InputException.class)
                .hasMessage("--intercept must be that of the model given, got true");
    }

    @Test
    void settingsOfAnObjectiveAreThoseItWasMadeWith() {
        Catalogues more = Catalogues.standard().withObjective("cheap", "rows move far", p -> new Wasserstein(0.05));
        Plan cheap = Plan.defaults(more).with("objective", "cheap");
        assertThat(cheap.lambda()).contains(0.05);
        assertThat(cheap.withObjective(new Wasserstein(2)).lambda()).contains(2.0);
        assertThat(cheap.withObjective(new Wasserstein(2)).settings()).containsEntry("objective", "wasserstein");
    }

    /** Nothing is left of the one before, whichever it was. */
    @Test
    void theLastObjectiveGivenIsTheOneThatCounts() {
        ObjectiveFamily unnamed = (model, l2) -> RobustLoss.plain(model);
        Wasserstein boxed = new Wasserstein(5)
                .withCost(new OwnCost())
                .withMaximisation(Wasserstein.Maximisation.ASCENT)
                .withAscentRate(0.01)
                .withPrecision(0.1)
                .withFirstStage(new FirstStage(new Effort.Precision(0.5), Optional.of(3)))
                .withBox(new Box(2));
        List<ObjectiveFamily> all = List.of(
                unnamed,
                boxed,
                new Wasserstein(3).withAscentSteps(7).withFirstStage(new FirstStage(new Effort.Steps(2))),
                Wasserstein.none(),
                new Wasserstein(8));
        for (ObjectiveFamily before : all) {
            for (ObjectiveFamily last : all) {
                Plan plan = Plan.defaults().withObjective(before).withObjective(last);
                assertThat(plan.objective()).isEqualTo(last);
                if (last instanceof Wasserstein) {
                    assertThat(plan).isEqualTo(Plan.defaults().withObjective(last));
                }
            }
        }
    }

    /** A cost that no catalogue knows. */
    private record OwnCost() implements TransportCost {
        @Override
        public double cost(double[] z, double[] x, int from, int columns) {
            return new SquaredL2().cost(z, x, from, columns);
        }

        @Override
        public void gradient(double[] z, double[] x, int from, int columns, double[] out) {
            new SquaredL2().gradient(z, x, from, columns, out);
        }

        @Override
        public double strongConvexity() {
            return 1;
        }

        @Override
        public double smoothness() {
            return 1;
        }

        @Override
        public String description() {
            return "own";
        }
    }

    @Test
    void thereIsOneZeroAndNoColumnCalledLikeAKeyword() {
        assertThat(Plan.defaults().with("l2", "-0")).isEqualTo(Plan.defaults());
        for (String wrong : List.of("auto,", "none,", "city,,x")) {
            assertThatThrownBy(() -> Plan.defaults().with("one-hot", wrong))
                    .as(wrong)
                    .isInstanceOf(InputException.class);
        }
        assertThat(OneHot.of("city, state").toString()).isEqualTo("\"city, state\"");
        assertThatThrownBy(() -> Tolerated.share(Double.NaN)).isInstanceOf(InputException.class);
    }

    @Test
    void aCheckpointOfAnotherObjectWithoutANameIsRefused() {
        Dataset data = Samples.dataset(Seed.of(6), 300, 3);
        List<Checkpoint> checkpoints = new ArrayList<>();
        Training.on(data)
                .rule(new OwnRule())
                .rounds(4)
                .checkpoints(2, checkpoints::add)
                .run();
        assertThatThrownBy(() -> Training.on(data).rule(new OwnRule()).rounds(4).resume(checkpoints.get(0)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("the checkpoint was made with --rule <");
    }
}
