package holdfast.benchmarks;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.model.LogisticRegression;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.training.PreparedData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** How the time of a round grows: fits the exponent p of time = c size^p by least squares of the logarithms. */
final class Growth {
    private static final double MOST = 1.05;
    private static final Plan PLAN = Plan.defaults()
            .with("test-share", "0")
            .with("scale", "none")
            .with("lambda", "3")
            .with("learning-rate", "0.1")
            .with("ascent-steps", "10")
            .with("tolerance", "0");

    private Growth() {}

    static List<Measured> measure() {
        List<Measured> out = new ArrayList<>();
        out.add(Measured.atMost(
                "rows n: exponent",
                exponent(new int[] {20_000, 40_000, 80_000, 160_000}, n -> round(n, 50, 10, 10, 1)),
                MOST));
        out.add(Measured.atMost(
                "features d: exponent",
                exponent(new int[] {50, 100, 200, 400}, d -> round(20_000, d, 10, 10, 1)),
                MOST));
        out.add(Measured.atMost(
                "workers m: exponent", exponent(new int[] {10, 20, 40, 80}, m -> round(40_000, 50, m, 10, 1)), MOST));
        out.add(Measured.only(
                "ascent steps T_z: exponent", exponent(new int[] {5, 10, 20, 40}, t -> round(40_000, 50, 10, t, 1))));
        out.add(Measured.only(
                "threads: exponent (-1 is ideal)", exponent(new int[] {1, 2}, t -> round(80_000, 50, 10, 10, t))));
        return out;
    }

    private static Runnable round(int n, int d, int m, int steps, int threads) {
        Dataset data = Samples.rows(n, d);
        Plan plan = PLAN.with("workers", Integer.toString(m)).with("ascent-steps", Integer.toString(steps));
        PreparedData prepared = PreparedData.of(data, plan);
        InProcessPool pool = new InProcessPool(prepared.workers(plan), threads);
        TrainingLoop loop = new TrainingLoop(plan.resolve(data.schema(), m).loop(Optional.empty()), pool);
        TrainingState state =
                TrainingState.start(Seed.of(1).random().gaussians(new LogisticRegression(true).parameters(d)));
        return () -> loop.next(state);
    }

    private static double exponent(int[] sizes, IntFunction<Runnable> work) {
        Runnable[] all = new Runnable[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            all[i] = work.apply(sizes[i]);
        }
        Turns turns = Turns.of(9, all);
        double meanX = 0;
        double meanY = 0;
        for (int i = 0; i < sizes.length; i++) {
            meanX += Math.log(sizes[i]) / sizes.length;
            meanY += Math.log(turns.seconds(i)) / sizes.length;
        }
        double product = 0;
        double square = 0;
        for (int i = 0; i < sizes.length; i++) {
            double x = Math.log(sizes[i]) - meanX;
            product += x * (Math.log(turns.seconds(i)) - meanY);
            square += x * x;
        }
        return product / square;
    }
}
