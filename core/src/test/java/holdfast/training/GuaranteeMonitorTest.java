package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import example.TanhNetwork;
import holdfast.Randomness;
import holdfast.aggregate.Carry;
import holdfast.math.Vectors;
import holdfast.model.LinearRegression;
import holdfast.model.LinearScores;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.RowReach;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.Stage;
import holdfast.rounds.StepSize;
import holdfast.rounds.TrainingState;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The constants of Lemma 1 against the same worked out by hand. */
class GuaranteeMonitorTest {
    private static final Plan PLAN =
            Plan.defaults().with("learning-rate", "0.25").with("l2", "0.1");

    /** Rows up to 2 long, labels up to 1, weights up to 1.5. */
    private static final RowReach REACH = new RowReach(2, 1, 1.5);

    /** After some rounds at the same parameters. */
    private static Guarantee.Failures after(int rounds, Plan plan, Model model, RowReach reach, double... theta) {
        return monitored(rounds, plan, model, reach, theta).failures();
    }

    private static GuaranteeMonitor monitored(int rounds, Plan plan, Model model, RowReach reach, double... theta) {
        int features = model instanceof LinearScores linear ? theta.length - (linear.hasIntercept() ? 1 : 0) : 1;
        // With an influence of 1 Theorem 4 and its longer steps never apply.
        GuaranteeMonitor monitor = new GuaranteeMonitor(
                plan,
                new ObjectiveConstants(plan, model, features, reach),
                1,
                TrainingState.start(theta),
                Guarantee.Failures.NONE);
        for (int round = 1; round <= rounds; round++) {
            double step = plan.get(PlanKey.LEARNING_RATE).first().orElseThrow()
                    * plan.schedule().factor(round - 1);
            TrainingState state = at(round, theta);
            monitor.finished(new RoundRecord(state, step, new double[1], new int[1], List.of(), 0, 0, ""));
        }
        return monitor;
    }

    /** A model that bounds nothing is warned of nothing in particular, and promised nothing either. */
    @Test
    void aModelThatBoundsNothingIsGuaranteedNothing() {
        TanhNetwork network = new TanhNetwork(Target.TWO_CLASSES, 1);
        double[] theta = {1, 2, 3, 4};
        List<String> said = new ArrayList<>();
        List<String> logged = Logged.during(() -> {
            for (String lambda : List.of("8", "none")) {
                said.add(monitored(2, PLAN.with("lambda", lambda), network, REACH, theta)
                        .guarantee(8, 2, Optional.empty())
                        .toString());
            }
        });
        assertThat(logged).isEmpty();
        assertThat(said.get(0))
                .startsWith(
                        "none: lambda > L_zz (Assumption 3) cannot be checked: nothing bounds L_zz of this model; step"
                                + " <= 1/L_F (Lemma 1) cannot be checked: nothing bounds L_F of this model");
        assertThat(said.get(1))
                .startsWith("none: step <= 1/L_F (Lemma 1) cannot be checked: nothing bounds L_F of this model;")
                .contains("rows do not move (lambda none)");
        assertThat(after(2, PLAN.with("lambda", "none"), network, REACH, theta).lambda())
                .isEqualTo(Guarantee.Rounds.NONE);
    }

    /** ||theta|| = 5, L_zz = 25/4; |l'| is at most 1 everywhere, so rows move by 5/lambda at most. */
    @Test
    void ofLogisticRegression() {
        double z = Math.hypot(2.5, 1);
        double cross = 1 + z * 5 / 4;
        double expected = 1.5 * (z * z / 4 + cross * cross / 3.75) + 0.1;
        assertThat(after(1, PLAN.with("lambda", "10"), new LogisticRegression(true), REACH, 3, 4, -7)
                        .smoothness())
                .isCloseTo(expected, within(1e-12 * expected));
    }

