package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.model.PoissonRegression;
import holdfast.model.Smoothness;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowReach;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.theory.RobustSurrogate;
import holdfast.training.Forecast.Answer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForecastTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "20")
            .with("tolerated", "3")
            .with("lambda", "3")
            .with("learning-rate", "proven");

    private static Forecast of(Plan plan) {
        return Forecast.of(plan, plan.get(PlanKey.WORKERS));
    }

    private static Dataset data(long seed) {
        return Samples.dataset(Seed.of(seed), 400, 3);
    }

    private static Forecast of(Plan plan, Dataset data) {
        try (PreparedRun run = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            return Forecast.of(run);
        }
    }

    @Test
    void withoutDataItSaysWhatFollowsFromTheNumbersOfWorkers() {
        Forecast forecast = of(PLAN.with("precision", "0.01"));
        // C = 6/17, 2/(1-C) = 34/11, 1/(1-C)^2 = (17/11)^2, r = 11/6
        assertThat(forecast.about("Influence").words())
                .isEqualTo("||G - grad F|| <= 0.353 ||grad F|| + (L_theta,z epsilon + sigma)");
        assertThat(forecast.about("Breakpoint").words()).contains("2 alpha + beta = 0.45", "up to 6 of 20");
        assertThat(forecast.about("Theorem 2").words())
                .contains("<= 3.09 L_F (F_0 - F*)/T + 2.39 (L_theta,z epsilon + sigma)^2");
        assertThat(forecast.about("Theorem 2").formula()).contains("(1-C)/C = 1.83");
        // L_zz = ||theta||^2/4 is half of lambda at sqrt(6); p = 1/2, D_z = sqrt(6)/3: 0.816/2^7 is below 0.01
        assertThat(forecast.about("Assumption 3").words()).contains("||theta|| <= 2.45");
        assertThat(forecast.about("Precision").words())
                .contains("T_z = 7 steps are enough for epsilon = 0.01", "p = 0.5", "D_z <= 0.816");
        assertThat(forecast.about("Assumption 7").answer()).isEqualTo(Answer.FAILS);
    }

    @Test
    void aPlanBeyondTheBreakpointGetsNoTheorem() {
        Forecast forecast = of(PLAN.with("tolerated", "7"));
        assertThat(forecast.about("Breakpoint").answer()).isEqualTo(Answer.FAILS);
        assertThat(forecast.about("Theorems 2-4").words()).isEqualTo("see Breakpoint");
        // 2 alpha + beta < 1 with one liar, though not with seven.
        Forecast fewer = of(PLAN.with("tolerated", "7").with(PlanKey.LIARS, 1));
        assertThat(fewer.about("Breakpoint").answer()).isEqualTo(Answer.HOLDS);
        Forecast more = of(PLAN.with(PlanKey.LIARS, 4));
        assertThat(more.about("Influence").change()).contains("--tolerated 4");
    }

    @Test
    void otherRulesGiveTheirOwnBounds() {
        Forecast forecast = of(PLAN.with("rule", "trimmed-mean"));
        assertThat(forecast.about("Influence").words()).startsWith("||G - grad F|| <= 0 ||grad F|| + ");
        assertThat(forecast.about("Influence").formula()).startsWith("kappa = ");
        assertThat(of(PLAN.with("rule", "norm-clipping")).about("Influence").words())
                .contains("<= 0.3 ||grad F||");
        assertThat(of(PLAN.with("rule", "mean").with("tolerated", "0"))
                        .about("Theorem 2")
                        .answer())
                .isEqualTo(Answer.HOLDS);
    }

    @Test
    void changesMakeWhatTheySayHold() {
        Dataset data = data(1);
        Plan plan = PLAN.with("learning-rate", "auto").with("init", "normal").with("lambda", "0.1");
        Forecast before = of(plan, data);
        assertThat(before.about("Assumption 3").change().orElseThrow()).contains("--init auto");
        assertThat(before.about("Step").change().orElseThrow()).contains("--learning-rate proven");
        Forecast after = of(plan.with("init", "auto").with("learning-rate", "proven"), data);
        assertThat(after.about("Assumption 3").answer()).isEqualTo(Answer.HOLDS);
        assertThat(after.about("Step").answer()).isEqualTo(Answer.HOLDS);

        Plan strong = PLAN.with("intercept", "false").with("l2", "0.01");
        String change = of(strong, data).about("Theorem 4").change().orElseThrow();
        double penalty = Double.parseDouble(change.replace("--l2 above ", ""));
        assertThat(of(strong.with(PlanKey.L2, Optional.of(penalty * 1.01)), data)
                        .about("Theorem 4")
                        .answer())
                .isEqualTo(Answer.HOLDS);
        assertThat(of(strong.with(PlanKey.L2, Optional.of(penalty * 0.98)), data)
                        .about("Theorem 4")
                        .answer())
                .isEqualTo(Answer.FAILS);
        // Nobody lies: C = 0, and any penalty is enough.
        assertThat(of(strong.with("tolerated", "0"), data).about("Theorem 4").answer())
                .isEqualTo(Answer.HOLDS);
    }

    @Test
    void theProvenStepIsThatOfLemmaOneOnTheBall() {
        Dataset data = data(2);
        PreparedData prepared = PreparedData.of(data, PLAN);
        double radius =
                RowReach.of(prepared.training(), holdfast.objective.Box.NONE).radius();
        // On ||theta|| <= sqrt(6): rows move by at most sqrt(6)/3; an intercept makes rows (x, 1).
        double length = Math.sqrt(6);
        double z = Math.sqrt(Math.pow(radius + length / 3, 2) + 1);
        double cross = 1 + z * length / 4;
        double expected = RobustSurrogate.objectiveSmoothness(new Smoothness(z * z / 4, cross, cross, 1.5), 3);
        double step = prepared.resolve(PLAN).get(PlanKey.LEARNING_RATE).first().orElseThrow();
        assertThat(1 / step).isCloseTo(expected, withinPercentage(1e-6));
        Plan strong = PLAN.with("intercept", "false").with("l2", "1").with("tolerated", "0");
        PreparedData plain = PreparedData.of(data, strong);
        assertThat(plain.resolve(strong).get(PlanKey.LEARNING_RATE))
                .isInstanceOf(LearningRate.Fixed.class)
                .satisfies(rate -> assertThat(2 / rate.first().orElseThrow() - 1)
                        .isCloseTo(provenSmoothness(plain, length), withinPercentage(1e-6)));
    }

    private static double provenSmoothness(PreparedData prepared, double length) {
        double reach =
                RowReach.of(prepared.training(), holdfast.objective.Box.NONE).radius() + length / 3;
        double cross = 1 + reach * length / 4;
        return RobustSurrogate.objectiveSmoothness(new Smoothness(reach * reach / 4, cross, cross, 1.5), 3) + 1;
    }

    @Test
    void modelsWithoutABoundAreRefused() {
        Plan plan = PLAN.with("model", "poisson").with("lambda", "none");
        Dataset counts = Samples.counts(Seed.of(3), 100, 2);
        assertThatThrownBy(() -> PreparedData.of(counts, plan).resolve(plan))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(
                        "needs a finite L_F (Assumption 1), and model poisson on these rows has none for all theta; use auto");
        assertThatThrownBy(() -> PreparedData.of(data(4), PLAN)
                        .resolve(PLAN.with("update", "delta").with("local-rate", "0.1")))
                .hasMessageContaining("--learning-rate proven needs");
    }

    @Test
    void runsWithTheProvenStepHaveAGuaranteeAndKeepToTheirPrediction() {
        Laws.check(6, seed -> {
            Dataset data = Samples.dataset(seed, 300, 3);
            boolean strong = seed.random().nextInt(2) == 0;
            Plan plan = PLAN.with("rounds", "60")
                    .with("tolerance", "0")
                    .with("test-share", "0")
                    .with(PlanKey.INTERCEPT, !strong)
                    .with(PlanKey.L2, Optional.of(strong ? 1.0 : 0.0))
                    .with("lambda", strong ? "none" : "3")
                    .with("tolerated", strong ? "0" : "3");
            try (PreparedRun prepared = PreparedData.of(data, plan).startWorkers(plan, 1)) {
                TrainingRun run = Training.of(data, plan).run(prepared);
                assertThat(run.guarantee().holds())
                        .as(run.guarantee().toString())
                        .isTrue();
                Optional<Prediction> prediction = Prediction.of(run, prepared);
                assertThat(prediction).isPresent();
                assertThat(prediction.get().theorem()).isEqualTo(strong ? "Theorem 4" : "Theorem 2");
                assertThat(prediction.get().measured())
                        .isLessThanOrEqualTo(prediction.get().bound());
            }
        });
    }

    /** C = 6/17; the worst cases are exact but for rounding. */
    @Test
    void aPredictionIsTheoremTwosBoundForTheRun() {
        Dataset data = data(5);
        Plan plan = PLAN.with("rounds", "30").with("tolerance", "0").with("test-share", "0");
        try (PreparedRun prepared = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            TrainingRun run = Training.of(data, plan).run(prepared);
            Prediction prediction = Prediction.of(run, prepared).orElseThrow();
            ResolvedPlan resolved = prepared.plan().resolve(prepared.schema(), 20);
            double sigma = Math.max(
                    WorkerSpread.at(new double[4], resolved, prepared.allWorkers(), Optional.empty())
                            .sigma(),
                    WorkerSpread.at(run.state().theta(), resolved, prepared.allWorkers(), Optional.empty())
                            .sigma());
            assertThat(prediction.floor()).isCloseTo(Math.pow(sigma * 17 / 11, 2), withinPercentage(1e-4));
            assertThat(prediction.progress())
                    .isCloseTo(
                            2 * run.state().firstObjective() / (run.learningRate() * 11 / 17 * 30),
                            withinPercentage(1e-9));
        }
    }

    @Test
    void theStepDependsOnTheInfluenceOfTheLiars() {
        Plan strong = PLAN.with("intercept", "false").with("l2", "0.01");
        Dataset data = data(3);
        PreparedData prepared = PreparedData.of(data, strong);
        double length = Math.sqrt(6);
        // C = 6/17 is above lambda_F/L_F, so Theorem 4 does not apply.
        assertThat(1
                        / prepared.resolve(strong)
                                .get(PlanKey.LEARNING_RATE)
                                .first()
                                .orElseThrow())
                .isCloseTo(provenSmoothness(prepared, length) - 1 + 0.01, withinPercentage(1e-6));
    }

    @Test
    void runsWithoutAGuaranteeHaveNoPrediction() {
        Plan plan = PLAN.with("learning-rate", "5").with("rounds", "3");
        Dataset data = data(6);
        try (PreparedRun prepared = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            assertThat(Prediction.of(Training.of(data, plan).run(prepared), prepared))
                    .isEmpty();
        }
    }

    @Test
    void everyModelHasAnAnswer() {
        assertThat(of(PLAN.with("model", "huber").with("intercept", "false").with("l2", "0.1"))
                        .about("Assumption 7")
                        .words())
                .isEqualTo("lambda_F = 0.1, by --l2");
        assertThat(of(PLAN.with("model", "softmax")).about("Precision").words())
                .matches("T_z = \\d+ steps are enough for epsilon = 1e-04 .*");
        assertThat(of(PLAN.with("lambda", "none")).about("Assumption 1").words())
                .isEqualTo("L_F depends on the rows");
        assertThat(of(PLAN.with("workers", "1").with("tolerated", "0"))
                        .about("Breakpoint")
                        .answer())
                .isEqualTo(Answer.HOLDS);
        assertThat(Statements.number(1.5e10)).isEqualTo("1.50e+10".replace("0e", "e"));
        assertThat(Statements.number(0.000100)).isEqualTo("1e-04");
        assertThat(Statements.number(20)).isEqualTo("20");
    }

    /** A source may be far off; all but the f farthest count. */
    @Test
    void theSpreadIsThatOfAllButTheFarthestWorkers() {
        // One row of length 1 per worker; labels 0: gradients at 0 are -y x = 0 for squared loss, so labels set them.
        double[] labels = {1, 1, 1, 2, 50};
        Dataset data = Dataset.of(
                        new Schema(List.of("x"), "y", List.of(), List.of()),
                        List.of(new DenseBlock(1, new double[] {1, 1, 1, 1, 1}, labels, null)),
                        DataSource.MEMORY)
                .grouped(List.of("a", "b", "c", "d", "e"), new int[] {0, 1, 2, 3, 4});
        Plan plan = Plan.defaults()
                .with("model", "linear")
                .with("workers-by", "s")
                .with("scale", "none")
                .with("intercept", "false")
                .with("lambda", "none")
                .with("test-share", "0")
                .with("learning-rate", "0.1");
        // Without the longest G = -5/4 and the next farthest is 3/4 away; with all, G = -11 and 50 is 39 away.
        assertThat(of(plan.with("tolerated", "1"), data).about("Assumption 4").words())
                .startsWith("sigma = 0.75, ");
        assertThat(of(plan.with("tolerated", "0"), data).about("Assumption 4").words())
                .startsWith("sigma = 39, ");
        assertThat(of(plan.with("tolerated", "0").with("batch", "1"), data)
                        .about("Assumption 4")
                        .answer())
                .isEqualTo(Answer.OPEN);
    }

    @Test
    void theFirstStageAndTheStepsOfTheAscentDecideThePrecision() {
        // p = 1 - 0.1 (3 - 1.5) = 0.85, D_z = sqrt(6)/3
        Plan plan = PLAN.with("ascent-steps", "10").with("ascent-rate", "0.1");
        assertThat(of(plan).about("Precision").words()).startsWith("T_z = 10 steps reach epsilon = 0.161 (p = 0.85");
        assertThat(of(plan.with("early-steps", "2")).about("Precision").words())
                .endsWith("; in the first stage epsilon = 0.59");
        Forecast boxed = of(plan.with("box", "3").with("maximiser", "ascent"));
        assertThat(boxed.about("Precision").answer()).isEqualTo(Answer.FAILS);
        assertThat(boxed.about("Theorems 2-4").words()).isEqualTo("see Precision");
    }

    @Test
    void liarsMayBeNamedOrCounted() {
        assertThat(of(PLAN.with(PlanKey.BYZANTINE, List.of(0, 1, 2, 3)))
                        .about("Influence")
                        .words())
                .startsWith("4 may lie, but the rule is set up for 3");
        assertThat(of(PLAN.with("tolerated", "7")).about("Breakpoint").change())
                .contains("--rule norm-clipping --tolerated 7");
        assertThat(of(PLAN.with("tolerated", "10")).about("Breakpoint").change().orElseThrow())
                .startsWith("more workers: no rule withstands half of them");
        assertThat(of(PLAN.with("rule", "mean").with(PlanKey.LIARS, 1))
                        .about("Influence")
                        .change())
                .contains("--rule norm-clipping --tolerated 1");
        assertThat(of(PLAN.with("workers", "24").with("replicas", "3").with("tolerated", "7"))
                        .about("Breakpoint")
                        .words())
                .contains("proven for up to 5 of 24 liars");
    }

    /** An approximate constant: with 2/(L_F + lambda_F) Theorem 2 is not about this run. */
    @Test
    void longerStepsThanTheoremTwosAreTheoremFours() {
        Plan plan = PLAN.with("intercept", "false")
                .with("l2", "1")
                .with("lambda", "none")
                .with("tolerated", "0");
        Forecast forecast = of(plan, data(7));
        assertThat(forecast.about("Step").answer()).isEqualTo(Answer.HOLDS);
        assertThat(forecast.about("Theorem 2").answer()).isEqualTo(Answer.OPEN);
        assertThat(forecast.about("Theorem 2").words()).startsWith("with eta = 1/L_F, ");
        assertThat(forecast.about("Theorem 4").answer()).isEqualTo(Answer.HOLDS);
    }

    @Test
    void promisesNameTheirBall() {
        Forecast forecast = of(PLAN.with("rounds", "100"), data(8));
        assertThat(forecast.about("Theorem 2").words()).contains(", while ||theta|| <= 2.45");
        assertThat(forecast.about("Theorem 3").words()).contains("while the minimum and theta stay in the ball");
        assertThat(forecast.about("Theorem 3").formula()).contains("D = 2 x 2.45");
        // ||theta|| = sqrt(d) or so at a normal start, outside the ball of sqrt(2 lambda).
        Forecast outside = of(PLAN.with("init", "normal").with("lambda", "0.2"), data(8));
        assertThat(outside.about("Assumption 3").answer()).isEqualTo(Answer.FAILS);
        assertThat(outside.about("Theorems 2-4").words()).isEqualTo("see Assumption 3");
    }

    /** The loss of a count can be negative: e^u - y u is y - y log y at its least. */
    @Test
    void countsHaveABoundOnTheObjectiveThatTheirLossAllows() {
        assertThat(new PoissonRegression(false).leastLoss(10))
                .isCloseTo(10 - 10 * Math.log(10), withinPercentage(1e-9));
        assertThat(new PoissonRegression(false).leastLoss(2)).isZero();
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int most = 1 + random.nextInt(40);
            double u = 3 * random.nextGaussian();
            double y = random.nextInt(most + 1);
            double[] loss = new double[1];
            new PoissonRegression(false)
                    .losses(new double[] {u}, new DenseBlock(1, new double[] {1}, new double[] {y}, null), loss);
            assertThat(loss[0]).isGreaterThanOrEqualTo(new PoissonRegression(false).leastLoss(most) - 1e-9);
        });
        Plan plan = Plan.defaults()
                .with("model", "poisson")
                .with("lambda", "none")
                .with("tolerated", "0")
                .with("workers", "2")
                .with("intercept", "false")
                .with("scale", "none")
                .with("learning-rate", "0.0001")
                .with("rounds", "200")
                .with("tolerance", "0")
                .with("test-share", "0");
        Dataset counts = Samples.counts(Seed.of(4), 60, 6);
        try (PreparedRun prepared = PreparedData.of(counts, plan).startWorkers(plan, 1)) {
            assertThat(Forecast.of(prepared).about("Theorems 2-4").answer()).isEqualTo(Answer.OPEN);
            TrainingRun run = Training.of(counts, plan).run(prepared);
            Prediction.of(run, prepared).ifPresent(p -> assertThat(p.measured()).isLessThanOrEqualTo(p.bound()));
        }
        assertThatThrownBy(() -> of(PLAN.with("model", "poisson")))
                .hasMessageStartingWith("model poisson needs data, or --box, or --lambda none");
    }

    @Test
    void rowsBeyondAllBoundsGetNoTheorem() {
        Dataset huge = Dataset.of(
                new Schema(List.of("x"), "y", List.of("0", "1"), List.of()),
                List.of(new DenseBlock(1, new double[] {1e120, -1e120, 1e120, 1}, new double[] {0, 1, 0, 1}, null)),
                DataSource.MEMORY);
        Plan plan = PLAN.with("workers", "2")
                .with("tolerated", "0")
                .with("scale", "none")
                .with("lambda", "none")
                .with("intercept", "false")
                .with("test-share", "0");
        assertThatThrownBy(() -> PreparedData.of(huge, plan).resolve(plan)).isInstanceOf(InputException.class);
        Forecast forecast = of(plan.with("learning-rate", "1e-9"), huge);
        assertThat(forecast.about("Assumption 1").answer()).isEqualTo(Answer.FAILS);
        assertThat(Training.of(huge, plan.with("learning-rate", "1e-9").with("rounds", "2"))
                        .run()
                        .guarantee()
                        .holds())
                .isFalse();
    }

    @Test
    void theServersOwnRowsAreUsedWhereTheRuleNeedsThem() {
        Plan plan = PLAN.with("rule", "fltrust").with("root", "20").with("tolerated", "2");
        assertThat(of(plan, data(9)).about("Assumption 4").words()).startsWith("sigma = ");
    }

    /** Scores without bound have a curvature without bound under the squared loss, away from the rows. */
    @Test
    void lzzOfANetworkIsBoundedWhereverRowsMayMove() {
        Plan plan = Plan.defaults().with("workers", "4").with("lambda", "1000").with("model", "mlp(hidden=4)");
        Dataset numbers = Samples.numbers(Seed.of(3), 200, 3, 0);
        Forecast.Statement squared = of(plan, numbers).about("Assumption 3");
        assertThat(squared.answer()).isEqualTo(Answer.FAILS);
        assertThat(squared.words())
                .containsPattern("at the start nothing bounds L_zz of rows that may move anywhere; power iteration at"
                        + " [0-9]+ training rows finds [0-9.]+, an estimate and no bound");
        assertThat(squared.change())
                .hasValueSatisfying(change -> assertThat(change).contains("loss=huber", "--box"));
        for (Plan bounded : List.of(
                plan.with("box", "3"),
                plan.with("model", "mlp(hidden=4, loss=huber)"),
                plan.with("model", "mlp(hidden=4, activation=tanh)"))) {
            Forecast.Statement statement = of(bounded, numbers).about("Assumption 3");
            assertThat(statement.answer()).isEqualTo(Answer.OPEN);
            assertThat(statement.words()).contains("at the start L_zz is at most");
        }
    }

    @Test
    void aNetworkIsToldNothingThatItWouldRefuse() {
        Forecast forecast =
                of(Plan.defaults().with("lambda", "3").with("l2", "0.1").with("model", "mlp"), data(1));
        assertThat(forecast.about("Assumption 7").words()).isEqualTo("model mlp is not known to be convex");
        assertThat(forecast.about("Assumption 7").change())
                .hasValueSatisfying(change -> assertThat(change).startsWith("a model that is linear in its scores"));
        assertThat(forecast.about("Step").change())
                .hasValueSatisfying(change -> assertThat(change).startsWith("what Assumption 1 needs"));
    }
}
