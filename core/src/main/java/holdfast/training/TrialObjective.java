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

    record Value(double value, double[] gradient) {}

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
        List<double[]> gradients = sums.stream()
                .map(own -> objective.gradient(at, own, features()))
                .toList();
        return new Value(
                across.mean(sums.stream()
                        .mapToDouble(own -> objective.value(at, own, features()))
                        .toArray()),
                IntStream.range(0, at.theta().length)
                        .mapToDouble(i -> across.mean(
                                gradients.stream().mapToDouble(g -> g[i]).toArray()))
                        .toArray());
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
