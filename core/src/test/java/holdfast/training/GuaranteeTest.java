package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Median;
import holdfast.aggregate.Round;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowReach;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.Stage;
import holdfast.rounds.StepSize;
import holdfast.rounds.TrainingState;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.testkit.Samples;
import holdfast.theory.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteeTest {
    private static final Dataset DATA = Samples.dataset(Seed.of(1), 400, 3);
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "8")
            .with("screened", "2")
            .with("rounds", "6")
            .with("lambda", "1000")
            .with("learning-rate", "0.01");

    private static Guarantee run(Plan plan) {
        return Training.of(DATA, plan).run().guarantee();
    }

    private static String failed(Guarantee guarantee) {
        assertThat(guarantee.holds()).isFalse();
        assertThat(guarantee.toString()).startsWith("none: ");
        return guarantee.conditions().stream()
                .filter(c -> !c.holds())
                .map(c -> c.name() + ": " + c.detail())
                .reduce((a, b) -> a + " | " + b)
                .orElseThrow();
    }

    private static final ObjectiveConstants.Values KNOWN = new ObjectiveConstants.Values(true, 1, 1, 1, 2, 0);

    @Test
    void whereEveryConditionHoldsItIsConditionalOnTheLiarsAndNamesThemAll() {
        Guarantee guarantee = run(PLAN);
        assertThat(guarantee.holds()).isTrue();
        assertThat(guarantee.toString())
                .matches(
                        "convergence is proven if at most 2 of 8 workers lie; checked: 2 alpha \\+ beta < 1 with 2 of 8 screened; full"
                                + " gradients and constant steps; lambda > L_zz in every round, worst cases to within [0-9.e-]+; step <= 1/L_F = 0\\.\\d+ in every"
                                + " round");
        assertThat(run(PLAN.with("rule", "mean").with("screened", "0")).toString())
                .startsWith(
                        "convergence is proven if no worker lies; checked: the mean of all updates is that of the honest ones; ");
    }

    @Test
    void liarsThatTheRuleDoesNotTolerateVoidIt() {
        Plan lied = PLAN.with("rule", "mean")
                .with("screened", "0")
                .with("attack", "aggressive")
                .with("liars", "3")
                .with("tolerance", "0");
        assertThat(failed(run(lied))).isEqualTo("rule: 3 of 8 workers lie (simulated), but the rule tolerates 0");
    }

    @Test
    void theRuleMustBearWhatItTolerates() {
        assertThat(failed(run(PLAN.with("screened", "3"))))
                .isEqualTo("rule: it does not hold that 2 alpha + beta < 1 with 3 of 8 screened");
        assertThat(run(PLAN.with("rule", "norm-clipping").with("screened", "3")).holds())
                .isTrue();
        assertThat(run(PLAN.with("rule", "median").with("screened", "3")).holds())
                .isTrue();
        assertThat(run(PLAN.with("rule", "nnm + median").with("screened", "3")).toString())
                .startsWith(
                        "convergence is proven if at most 3 of 8 workers lie; checked: 3 of 8 liars have an influence"
                                + " of 0.00, which is below 1; ");
        assertThat(failed(run(PLAN.with("rule", "nnm + norm-screening").with("screened", "3"))))
                .isEqualTo("rule: it does not hold that 3 of 8 liars have an influence of 1.20, which is below 1");
        assertThat(failed(run(PLAN.with("rule", "clipping + median"))))
                .isEqualTo("rule: nothing is proven about rule clipping + median");
        assertThat(failed(run(PLAN.with("rule", "sign-majority"))))
                .isEqualTo("rule: nothing is proven about rule sign-majority");
        assertThat(failed(run(PLAN.with("rule", "adaptive-screening(factor=9)").with("screened", "1"))))
                .startsWith("rule: it does not hold that 1 of 8 is below the share 0.0500");
        assertThat(failed(run(PLAN.with("rule", "adaptive-screening").with("screened", "1"))))
                .startsWith("rule: it does not hold that 1 of 8 is below the share 0.125");
        assertThat(run(PLAN.with("rule", "median(f=3)")).toString())
                .startsWith(
                        "convergence is proven if at most 3 of 8 workers lie; checked: 3 of 8 is below the share 0.500 that the rule tolerates (Yin et al. 2018); ");
        assertThat(failed(run(PLAN.with("rule", "signguard"))))
                .isEqualTo("rule: nothing is proven about rule signguard");
    }

    /** A rule of one's own, with a bound of its own or with none. */
    private record Own(int tolerated, boolean proven) implements Aggregator {
        @Override
        public Aggregate aggregate(Round round) {
            return new Median(tolerated).aggregate(round);
        }

        @Override
        public int minWorkers() {
            return 2 * tolerated + 1;
        }

        @Override
        public Optional<Proof> proof(int workers) {
            return proven
                    ? Optional.of(Proof.of(5 * tolerated < workers, "5f < m = " + workers, "this test"))
                    : Optional.empty();
        }
    }

    @Test
    void aRuleOfOnesOwnBringsItsOwnBound() {
        Plan plan = PLAN.with(Catalogues.standard()
                .withRule("own", "with a bound", p -> f -> new Own(f, true))
                .withRule("other", "without a bound", p -> f -> new Own(f, false)));
        assertThat(run(plan.with("rule", "own").with("tolerated", "1")).toString())
                .startsWith("convergence is proven if at most 1 of 8 workers lie; checked: 5f < m = 8; ");
        assertThat(failed(run(plan.with("rule", "own").with("tolerated", "2"))))
                .isEqualTo("rule: it does not hold that 5f < m = 8");
        assertThat(failed(run(plan.with("rule", "other").with("tolerated", "1"))))
                .isEqualTo("rule: nothing is proven about rule other");
        assertThat(run(PLAN.withRule(new Own(1, true))).holds()).isTrue();
        assertThat(failed(run(PLAN.withRule(new Own(1, false)))))
                .isEqualTo("rule: nothing is proven about rule <" + Own.class.getName() + ">");
    }

    @Test
    void replicasThatOutvoteTheLiarsNeedNoOtherBound() {
        Plan exact = PLAN.with("workers", "9")
                .with("replicas", "3")
                .with("rule", "mean")
                .with("screened", "1");
        assertThat(run(exact).toString())
                .startsWith("convergence is proven if at most 1 of 9 workers lie; checked: 3 replicas outvote f = 1; ");
        Plan spoiled = exact.with("screened", "2").with("rule", "norm-screening");
        assertThat(failed(run(spoiled)))
                .isEqualTo("rule: it does not hold that 2 alpha + beta < 1 with 1 of 3 screened");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server-momentum=0.5",
                "worker-momentum=0.5",
                "batch=10",
                "local-steps=2",
                "schedule=root",
                "update=delta",
                "update=newton"
            })
    void theTheoremsAreAboutPlainGradientDescent(String setting) {
        String[] parts = setting.split("=");
        assertThat(failed(run(PLAN.with(parts[0], parts[1]))))
                .startsWith("updates: the theorems are about full gradients with constant steps and no momentum");
    }

    @Test
    void itSaysInWhichRoundsAConditionFailed() {
        Plan plan = PLAN.with("init", "normal").with("learning-rate", "0.3").with("l2", "0.5");
        double[] start = ResolvedPlan.start(plan, new LogisticRegression(true), 3);
        double zz = Vectors.dot(start, start, 3) / 4;
        List<Guarantee> found = new ArrayList<>();
        List<String> logged = Logged.during(() -> found.add(run(plan.with(PlanKey.LAMBDA, Price.of(0.9 * zz)))));
        Guarantee guarantee = found.get(0);
        assertThat(failed(guarantee)).contains("lambda: lambda was not above L_zz (Assumption 3) in round 0");
        assertThat(failed(guarantee)).contains("step: the step 0.300 was above 1/L_F = 0");
        assertThat(logged).filteredOn(m -> m.contains("Assumption 3")).hasSize(1);
        assertThat(failed(run(plan.with(PlanKey.LAMBDA, Price.of(0.01 * zz)))))
                .contains("lambda: lambda was not above L_zz (Assumption 3) in every round");
    }

    @Test
    void roundsAreToldAsARangeOrByTheirNumber() {
        Guarantee.Rounds gap = Guarantee.Rounds.NONE.and(0, false).and(1, true).and(2, false);
        Guarantee.Failures failures = new Guarantee.Failures(gap, gap.and(3, false), 2, 0, 0);
        String text =
                Guarantee.of(PLAN, KNOWN, 1, 8, 10, failures, Optional.empty()).toString();
        assertThat(text)
                .contains(
                        "lambda was not above L_zz (Assumption 3) from round 0 to 2, 2 of 10 rounds in all; the step 0.0100"
                                + " was above 1/L_F = 0.500 (Lemma 1) from round 0 to 3, 3 of 10 rounds in all;");
        Guarantee.Rounds early = Guarantee.Rounds.NONE.and(4, false).and(5, false);
        assertThat(Guarantee.of(
                                PLAN,
                                KNOWN,
                                1,
                                8,
                                10,
                                new Guarantee.Failures(early, Guarantee.Rounds.NONE, 2, 0, 0),
                                Optional.empty())
                        .toString())
                .startsWith(
                        "none: lambda was not above L_zz (Assumption 3) from round 4 to 5; checked and held: 2 alpha");
    }

    @Test
    void worstCasesAreWithinWhatTheWorkersBound() {
        String still = run(PLAN.with("ascent-steps", "0")).toString();
        double epsilon = Double.parseDouble(still.replaceFirst(".*worst cases to within ([^;]+);.*", "$1"));
        assertThat(epsilon).isGreaterThan(1e-6);
        assertThat(run(PLAN).toString()).containsPattern("worst cases to within ([0-9.]+e-[12]\\d|0\\.0);");
        assertThat(failed(run(PLAN.with("rounds", "0")))).isEqualTo("step: no round was made");
        assertThat(run(PLAN.with("lambda", "none")).toString()).contains("; rows do not move (lambda none); step");
        Plan boxed = PLAN.with("maximiser", "ascent").with("ascent-steps", "3").with("box", "2");
        assertThat(failed(run(boxed))).isEqualTo("lambda: nothing bounds how far worst cases were missed");
    }

    @Test
    void rowsOfAnySizeAreBorne() {
        DatasetBuilder rows = new DatasetBuilder(1);
        for (int r = 0; r < 80; r++) {
            rows.add(new double[] {r == 7 ? 1e308 : r % 3}, r % 2);
        }
        Plan plan = PLAN.with("scale", "none")
                .with("lambda", "none")
                .with("rounds", "1")
                .with("test-share", "0");
        Dataset data = rows.build(Samples.schema(1), holdfast.data.DataSource.MEMORY);
        assertThat(failed(Training.of(data, plan).run().guarantee()))
                .startsWith("step: the step 0.0100 was above 1/L_F = ");
    }

    @Test
    void aResumedRunHasTheGuaranteeOfTheWholeOne() {
        Plan plan = PLAN.with("init", "normal").with("lambda", "0.5").with("rounds", "20");
        List<Checkpoint> kept = new ArrayList<>();
        Guarantee whole =
                Training.of(DATA, plan).checkpoints(7, kept::add).run().guarantee();
        List<Checkpoint> later = new ArrayList<>();
        Training resumed = Training.of(DATA, plan).resume(kept.get(0)).checkpoints(7, later::add);
        assertThat(resumed.run().guarantee()).isEqualTo(whole);
        assertThat(later.get(1).failures()).isEqualTo(kept.get(2).failures());
        assertThat(kept.get(0).failures().lambda().rounds()).isPositive();
    }

    /** What the monitor finds at these parameters. */
    private static Guarantee.Failures at(double[] theta, Plan plan, PreparedData prepared) {
        Model model = plan.model(prepared.training().schema());
        GuaranteeMonitor monitor = new GuaranteeMonitor(
                plan,
                new ObjectiveConstants(
                        plan, model, prepared.training().columns(), RowReach.of(prepared.training(), plan.box(model))),
                1,
                TrainingState.start(theta),
                Guarantee.Failures.NONE);
        TrainingState after = new TrainingState(
                1,
                theta,
                new double[0],
                new double[0],
                new double[0],
                holdfast.aggregate.Carry.NONE,
                Double.NaN,
                Double.NaN,
                StepSize.START,
                TrainingState.Best.NONE,
                Stage.START,
                false);
        monitor.finished(new RoundRecord(after, 1, new double[1], new int[1], List.of(), 0, 0, ""));
        return monitor.failures();
    }

    /** ||grad F(a) - grad F(b)|| &lt;= L_F ||a - b|| for a, b no longer than the theta of L_F, by difference quotients. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm", "linear", "huber", "softmax", "poisson"})
    void theObjectiveIsNeverSteeperThanItsSmoothness(String name) {
        Laws.check(20, seed -> {
            Dataset data = switch (name) {
                case "linear", "huber" -> Samples.numbers(seed, 60, 3, 0);
                case "poisson" -> Samples.counts(seed, 60, 2);
                case "softmax" -> Samples.classes(seed, 60, 3, 4, 0);
                default -> Samples.dataset(seed, 60, 3);
            };
            Plan plan = PLAN.with("model", name)
                    .with("workers", "1")
                    .with("screened", "0")
                    .with("l2", "0.1")
                    .with("lambda", name.equals("poisson") ? "300" : "8");
            plan = name.equals("poisson") ? plan.with("box", "0.5") : plan;
            plan = name.equals("softmax") ? plan.with("precision", "1e-9") : plan;
            PreparedData prepared = PreparedData.of(data, plan);
            Objective loss = plan.loss(prepared.training().schema());
            int d = prepared.training().columns();
            Randomness random = seed.child("theta").random();
            double[] theta = Vectors.scaled(0.7, random.gaussians(loss.model().parameters(d)));
            Guarantee.Failures found = at(theta, plan, prepared);
            if (found.lambda().rounds() > 0) {
                return;
            }
            for (int i = 0; i < 20; i++) {
                double[] a = shrunk(theta, random);
                double[] b = shrunk(theta, random);
                double[] gap = Vectors.add(Vectors.scaled(-1, a), b);
                double[] change =
                        Vectors.add(Vectors.scaled(-1, gradient(loss, a, prepared, d)), gradient(loss, b, prepared, d));
                assertThat(Vectors.norm(change))
                        .isLessThanOrEqualTo(found.smoothness() * Vectors.norm(gap) * (1 + 1e-6));
            }
        });
    }

    /** Weights and intercepts no longer than those of theta. */
    private static double[] shrunk(double[] theta, Randomness random) {
        double[] out = theta.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] *= 2 * random.nextDouble() - 1;
        }
        return out;
    }

    private static double[] gradient(Objective loss, double[] theta, PreparedData prepared, int d) {
        return loss.gradient(Iterate.of(theta), loss.sums(Iterate.of(theta), prepared.training(), false), d);
    }

    @Test
    void rowsOutsideTheBoxCountForTheCurvature() {
        Dataset data = Samples.counts(Seed.of(3), 300, 2);
        Plan plan = Plan.defaults().with("model", "poisson").with("box", "1.5").with("learning-rate", "0.001");
        double[] theta = {0.3, 0, -0.4, 0, 1};
        PreparedData prepared = PreparedData.of(data, plan);
        double longest = 0;
        double inTheBox = 1.5 * 2;
        for (int r = 0; r < prepared.training().rows(); r++) {
            double squares = 0;
            for (double x : prepared.training().row(r)) {
                squares += Math.pow(Math.max(1.5, Math.abs(x)), 2);
            }
            longest = Math.max(longest, Math.sqrt(squares));
        }
        assertThat(longest).isGreaterThan(inTheBox);
        double zz = 0.25 * Math.exp(0.5 * longest + 1);
        for (double lambda : new double[] {0.99 * zz, 1.01 * zz, Double.POSITIVE_INFINITY}) {
            assertThat(at(
                                    theta,
                                    plan.with("lambda", lambda == Double.POSITIVE_INFINITY ? "none" : "" + lambda),
                                    prepared)
                            .lambda()
                            .rounds())
                    .isEqualTo(lambda > zz ? 0 : 1);
        }
    }

    /** L_zz of a network: the bound judges, and what power iteration finds at rows is beside it. */
    @Test
    void aNetworkHasABoundOnLzzAndAnEstimateBelowIt() {
        Plan network = PLAN.with("model", "mlp(hidden=5)");
        Guarantee held = run(network);
        SampledCurvature found = held.curvature().orElseThrow();
        assertThat(found.estimate()).isBetween(1e-4, found.bound());
        assertThat(found.rows()).isEqualTo(8 * (256 / 8));
        assertThat(held.toString())
                .containsPattern(
                        "lambda > L_zz in every round, worst cases to within [0-9.e-]+ \\(at the end L_zz is at most [0-9.]+;"
                                + " power iteration at 256 training rows finds [0-9.]+, an estimate and no bound\\)");
        List<String> logged = Logged.during(
                () -> assertThat(failed(run(network.with("lambda", "0.01"))))
                        .contains(
                                "lambda: lambda was not above the bound on L_zz (Assumption 3) in every round (at the end L_zz"));
        assertThat(logged).singleElement().asString().contains("the bound on L_zz", "is not known to hold");
        assertThat(run(network.with("lambda", "none")).curvature()).isEmpty();
        assertThat(run(network.with("model", "mlp(activation=relu)")).curvature())
                .isEmpty();
        assertThat(run(PLAN).curvature()).isEmpty();
    }

    /** The scores of rows that may move anywhere have no bound, so the squared loss has none on its slope. */
    @Test
    void nothingBoundsLzzOfANetworkUnderTheSquaredLossButItIsEstimated() {
        Plan plan = PLAN.with("model", "mlp(hidden=5)").with("lambda", "1e6").with("rounds", "2");
        Guarantee none =
                Training.of(Samples.numbers(Seed.of(2), 200, 3, 0), plan).run().guarantee();
        assertThat(none.curvature().orElseThrow().bound()).isInfinite();
        assertThat(failed(none))
                .containsPattern(
                        "lambda: lambda > L_zz \\(Assumption 3\\) cannot be checked: nothing bounds L_zz of this model"
                                + " \\(at the end nothing bounds L_zz of rows that may move anywhere; power iteration at [0-9]+"
                                + " training rows finds [0-9.]+, an estimate and no bound\\)");
    }

    /** Prices of features are those of the distances in which L_zz is measured. */
    @Test
    void aNetworkIsEstimatedInTheUnitsOfTheCost() {
        Plan network = PLAN.with("model", "mlp(hidden=5)").with("rounds", "0");
        double plain = run(network).curvature().orElseThrow().estimate();
        SampledCurvature dearer =
                run(network.with("prices", "x0=4,x1=4,x2=4")).curvature().orElseThrow();
        assertThat(dearer.estimate()).isCloseTo(plain / 4, within(1e-3 * plain));
        SampledCurvature one =
                run(network.with("prices", "x2=fixed")).curvature().orElseThrow();
        assertThat(one.estimate()).isBetween(0.0, plain).isLessThanOrEqualTo(one.bound());
    }
}