    /** L_zz = 25; |l'| at a row is at most 5 * 2 + 2 + 1 = 13, so that it moves by 13 * 5/(100 - 25) at most. */
    @Test
    void ofLeastSquares() {
        double radius = 2 + 13 * 5 / 75.0;
        double z = Math.hypot(radius, 1);
        double cross = 5 * radius + 2 + 1 + z * 5;
        double expected = 1.5 * (z * z + cross * cross / 75) + 0.1;
        assertThat(after(1, PLAN.with("lambda", "100"), new LinearRegression(true), REACH, 3, 4, -2)
                        .smoothness())
                .isCloseTo(expected, within(1e-12 * expected));
    }

    /** In a box the reach of the rows says how far they move: l'' is at most e^(0.2 * 2). */
    @Test
    void ofPoissonRegressionInABox() {
        double k = Math.exp(0.4);
        double cross = k + 2 * 0.2 * k;
        double expected = 1.5 * (4 * k + cross * cross / (10 - 0.04 * k)) + 0.1;
        assertThat(after(1, PLAN.with("lambda", "10").with("box", "1"), new PoissonRegression(false), REACH, 0.2)
                        .smoothness())
                .isCloseTo(expected, within(1e-12 * expected));
    }

    /** A theta of zero moves nothing, whatever its intercept. */
    @Test
    void whereThetaIsZeroRowsStay() {
        double expected = 1.5 * (5 + 10 * 10 / 100.0) + 0.1;
        assertThat(after(1, PLAN.with("lambda", "100"), new LinearRegression(true), REACH, 0, 0, 9)
                        .smoothness())
                .isCloseTo(expected, within(1e-12));
    }

    /** Plain least squares: L_F = 2^2. */
    @Test
    void aStepOfExactlyOneOverTheSmoothnessIsAllowed() {
        Plan plan = PLAN.with("lambda", "none").with("l2", "0");
        RowReach reach = new RowReach(2, 1, 1);
        LinearRegression model = new LinearRegression(false);
        assertThat(after(3, plan, model, reach, 1))
                .isEqualTo(new Guarantee.Failures(Guarantee.Rounds.NONE, Guarantee.Rounds.NONE, 4, 0, 0));
        assertThat(after(3, plan.with("learning-rate", "0.2500001"), model, reach, 1)
                        .step())
                .isEqualTo(new Guarantee.Rounds(3, 0, 2));
        // Halved in round 1, a third in round 2.
        Plan shrinking = plan.with("learning-rate", "0.5").with("schedule", "inverse(rounds=1)");
        assertThat(after(3, shrinking, model, reach, 1).step()).isEqualTo(new Guarantee.Rounds(1, 0, 0));
    }

    /** L_zz = 2^2/4 = 1: at lambda = 1 nothing is strongly concave, and no step is short enough. */
    @Test
    void lambdaMustBeAboveTheCurvatureAndNotJustReachIt() {
        Guarantee.Failures edge = after(1, PLAN.with("lambda", "1"), new LogisticRegression(false), REACH, 2);
        assertThat(edge)
                .isEqualTo(
                        new Guarantee.Failures(new Guarantee.Rounds(1, 0, 0), new Guarantee.Rounds(1, 0, 0), 0, 0, 0));
        assertThat(after(1, PLAN.with("lambda", "1.0001"), new LogisticRegression(false), REACH, 2)
                        .lambda())
                .isEqualTo(Guarantee.Rounds.NONE);
    }

    /** L_F = 4 + 4/3 and lambda_F = 4/3: with an influence below 1/4 Theorem 4 allows 2/(L_F + lambda_F) = 0.3. */
    @Test
    void withoutMuchInfluenceAStronglyConvexObjectiveAllowsTheoremFoursStep() {
        Plan plan = PLAN.with("lambda", "none").with("l2", "1.3333333333333333");
        ObjectiveConstants constants =
                new ObjectiveConstants(plan, new LinearRegression(false), 1, new RowReach(2, 1, 1));
        ObjectiveConstants.Values values = constants.at(new double[] {1});
        assertThat(values.maxStep(0.2499)).isCloseTo(0.3, within(1e-12));
        assertThat(values.maxStep(0.25)).isCloseTo(3.0 / 16, within(1e-12));
        assertThat(new ObjectiveConstants(plan, new LinearRegression(true), 1, new RowReach(2, 1, 1))
                        .at(new double[] {1, 0})
                        .convexity())
                .as("the intercept is not penalised")
                .isZero();
    }

