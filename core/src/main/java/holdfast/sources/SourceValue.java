package holdfast.sources;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Interval;
import holdfast.evaluation.Metric;
import holdfast.math.StudentT;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.Preparation;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.TrainingException;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.Worker;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.SourceSample;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a source is worth to the others: how the headline metric on their held-out rows changes if the model is trained
 * without it. Above 0, the others do worse without it, so it helps them; below 0, it harms them.
 *
 * <p>The others are the sources that no verdict names: several bad sources would hide each other's harm. Training starts
 * from the finished model and goes on for {@value #ROUNDS} rounds of the plan, on a sample of the sources' rows, once on
 * the others with the source and once without it. The figure is that of the others' held-out rows. The interval is of the
 * differences row by row, in which the rows of a source belong together; it does not contain the chance of training. With
 * m sources its level is 1 - 0.05/m (Bonferroni), so that the probability that it is wrong for any of them is at most 0.05.
 *
 * @param metric the headline metric; less is better
 * @param change its value without the source minus its value with it
 * @param interval of the change, 95 % for all sources together
 */
public record SourceValue(String source, Metric metric, double change, Interval interval) {
    /** With more sources, values are computed only if they are asked for. */
    public static final int MAX_SOURCES = 50;

    /** The probability that the interval of any source does not contain its change. */
    private static final double ANY_WRONG = 0.05;

    private static final int ROUNDS = 40;
    private static final int MAX_ROWS = 20_000;
    private static final int MIN_ROWS = 100;

    /** Returns whether its interval is above 0. */
    public boolean helps() {
        return interval.low() > 0;
    }

    /** Returns whether its interval is below 0. */
    public boolean harms() {
        return interval.high() < 0;
    }

    /**
     * Computes the value of each source.
     *
     * @param theta the parameters of the finished model
     * @param named sources whose held-out rows do not count
     * @return in worker order; none if there are no held-out rows of two other sources, or the rule does not work with
     *     one worker less
     */
    public static List<SourceValue> of(PreparedRun prepared, double[] theta, Set<String> named) {
        int sources = prepared.names().size();
        SourceSample sample = prepared.probe().sample(Math.max(MIN_ROWS, MAX_ROWS / Math.max(1, sources)));
        try {
            return new Refits(prepared, sample, named).values(theta);
        } catch (InputException | TrainingException e) {
            return List.of();
        }
    }

    /** The sample, prepared as the run's rows were. */
    private static final class Refits {
        private final PreparedRun prepared;
        private final Plan plan;
        private final Model model;
        private final Objective objective;
        private final List<Dataset> shards;
        private final List<Optional<Dataset>> tested;
        private final BitSet unnamed = new BitSet();

        Refits(PreparedRun prepared, SourceSample sample, Set<String> named) {
            this.prepared = prepared;
            this.plan = prepared.plan()
                    .without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.VALIDATION)
                    .with(PlanKey.ROUNDS, ROUNDS);
            this.model = plan.model(prepared.schema());
            this.objective = plan.loss(prepared.schema());
            IntStream.range(0, prepared.names().size())
                    .filter(s -> !named.contains(prepared.names().get(s)))
                    .forEach(unnamed::set);
            Table table = sample.table();
            boolean[] heldOut = sample.heldOut();
            List<int[]> bySource = table.cells().rowsBySource();
            this.shards = IntStream.range(0, bySource.size())
                    .mapToObj(s -> shard(table, chosen(bySource.get(s), heldOut, false), s))
                    .toList();
            this.tested = IntStream.range(0, bySource.size())
                    .mapToObj(s -> Optional.of(chosen(bySource.get(s), heldOut, true))
                            .filter(rows -> rows.length > 0
                                    && !named.contains(prepared.names().get(s)))
                            .map(rows -> tested(table, rows)))
                    .toList();
        }

        private static int[] chosen(int[] rows, boolean[] heldOut, boolean wanted) {
            return Arrays.stream(rows).filter(r -> heldOut[r] == wanted).toArray();
        }

        private Dataset shard(Table table, int[] rows, int source) {
            Dataset shard = prepared.preparation().ofWorker(table, rows, source / plan.get(PlanKey.REPLICAS));
            return PreparedData.poisoned(shard, source, prepared.names().size(), prepared.plan());
        }

        private Dataset tested(Table table, int[] rows) {
            Preparation preparation = prepared.preparation();
            return preparation
                    .labels()
                    .apply(preparation.scaling().apply(preparation.encoding().apply(table, rows)))
                    .withoutGroups();
        }

        List<SourceValue> values(double[] theta) {
            double[][] base = losses(refit(theta, unnamed()));
            SourceValue[] values = new SourceValue[shards.size()];
            Threads.here().each(values.length, s -> {
                try {
                    double[][] other = losses(refit(theta, toggled(s)));
                    values[s] = unnamed.get(s) ? value(s, base, other) : value(s, other, base);
                } catch (InputException | TrainingException e) {
                    // The rule does not work without it, or training diverges: its value is unknown.
                    values[s] = null;
                }
            });
            return Arrays.stream(values).filter(Objects::nonNull).toList();
        }

        private BitSet unnamed() {
            return (BitSet) unnamed.clone();
        }

        /** Returns the unnamed sources, without this one if it is among them and with it otherwise. */
        private BitSet toggled(int source) {
            BitSet sources = unnamed();
            sources.flip(source);
            return sources;
        }

        /**
         * Trains on some sources. All refits start from the same parameters and take as many rounds, so that what more
         * rounds do to an unfinished model is no value of a source.
         */
        private double[] refit(double[] theta, BitSet sources) {
            int[] taking =
                    sources.stream().filter(s -> shards.get(s).rows() > 0).toArray();
            List<Worker> workers = IntStream.range(0, taking.length)
                    .mapToObj(w -> ResolvedPlan.worker(plan, w, shards.get(taking[w]), objective))
                    .toList();
            try (InProcessPool pool = new InProcessPool(workers, 1)) {
                TrainingLoop loop = new TrainingLoop(
                        plan.resolve(prepared.schema(), workers.size()).loop(prepared.root()), pool);
                TrainingState start = TrainingState.start(theta, loop.start().duals());
                return loop.run(start, round -> {}).theta();
            }
        }

        /** Returns the loss of each tested row of each source, of which the headline metric is the mean or its root. */
        private double[][] losses(double[] theta) {
            return tested.stream()
                    .map(rows -> rows.map(own -> Evaluation.headlineLosses(
                                    model, theta, prepared.preparation().labels(), own))
                            .orElse(new double[0]))
                    .toArray(double[][]::new);
        }

        /** Compares row by row; null if fewer than two other sources have rows. */
        private SourceValue value(int source, double[][] with, double[][] without) {
            int[] others = IntStream.range(0, with.length)
                    .filter(s -> s != source && with[s].length > 0)
                    .toArray();
            if (others.length < 2) {
                return null;
            }
            double rows = 0;
            double before = 0;
            double after = 0;
            for (int s : others) {
                rows += with[s].length;
                before += Vectors.sum(with[s], with[s].length);
                after += Vectors.sum(without[s], without[s].length);
            }
            double mean = (after - before) / rows;
            double squares = 0;
            for (int s : others) {
                double gap = Vectors.sum(without[s], without[s].length)
                        - Vectors.sum(with[s], with[s].length)
                        - mean * with[s].length;
                squares += gap * gap;
            }
            double error = Math.sqrt(squares * others.length / (others.length - 1)) / rows;
            Metric metric = Metric.of(model.target()).get(0);
            // The difference of two roots is the difference of the squares over the sum of the roots.
            double unit = metric == Metric.RMSE ? Math.sqrt(before / rows) + Math.sqrt(after / rows) : 1;
            double reach = StudentT.quantile(ANY_WRONG / 2 / shards.size(), others.length - 1) * error;
            return new SourceValue(
                    prepared.names().get(source),
                    metric,
                    unit == 0 ? 0 : mean / unit,
                    unit == 0 ? new Interval(0, 0) : new Interval((mean - reach) / unit, (mean + reach) / unit));
        }
    }
}
