package holdfast.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormScreening;
import holdfast.attack.Intelligent;
import holdfast.data.Schema;
import holdfast.model.LinearRegression;
import holdfast.objective.Box;
import holdfast.objective.BoxMaximiser;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.GradientAscent;
import holdfast.objective.RobustLoss;
import holdfast.objective.ScalarRecurrence;
import holdfast.objective.SubspaceRecurrence;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlanTest {
    private static final Plan PLAN = Plan.defaults();

    static List<PlanKey<?>> keys() {
        return PlanKey.all();
    }

    @ParameterizedTest
    @MethodSource("keys")
    <T> void everyStandardPrintsAndReadsBack(PlanKey<T> key) {
        assertThat(key.parse(key.print(key.defaultValue()))).isEqualTo(key.defaultValue());
        assertThat(key.meaning()).isNotBlank();
        assertThat(PlanKey.named(key.name())).isSameAs(key);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "label, is spam?",
                "lambda, none",
                "lambda, 1.0E-300",
                "lambda, 3",
                "lambda, 0.1",
                "ascent-steps, auto",
                "ascent-steps, 0",
                "ascent-rate, auto",
                "precision, 1.0E-9",
                "learning-rate, 1.23456789E7",
                "test-share, 0",
                "test-share, 0.9999999999999999",
                "class-weights, \"1,2.5\"",
                "byzantine, \"0,3,7\"",
                "byzantine, none",
                "box, auto",
                "box, none",
                "box, 2.5",
                "model, huber(delta=1.5)",
                "model, svm",
                "seed, -9223372036854775808",
                "tolerated, 0.28",
                "root, 100",
                "scale, min-max",
                "rule, norm-screening(tolerated=2)",
                "attack, intelligent(share=0.5)",
                "intercept, false"
            })
    <T> void oddValuesPrintAsTheyWereWritten(String name, String text) {
        @SuppressWarnings("unchecked")
        PlanKey<T> key = (PlanKey<T>) PlanKey.named(name);
        assertThat(key.print(key.parse(text))).isEqualTo(text);
        Plan plan = PLAN.with(name, text);
        assertThat(plan.settings()).containsEntry(name, text);
        assertThat(Plan.of(plan.settings())).isEqualTo(plan).hasSameHashCodeAs(plan);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "lambda, -1",
                "lambda, 0",
                "lambda, NaN",
                "lambda, Infinity",
                "lambda, 1e999",
                "lambda, automatic",
                "lambda, strong",
                "l2, -0.1",
                "l2, NaN",
                "learning-rate, 0",
                "learning-rate, Infinity",
                "test-share, 1",
                "test-share, -0.1",
                "test-share, NaN",
                "tolerance, 1",
                "workers, 0",
                "workers, 2.5",
                "workers, 99999999999",
                "rounds, -1",
                "ascent-steps, -1",
                "precision, 0",
                "screened, -1",
                "screened, 1.5",
                "root, -1",
                "root, 0.5",
                "seed, one",
                "seed, 9223372036854775808",
                "scale, log",
                "class-weights, 1",
                "class-weights, \"1,0\"",
                "class-weights, \"1,NaN\"",
                "rule, mediam",
                "attack, aggressive(factor=-1)",
                "byzantine, \"1,-2\"",
                "byzantine, \"1,,2\"",
                "intercept, yes",
                "init, ones",
                "header, maybe",
                "model, forest",
                "model, huber(delta=0)",
                "model, svm(smoothing=NaN)",
                "box, 0",
                "box, -1",
                "box, NaN",
                "box, wide",
                "partition, sorted"
            })
    void impossibleValuesAreRefusedByName(String name, String text) {
        assertThatThrownBy(() -> PLAN.with(name, text))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("--" + name.replace("screened", "tolerated"));
    }

    @Test
    void typedValuesAreCheckedLikeTheirText() {
        for (double bad : new double[] {-1, 0, Double.NaN}) {
            assertThatThrownBy(() -> PLAN.with(PlanKey.LAMBDA, Price.of(bad))).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> PLAN.with(PlanKey.L2, Optional.of(Double.NaN))).isInstanceOf(InputException.class);
        assertThat(PLAN.with(PlanKey.LAMBDA, Price.NONE).settings()).containsEntry("lambda", "none");
        assertThat(PLAN.with("lambda", "auto").get(PlanKey.LAMBDA)).isEqualTo(Price.AUTO);
        assertThat(PLAN.with(PlanKey.LAMBDA, Price.AUTO).settings()).containsEntry("lambda", "auto");
        assertThat(PLAN.with("l2", "auto").l2()).isZero();
        assertThatThrownBy(() -> PLAN.with("lambda", "often")).hasMessage("--lambda must be a number, got 'often'");
    }

    @Test
    void labelsHaveAPriceOnlyWhereRowsHaveOne() {
        Plan labels = PLAN.with("label-price", "2");
        assertThat(labels.with("lambda", "3").isPapersObjective()).isFalse();
        assertThat(labels.with("lambda", "auto").isPapersObjective()).isFalse();
        assertThatThrownBy(() -> labels.with("lambda", "none").objective())
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--label-price is a multiple of --lambda, and with --lambda none rows and labels stay; leave out"
                                + " one of them");
    }

    @Test
    void unknownKeysListTheKnown() {
        assertThatThrownBy(() -> Plan.of(Map.of("lamda", "3")))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("unknown plan key 'lamda'; known: label, classes, header, format")
                .hasMessageContaining("lambda")
                .hasMessageEndingWith("byzantine");
    }

    @Test
    void changingASettingLeavesThePlanAsItWas() {
        Plan changed = PLAN.with(PlanKey.ROUNDS, 7);
        assertThat(PLAN.get(PlanKey.ROUNDS)).isEqualTo(1000);
        assertThat(changed.get(PlanKey.ROUNDS)).isEqualTo(7);
        assertThat(changed).isNotEqualTo(PLAN);
        assertThat(Plan.of(PLAN.settings())).isEqualTo(PLAN);
    }

    @Test
    void settingsCanBeTakenBack() {
        Plan attacked = PLAN.with("attack", "aggressive").with("liars", "2").with("rounds", "7");
        assertThat(attacked.without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE))
                .isEqualTo(PLAN.with("rounds", "7"));
        assertThat(attacked.get(PlanKey.LIARS)).isEqualTo(2);
        assertThat(attacked.without()).isEqualTo(attacked);
    }

    @Test
    void theRuleIsMadeForTheNumberOfWorkers() {
        assertThat(ResolvedPlan.rule(PLAN.with("screened", "0.28"), 25)).isEqualTo(new NormScreening(7));
        assertThat(ResolvedPlan.rule(PLAN.with("rule", "mean"), 25)).isEqualTo(new Mean());
        assertThat(ResolvedPlan.rule(PLAN.with("rule", "norm-screening(f=2)"), 25))
                .isEqualTo(new NormScreening(2));
        assertThatThrownBy(() -> ResolvedPlan.rule(PLAN.with("screened", "5"), 5))
                .isInstanceOf(InputException.class)
                .hasMessage("--tolerated must be below the number of workers, got 5 for 5 workers");
        assertThatThrownBy(() -> ResolvedPlan.rule(PLAN.with("rule", "norm-screening(f=5)"), 5))
                .hasMessage("--rule norm-screening(tolerated=5): tolerated = 5 needs at least 6 workers, got 5");
    }

    @Test
    void liarsAreDrawnBySeedOrNamed() {
        Plan attacked = PLAN.with("attack", "aggressive");
        int[] drawn = ResolvedPlan.liars(attacked.with(PlanKey.LIARS, 3), 10);
        assertThat(drawn).hasSize(3).isSorted().isEqualTo(ResolvedPlan.liars(attacked.with(PlanKey.LIARS, 3), 10));
        assertThat(ResolvedPlan.liars(attacked.with("byzantine", "7,2"), 10)).containsExactly(2, 7);
        assertThat(ResolvedPlan.liars(PLAN, 10)).isEmpty();
        assertThatThrownBy(() -> ResolvedPlan.liars(attacked.with(PlanKey.LIARS, 11), 10))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> ResolvedPlan.liars(attacked.with("byzantine", "10"), 10))
                .hasMessage("--byzantine: worker 10 is not among 0..9");
        assertThatThrownBy(
                        () -> ResolvedPlan.liars(attacked.with("byzantine", "1").with("liars", "1"), 10))
                .hasMessage("give --liars or --byzantine, not both");
        assertThatThrownBy(() -> ResolvedPlan.liars(attacked, 10))
                .hasMessage("--attack aggressive needs --liars or --byzantine");
        assertThatThrownBy(() -> ResolvedPlan.liars(PLAN.with("liars", "1"), 10))
                .hasMessage("--liars and --byzantine need an attack, such as --attack aggressive");
        assertThat(PLAN.with("attack", "intelligent").attack()).isEqualTo(new Intelligent(0.8));
    }

    @Test
    void theMaximiserFollowsFromTheSettings() {
        assertThat(robust(PLAN, Samples.TWO_CLASSES).maximiser()).isInstanceOf(ExactMaximiser.class);
        assertThat(robust(PLAN.with("ascent-steps", "3"), Samples.TWO_CLASSES).maximiser())
                .isInstanceOfSatisfying(
                        ScalarRecurrence.class, r -> assertThat(r.rate()).isEqualTo(1 / 8.0));
        assertThat(robust(
                                PLAN.with("precision", "0.1")
                                        .with("maximiser", "ascent")
                                        .with("ascent-rate", "0.05"),
                                Samples.TWO_CLASSES)
                        .maximiser())
                .isInstanceOfSatisfying(
                        GradientAscent.class, r -> assertThat(r.rate()).contains(0.05));
        assertThat(robust(PLAN.with("lambda", "none"), Samples.TWO_CLASSES)
                        .maximiser()
                        .lambda())
                .isInfinite();
    }

    private static final Schema NUMBERS = new Schema(List.of("a", "b"), "y", List.of(), List.of());

    @Test
    void everyLinearModelHasItsExactMaximiser() {
        for (String model : List.of("linear", "huber(delta=2)")) {
            assertThat(robust(PLAN.with("model", model), NUMBERS).maximiser()).isInstanceOf(ExactMaximiser.class);
        }
        assertThat(robust(PLAN.with("model", "svm"), Samples.TWO_CLASSES).maximiser())
                .isInstanceOf(ExactMaximiser.class);
        assertThat(PLAN.loss(NUMBERS).model()).isInstanceOf(LinearRegression.class);
        Plan poisson = PLAN.with("model", "poisson").with("box", "3");
        for (String name : List.of("auto", "exact")) {
            assertThat(robust(poisson.with("maximiser", name), NUMBERS).maximiser())
                    .isInstanceOfSatisfying(
                            BoxMaximiser.class, m -> assertThat(m.box()).isEqualTo(new Box(3)));
        }
    }

    @Test
    void aBoxNeedsAMaximiserThatKnowsIt() {
        Plan poisson = PLAN.with("model", "poisson");
        Plan boxed = poisson.with("box", "3").with("ascent-steps", "5");
        for (String name : List.of("auto", "ascent")) {
            assertThat(robust(boxed.with("maximiser", name), NUMBERS).maximiser())
                    .isInstanceOfSatisfying(
                            GradientAscent.class, m -> assertThat(m.box()).isEqualTo(new Box(3)));
        }
        Plan logistic = PLAN.with("box", "3").with("ascent-steps", "5");
        assertThat(robust(logistic.with("maximiser", "ascent"), Samples.TWO_CLASSES)
                        .maximiser())
                .isInstanceOfSatisfying(
                        GradientAscent.class, m -> assertThat(m.box()).isEqualTo(new Box(3)));
        assertThat(robust(poisson.with("box", "none").with("lambda", "none"), NUMBERS)
                        .maximiser()
                        .lambda())
                .isInfinite();
        refused(
                boxed.with("maximiser", "recurrence"),
                "--maximiser recurrence does not support --box; use --maximiser exact or ascent");
        refused(
                poisson.with("box", "none"),
                "model poisson needs --box or --lambda none: without a box its worst case is infinite for every lambda");
        for (String name : List.of("auto", "exact", "recurrence")) {
            refused(
                    logistic.with("model", "huber").with("maximiser", name),
                    "--box needs --maximiser ascent, for every model but poisson");
        }
    }

    /** What a message names can be typed as it stands there. */
    @Test
    void messagesNameWhatIsAccepted() {
        Map.of(
                        "learning-rate=adaptive",
                        "quasi-newton(first=0.1, shortest=0.001), spectral(first=0.1) or adaptive(first=0.1), got 'adaptive'",
                        "init=ones",
                        "must be auto, normal, or zero, the earlier name of auto; got 'ones'",
                        "model=mlp(hidden=1000000)",
                        "a hidden layer has 1 to 100000 units, got 1000000")
                .forEach((setting, message) -> assertThatThrownBy(
                                () -> Plan.defaults().with(setting.split("=", 2)[0], setting.split("=", 2)[1]))
                        .isInstanceOf(InputException.class)
                        .hasMessageContaining(message));
        assertThat(Plan.defaults().with("init", "zero")).isEqualTo(Plan.defaults());
    }

    private static void refused(Plan plan, String message) {
        assertThatThrownBy(() -> plan.loss(NUMBERS))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void softmaxAscendsUntilAPrecisionUnlessToldOtherwise() {
        Schema three = new Schema(List.of("x"), "y", List.of("a", "b", "c"), List.of());
        RobustLoss standard = robust(PLAN, three);
        assertThat(standard.maximiser())
                .isInstanceOfSatisfying(
                        SubspaceRecurrence.class, r -> assertThat(r.rate()).isEqualTo(1 / 8.0));
        assertThat(standard.effort().at(false)).isEqualTo(new Effort.Precision(1e-4));
        assertThat(robust(PLAN.with("ascent-steps", "3"), three).effort().at(false))
                .isEqualTo(new Effort.Steps(3));
        assertThat(robust(PLAN.with("maximiser", "ascent"), three).maximiser()).isInstanceOf(GradientAscent.class);
        assertThatThrownBy(() -> PLAN.with("maximiser", "exact").loss(three))
                .isInstanceOf(InputException.class)
                .hasMessage("--maximiser exact: softmax has none; auto ascends until --precision is met");
    }

    @Test
    void theEffortFollowsFromTheSettings() {
        assertThat(robust(PLAN.with("ascent-steps", "3"), Samples.TWO_CLASSES)
                        .effort()
                        .at(true))
                .isEqualTo(new Effort.Steps(3));
        RobustLoss staged = robust(
                PLAN.with("precision", "0.01").with("early-precision", "0.1").with("early-rounds", "4"),
                Samples.TWO_CLASSES);
        assertThat(staged.effort().at(true)).isEqualTo(new Effort.Precision(0.1));
        assertThat(staged.effort().at(false)).isEqualTo(new Effort.Precision(0.01));
        assertThatThrownBy(() ->
                        PLAN.with("precision", "0.1").with("ascent-steps", "3").loss(Samples.TWO_CLASSES))
                .hasMessage("give --ascent-steps or --precision, not both");
        assertThatThrownBy(() -> PLAN.with("early-precision", "0.1").loss(Samples.TWO_CLASSES))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> PLAN.with("maximiser", "ascent").loss(Samples.TWO_CLASSES))
                .hasMessage("--maximiser ascent needs --ascent-steps or --precision");
    }

    private static RobustLoss robust(Plan plan, Schema schema) {
        return (RobustLoss) plan.loss(schema);
    }

    private static void expectRefused(String message, String... settings) {
        Plan plan = Plan.defaults();
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            plan = plan.with(parts[0], parts[1]);
        }
        Plan made = plan;
        assertThatThrownBy(() -> made.loss(Samples.schema(2)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void settingsThatNeedOrExcludeEachOtherAreRefused() {
        expectRefused("not both", "ascent-steps=0", "precision=0.1");
        expectRefused("--early-precision needs --precision", "ascent-steps=3", "early-precision=0.1", "early-rounds=5");
        expectRefused("--early-steps needs --ascent-steps", "precision=0.1", "early-steps=2");
        expectRefused("not both", "precision=0.1", "early-precision=0.2", "early-steps=2");
        expectRefused("--early-rounds needs --early-precision or --early-steps", "precision=0.1", "early-rounds=5");
        // Plans of earlier versions say 0 for none.
        assertThat(Plan.defaults().with("early-rounds", "0")).isEqualTo(Plan.defaults());
        Plan plan = Plan.defaults().with("model", "poisson");
        assertThatThrownBy(() -> plan.loss(new Schema(List.of("x"), "y", List.of(), List.of())))
                .isInstanceOf(InputException.class)
                .hasMessage("--box auto must be made a number from the data before it is used");
    }

    @Test
    void noStepsAreAlsoANumberOfSteps() {
        Plan plan = Plan.defaults().with("ascent-steps", "0");
        assertThat(robust(plan, Samples.schema(2)).maximiser()).isInstanceOf(ScalarRecurrence.class);
        assertThat(robust(plan.with("model", "softmax"), Samples.schema(2))
                        .effort()
                        .at(true))
                .isEqualTo(new Effort.Steps(0));
    }

    @Test
    void allWorkersMayLieAndNoMore() {
        Plan plan = Plan.defaults().with("attack", "aggressive").with("liars", "3");
        assertThat(ResolvedPlan.liars(plan, 3)).containsExactly(0, 1, 2);
        assertThatThrownBy(() -> ResolvedPlan.liars(plan, 2))
                .isInstanceOf(InputException.class)
                .hasMessage("--liars must be at most the number of workers, got 3 of 2");
    }

    /** Five of ten rows are set aside. */
    @Test
    void aBatchIsDrawnFromTheRowsThatTrain() {
        Plan plan = Plan.defaults().with("validation", "0.5");
        List<String> workers = List.of("Thun", "Bern");
        long[] sizes = {1L << 40, 10};
        ResolvedPlan.requireEnoughRows(plan.with("batch", "5"), workers, sizes);
        assertThatThrownBy(() -> ResolvedPlan.requireEnoughRows(plan.with("batch", "6"), workers, sizes))
                .isInstanceOf(InputException.class)
                .hasMessage("--batch must be at most the rows of every worker, got 6, but worker Bern trains on 5");
    }

    /** Workers with one row have none to set aside, and liars must not be half of those who report. */
    @Test
    void enoughWorkersMustHaveRowsToSetAside() {
        Plan plan = Plan.defaults().with("tolerated", "1");
        List<String> workers = List.of("a", "b", "c", "d");
        ResolvedPlan.requireEnoughRows(plan, workers, new long[] {1, 1, 1, 1});
        Plan validated = plan.with("validation", "0.2");
        ResolvedPlan.requireEnoughRows(validated, workers, new long[] {1, 2, 2, 9});
        assertThatThrownBy(() -> ResolvedPlan.requireEnoughRows(validated, workers, new long[] {1, 1, 2, 9}))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--validation needs more than 2 x 1 workers (--tolerated) that have two rows or more, got 2");
        ResolvedPlan.requireEnoughRows(validated.with("tolerated", "3"), workers, new long[] {2, 2, 2, 2});
    }

    @Test
    void numbersGoAsFarAsAnIntAndPlansSayThemselves() {
        Plan plan = Plan.defaults().with("rounds", "2147483647");
        assertThat(plan.get(PlanKey.ROUNDS)).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> plan.with("rounds", "2147483648")).isInstanceOf(InputException.class);
        assertThat(plan.toString()).contains("rounds=2147483647", "lambda=8");
        assertThat(PlanKey.ROUNDS).hasToString("rounds");
        assertThat(plan.hashCode()).isNotEqualTo(Plan.defaults().hashCode());
    }
}