    /** L_zz = ||theta||^2/4 for logistic, max ||w_c - w_c'||^2/4 <= ||W||^2/2 for softmax. */
    @Test
    void theProvenBallIsWhereTheCurvatureIsHalfOfLambda() {
        Plan plan = PLAN.with("lambda", "8");
        assertThat(new ObjectiveConstants(plan, new LogisticRegression(true), 3, REACH).provenLength())
                .isCloseTo(4, within(1e-9));
        assertThat(new ObjectiveConstants(plan, new SoftmaxRegression(3, false), 2, REACH).provenLength())
                .isCloseTo(Math.sqrt(8), within(1e-9));
        assertThat(new ObjectiveConstants(plan.with("lambda", "none"), new LogisticRegression(true), 3, REACH)
                        .provenLength())
                .isGreaterThan(1e50);
    }

    @Test
    void noParametersInABallExceedItsConstants() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            Model model = random.nextInt(2) == 0 ? new LogisticRegression(true) : new SoftmaxRegression(3, true);
            ObjectiveConstants constants = new ObjectiveConstants(PLAN.with("lambda", "5"), model, 2, REACH);
            double[] theta = random.gaussians(model.parameters(2));
            ObjectiveConstants.Values ball = constants.within(Vectors.norm(theta));
            ObjectiveConstants.Values here = constants.at(theta);
            assertThat(here.zz()).isLessThanOrEqualTo(ball.zz() * (1 + 1e-12));
            assertThat(here.smoothness()).isLessThanOrEqualTo(ball.smoothness() * (1 + 1e-12));
            assertThat(here.thetaZ()).isLessThanOrEqualTo(ball.thetaZ() * (1 + 1e-12));
            assertThat(here.move()).isLessThanOrEqualTo(ball.move() * (1 + 1e-12));
        });
    }

    private static TrainingState at(int round, double... theta) {
        return new TrainingState(
                round,
                theta,
                new double[0],
                new double[0],
                new double[0],
                Carry.NONE,
                Double.NaN,
                Double.NaN,
                StepSize.START,
                TrainingState.Best.NONE,
                Stage.START,
                false);
    }

    /** theta 1, 0.5, 0.25 with steps of 0.25: G is 2 and then 1. */
    @Test
    void directionsAddUpAndTheWorstPrecisionCounts() {
        Plan plan = PLAN.with("lambda", "none").with("l2", "0");
        GuaranteeMonitor monitor = new GuaranteeMonitor(
                plan,
                new ObjectiveConstants(plan, new LinearRegression(false), 1, new RowReach(2, 1, 1)),
                1,
                at(0, 1),
                Guarantee.Failures.NONE);
        monitor.finished(new RoundRecord(at(1, 0.5), 0.25, new double[1], new int[1], List.of(), 0, 0.2, ""));
        monitor.finished(new RoundRecord(at(2, 0.25), 0.25, new double[1], new int[1], List.of(), 0, 0.1, ""));
        assertThat(monitor.failures().squares()).isEqualTo(5);
        assertThat(monitor.failures().precision()).isEqualTo(0.2);
    }

    /** lambda_F/L_F = 1/4: the step 0.3 is Theorem 4's if the liars' influence is below that. */
    @Test
    void theInfluenceDecidesWhetherALongerStepIsAllowed() {
        Plan plan = PLAN.with("lambda", "none").with("l2", "1.3333333333333333");
        for (double influence : new double[] {0.2, 0.3}) {
            GuaranteeMonitor monitor = new GuaranteeMonitor(
                    plan,
                    new ObjectiveConstants(plan, new LinearRegression(false), 1, new RowReach(2, 1, 1)),
                    influence,
                    at(0, 1),
                    Guarantee.Failures.NONE);
            monitor.finished(new RoundRecord(at(1, 1), 0.299, new double[1], new int[1], List.of(), 0, 0, ""));
            assertThat(monitor.failures().step().rounds()).isEqualTo(influence < 0.25 ? 0 : 1);
        }
    }
}
