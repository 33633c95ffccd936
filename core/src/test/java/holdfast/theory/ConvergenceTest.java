package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.NormScreening;
import holdfast.attack.Aggressive;
import holdfast.attack.Attacks;
import holdfast.attack.BelowCut;
import holdfast.attack.Intelligent;
import holdfast.attack.Mimic;
import holdfast.attack.Strongest;
import holdfast.attack.UpdateAttack;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.objective.Objective;
import holdfast.objective.Wasserstein;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.LocalWork;
import holdfast.rounds.LoopSettings;
import holdfast.rounds.ServerStep;
import holdfast.rounds.SimulatedAttack;
import holdfast.rounds.StoppingRule;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerMomentum;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Theorems 2 to 4 against real runs of Algorithm 2 on losses with known constants: no run violates a bound, and for each
 * bound some run comes within a factor of 3 of it.
 */
class ConvergenceTest {
    private static final double ROUNDING = 1e-7;

    /** How a run goes besides its problem. */
    private record Setup(int liars, int screened, UpdateAttack attack, double step, int rounds, double epsilon) {
        double influence(int workers) {
            return ScreeningBound.influence(workers, liars, screened);
        }
    }

    /** The parameters of every round of a run, the start first. */
    private static List<double[]> run(Problem problem, Setup setup, double[] start) {
        Objective objective =
                new Wasserstein(problem.lambda).withPrecision(setup.epsilon).on(problem.model, problem.l2);
        List<Dataset> shards = problem.shards();
        List<Worker> workers = IntStream.range(0, shards.size())
                .mapToObj(w -> new Worker(w, shards.get(w), Optional.empty(), objective, LocalWork.GRADIENT))
                .toList();
        List<double[]> path = new ArrayList<>(List.of(start));
        try (InProcessPool pool = new InProcessPool(workers, 1)) {
            TrainingLoop loop = new TrainingLoop(
                    new LoopSettings(
                            new NormScreening(setup.screened),
                            objective,
                            start,
                            setup.rounds,
                            new ServerStep(setup.step),
                            WorkerMomentum.NONE,
                            StoppingRule.NEVER,
                            Optional.empty(),
                            setup.liars == 0
                                    ? SimulatedAttack.NONE
                                    : new SimulatedAttack(
                                            setup.attack,
                                            IntStream.range(0, setup.liars).toArray()),
                            Optional.empty(),
                            Seed.of(1),
                            ""),
                    pool);
            loop.run(loop.start(), record -> path.add(record.state().theta()));
        }
        return path;
    }

    /** What Theorems 2 to 4 bound, measured on a run, each with its bound. */
    private record Outcome(
            double squaredGradient,
            double squaredGradientBound,
            double excess,
            double excessBound,
            double distance,
            double distanceBound,
            double strongExcessBound) {
        void requireWithinBounds() {
            assertThat(squaredGradient).isLessThanOrEqualTo(squaredGradientBound * (1 + ROUNDING) + ROUNDING);
            assertThat(excess).isLessThanOrEqualTo(excessBound * (1 + ROUNDING) + ROUNDING);
            assertThat(distance).isLessThanOrEqualTo(distanceBound * (1 + ROUNDING) + ROUNDING);
            assertThat(excess).isLessThanOrEqualTo(strongExcessBound * (1 + ROUNDING) + ROUNDING);
        }
    }

    private static double[] difference(double[] a, double[] b) {
        double[] gap = a.clone();
        Vectors.addScaled(gap, -1, b, gap.length);
        return gap;
    }

    /** max over the rounds and the honest workers of ||g_i* - grad F||. */
    private static double sigma(Problem problem, int liars, List<double[]> path) {
        double sigma = 0;
        for (double[] theta : path) {
            double[] gradient = problem.gradient(theta);
            for (int w = liars; w < problem.workers(); w++) {
                sigma = Math.max(sigma, Vectors.norm(difference(problem.gradient(w, theta), gradient)));
            }
        }
        return sigma;
    }

    private static Outcome measure(Problem problem, Setup setup, double[] start) {
        List<double[]> path = run(problem, setup, start);
        double[] end = path.get(setup.rounds);
        double[] minimiser = problem.minimiser();
        double least = problem.value(minimiser);
        double squared = 0;
        double farthest = 0;
        for (double[] theta : path.subList(0, setup.rounds)) {
            double length = Vectors.norm(problem.gradient(theta));
            squared += length * length / setup.rounds;
            farthest = Math.max(farthest, Vectors.norm(difference(theta, minimiser)));
        }
        RoundError error = RoundError.of(
                new ErrorBound(setup.influence(problem.workers()), 1),
                problem.constants().thetaZ(),
                sigma(problem, setup.liars, path),
                setup.epsilon);
        double gap = problem.value(start) - least;
        double unknown = Double.POSITIVE_INFINITY;
        boolean descends = setup.step <= 1 / problem.smoothness();
        NonconvexRate rate = new NonconvexRate(setup.step, error);
        boolean convex = problem.convexity() > 0 || ((DifferenceLoss) problem.model).convex();
        boolean strong = problem.convexity() > 0;
        StronglyConvexRate linear =
                strong ? new StronglyConvexRate(problem.smoothness(), problem.convexity(), error) : null;
        boolean papers = strong && linear.isPapers() && setup.step == linear.papersStep();
        return new Outcome(
                squared,
                descends ? rate.bound(gap, setup.rounds) : unknown,
                problem.value(end) - least,
                descends && convex ? new ConvexRate(rate, farthest).bound(setup.rounds) : unknown,
                Vectors.norm(difference(end, minimiser)),
                papers ? linear.distance(Vectors.norm(difference(start, minimiser)), setup.rounds) : unknown,
                strong && setup.step == linear.step() ? linear.bound(gap, setup.rounds) : unknown);
    }

