package holdfast.training;

import holdfast.data.Rows;
import holdfast.math.Vectors;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The objective of a plan on training rows before the rounds, as trial steps need it: for each source its own, combined
 * {@link AcrossSources}. The gradient is the mean in each coordinate.
 */
final class TrialObjective {
    private final Rows training;
    private final Plan plan;
    private final AcrossSources across;
    private final PortableObjective portable;

    TrialObjective(Rows training, Plan plan, AcrossSources across) {
        this.training = training;
        this.plan = plan;
        this.across = across;
        this.portable = new PortableObjective(plan, training.schema());
    }

    /** @param duals the gradient in the objective's own variables */
    record Value(double value, double[] gradient, double[] duals) {}

    private int features() {
        return training.schema().features().size();
    }

    /** Returns where the plan starts. */
    Iterate start() {
        Objective objective = portable.get();
        return new Iterate(0, ResolvedPlan.start(plan, objective.model(), features()), objective.startDuals());
    }

    Value at(Iterate at) {
        Objective objective = portable.get();
        List<ShardSums> sums = sums(at);
        return new Value(
                across.mean(sums.stream()
                        .mapToDouble(own -> objective.value(at, own, features()))
                        .toArray()),
                means(sums, own -> objective.gradient(at, own, features()), at.theta().length),
                means(sums, own -> objective.dualGradient(at, own), at.duals().length));
    }

    private double[] means(List<ShardSums> sums, Function<ShardSums, double[]> part, int length) {
        List<double[]> parts = sums.stream().map(part).toList();
        return IntStream.range(0, length)
                .mapToDouble(
                        i -> across.mean(parts.stream().mapToDouble(p -> p[i]).toArray()))
                .toArray();
    }

    /** Returns the same parameters with the objective's own variables after a round there. */
    Iterate withNextDuals(Iterate at, Value there, double step) {
        return new Iterate(at.round(), at.theta(), portable.get().nextDuals(at.duals(), there.duals(), step));
    }

    /** Other processes return an array: gradient, loss, number of rows and the sums for the duals. */
    private List<ShardSums> sums(Iterate at) {
        PortableObjective objective = portable;
        double[] theta = at.theta();
        double[] duals = at.duals();
        return training
                .reduceBySource(
                        block -> {
                            objective.get().requireServes(block);
                            ShardSums sums = objective.get().sums(new Iterate(0, theta, duals), List.of(block), true);
                            double[] packed = Arrays.copyOf(sums.gradient(), theta.length + 2 + duals.length);
                            packed[theta.length] = sums.loss();
                            packed[theta.length + 1] = sums.rows();
                            System.arraycopy(sums.duals(), 0, packed, theta.length + 2, duals.length);
                            return packed;
                        },
                        Vectors::add)
                .stream()
                .filter(Objects::nonNull)
                .map(all -> new ShardSums(
                        Arrays.copyOf(all, theta.length),
                        Arrays.copyOfRange(all, theta.length + 2, all.length),
                        all[theta.length],
                        (long) all[theta.length + 1],
                        Double.NaN))
                .toList();
    }
}