    /** One row per worker, around a centre. */
    private static double[][][] cloud(Randomness random, int workers, int d, double spread) {
        double[][][] rows = new double[workers][1 + random.nextInt(2)][];
        int count = rows[0].length;
        for (int w = 0; w < workers; w++) {
            rows[w] = new double[count][];
            double[] own = Vectors.scaled(spread, random.gaussians(d));
            for (int j = 0; j < count; j++) {
                rows[w][j] = own.clone();
                Vectors.addScaled(rows[w][j], spread / 3, random.gaussians(d), d);
            }
        }
        return rows;
    }

    private static double[] positive(Randomness random, int d) {
        return IntStream.range(0, d).mapToDouble(i -> 0.2 + random.nextDouble()).toArray();
    }

    private static UpdateAttack attack(Randomness random) {
        return List.<UpdateAttack>of(
                        new BelowCut(), new Strongest(), new Aggressive(10), new Intelligent(0.8), new Mimic(0))
                .get(random.nextInt(5));
    }

    private static Problem differences(Randomness random) {
        int d = 1 + random.nextInt(3);
        double[] h = positive(random, d);
        DifferenceLoss loss = switch (random.nextInt(3)) {
            case 0 -> DifferenceLoss.quadratic(h);
            case 1 -> DifferenceLoss.pseudoHuber(h);
            default -> DifferenceLoss.waves(h);
        };
        double spread = List.of(0.0, 0.1, 2.0).get(random.nextInt(3));
        return Problem.of(
                loss,
                loss.smoothness() * (1.2 + 5 * random.nextDouble()),
                cloud(random, 4 + random.nextInt(9), d, spread));
    }

    private static Setup setup(Randomness random, Problem problem) {
        int m = problem.workers();
        int liars = random.nextInt(ScreeningBound.maxTolerated(m) + 1);
        int screened = liars + random.nextInt(Math.max(1, m - 3 * liars));
        double linear = problem.convexity() > 0 ? 2 / (problem.smoothness() + problem.convexity()) : 0;
        double step = random.nextInt(3) == 0 && linear > 0 ? linear : 1 / problem.smoothness();
        return new Setup(
                liars,
                screened,
                attack(random),
                step,
                1 + random.nextInt(25),
                random.nextInt(2) == 0 ? 1e-9 : 0.3 * random.nextDouble() + 1e-3);
    }

    @Test
    void noRunViolatesATheoremOnLossesWithExactConstants() {
        Laws.check(400, seed -> {
            Randomness random = seed.random();
            Problem problem = differences(random);
            Setup setup = setup(random, problem);
            double[] start = Vectors.scaled(
                    Math.pow(10, 2 * random.nextDouble() - 1), random.gaussians(problem.rows[0][0].length));
            measure(problem, setup, start).requireWithinBounds();
        });
    }

    @Test
    void noRunViolatesATheoremOnRidgeLogisticRegression() {
        int[] judged = new int[1];
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int m = 4 + random.nextInt(7);
            double[][][] rows = cloud(random, m, 2, 1);
            double[][] labels = new double[m][rows[0].length];
            for (double[] shard : labels) {
                for (int j = 0; j < shard.length; j++) {
                    shard[j] = random.nextInt(2);
                }
            }
            double length = 1.5;
            Problem problem = Problem.ridgeLogistic(3, 0.1 + random.nextDouble(), length, rows, labels);
            Setup setup = setup(random, problem);
            double[] start = Vectors.scaled(0.3, random.gaussians(2));
            List<double[]> path = run(problem, setup, start);
            path.add(problem.minimiser());
            // The constants hold in this ball only.
            if (path.stream().allMatch(theta -> Vectors.norm(theta) <= length)) {
                measure(problem, setup, start).requireWithinBounds();
                judged[0]++;
            }
        });
        assertThat(judged[0]).isGreaterThan(30);
    }

    @Test
    void objectivesAreNoLessSmoothThanLemmaOneSays() {
        double[] steepest = new double[1];
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            Problem problem = differences(random);
            int d = problem.rows[0][0].length;
            double[] a = Vectors.scaled(3, random.gaussians(d));
            double[] b = a.clone();
            Vectors.addScaled(b, Math.pow(10, -2 * random.nextDouble()), random.gaussians(d), d);
            double ratio = Vectors.norm(difference(problem.gradient(a), problem.gradient(b)))
                    / Vectors.norm(difference(a, b))
                    / problem.smoothness();
            assertThat(ratio).isLessThanOrEqualTo(1 + 1e-9);
            steepest[0] = Math.max(steepest[0], ratio);
        });
        assertThat(steepest[0]).as("the constant is reached").isGreaterThan(0.999);
    }

    /** Honest workers whose rows are all at 0, and liars whose own rows pull the minimum of F elsewhere. */
    private static Problem liarsElsewhere(DifferenceLoss loss, double lambda, int workers, int liars, double where) {
        double[][][] rows = new double[workers][1][1];
        for (int w = 0; w < liars; w++) {
            rows[w][0][0] = where;
        }
        return Problem.of(loss, lambda, rows);
    }

    @Test
    void everyBoundIsReachedWithinAFactorOfThree() {
        DifferenceLoss parabola = DifferenceLoss.quadratic(1);
        Problem alone = liarsElsewhere(parabola, 4, 5, 0, 0);
        double step = 1 / alone.smoothness();
        // One step of a parabola reaches the minimum: the sum of the squared gradients is the first of them.
        Outcome direct = measure(alone, new Setup(0, 0, Attacks.NONE, step, 5, 1e-9), new double[] {3});
        assertThat(direct.squaredGradientBound / direct.squaredGradient).isBetween(1 - ROUNDING, 1.01);

        // The honest workers are content at 0, where F, which counts the liars' rows too, is not.
        Problem pulled = liarsElsewhere(parabola, 4, 20, 3, 5);
        Setup quiet = new Setup(3, 3, new Mimic(0), step, 60, 1e-9);
        Outcome settled = measure(pulled, quiet, new double[] {0});
        assertThat(settled.squaredGradientBound / settled.squaredGradient).isBetween(1.0, 3.0);
        assertThat(settled.strongExcessBound / settled.excess).isBetween(1.0, 3.0);
        StronglyConvexRate rate =
                new StronglyConvexRate(pulled.smoothness(), pulled.convexity(), new RoundError(6.0 / 17, 0));
        Outcome papers = measure(pulled, new Setup(3, 3, new Mimic(0), rate.papersStep(), 60, 1e-9), new double[] {0});
        assertThat(papers.distanceBound / papers.distance).isBetween(1.0, 3.0);

        // F is a slope as long as the honest workers do not care: F - F* is the gradient times the distance.
        Problem slope = liarsElsewhere(DifferenceLoss.indifferent(1), 4, 20, 1, 100);
        Outcome sloped =
                measure(slope, new Setup(1, 1, new Mimic(0), 1 / slope.smoothness(), 400, 1e-9), new double[] {-1});
        assertThat(sloped.excessBound / sloped.excess).isBetween(1.0, 3.0);

        // Two curvatures, so that the longest step alternates along the steeper one: the paper's factor is exact.
        DifferenceLoss valley = DifferenceLoss.quadratic(1, 0.1);
        Problem narrow = Problem.of(valley, 4, new double[5][1][2]);
        StronglyConvexRate exact =
                new StronglyConvexRate(narrow.smoothness(), narrow.convexity(), new RoundError(0, 0));
        Outcome alternating =
                measure(narrow, new Setup(0, 0, Attacks.NONE, exact.papersStep(), 20, 1e-12), new double[] {1, 1});
        assertThat(alternating.distanceBound / alternating.distance).isBetween(1 - 1e-3, 1.1);
    }

    @Test
    void moreLiarsSlowARunAndEndItFartherAwayAndCoarseWorstCasesOnlyEndItFartherAway() {
        DifferenceLoss valley = DifferenceLoss.quadratic(1, 0.2);
        Problem problem = Problem.of(valley, 4, cloud(Seed.of(5).random(), 20, 2, 0.3));
        double step = 1 / problem.smoothness();
        double[] far = {30, 30};
        double[] ends = new double[4];
        double[] early = new double[4];
        for (int liars = 0; liars < 4; liars++) {
            Setup setup = new Setup(liars, 3, new BelowCut(), step, 150, 1e-9);
            List<double[]> path = run(problem, setup, far);
            double[] minimiser = problem.minimiser();
            early[liars] = problem.value(path.get(5)) - problem.value(minimiser);
            ends[liars] = problem.value(path.get(150)) - problem.value(minimiser);
        }
        assertThat(early).isSorted();
        assertThat(ends).isSorted();
        assertThat(ends[3]).isGreaterThan(2 * ends[0]);

        double[] exact = problem.minimiser();
        List<double[]> fine = run(problem, new Setup(0, 0, Attacks.NONE, step, 150, 1e-9), far);
        List<double[]> coarse = run(problem, new Setup(0, 0, Attacks.NONE, step, 150, 0.2), far);
        assertThat(Vectors.norm(difference(coarse.get(5), exact)) / Vectors.norm(difference(fine.get(5), exact)))
                .isBetween(0.97, 1.03);
        assertThat(Vectors.norm(difference(coarse.get(150), exact)))
                .isGreaterThan(10 * Vectors.norm(difference(fine.get(150), exact)));
    }
}
