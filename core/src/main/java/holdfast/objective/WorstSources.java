package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.math.Vectors;
import holdfast.model.Model;
import java.util.List;

/**
 * Group DRO with capped weights: the worst mixture of the m workers' mean losses f_i, in which no worker has more than
 * cap/m of the weight. So it is the mean over the worst m/cap workers, the least value over t of the mean over workers of
 * t + cap (f_i - t)_+, with the kink rounded as in {@link ConditionalValueAtRisk}. cap = 1 is plain training; from cap =
 * m on, the worst worker alone counts (Sagawa et al. 2020).
 *
 * <p>A worker below t sends only the penalty's gradient; one above sends cap times its own. So a liar can send an update
 * of cap times the usual length unnoticed, and liars count among the workers that are upweighted.
 * {@link #requireServes} therefore asks for more than 2f upweighted workers: f liars then have less than half of the
 * weight.
 *
 * @param cap at least 1
 */
public record WorstSources(double cap) implements ObjectiveFamily {
    public WorstSources {
        Check.that(cap >= 1 && Double.isFinite(cap), "group: cap must be finite and at least 1, got %s", cap);
    }

    @Override
    public Objective on(Model model, double l2) {
        return new SourceLoss(RobustLoss.plain(model), new ConditionalValueAtRisk.Excess(cap), l2);
    }

    @Override
    public boolean favoursWorst() {
        return cap > 1;
    }

    @Override
    public void requireServes(int sources, int tolerated) {
        Check.that(
                cap <= sources,
                "--objective group: cap must be at most the number of sources, where the worst one counts alone; got %s for %d",
                cap,
                sources);
        Check.that(
                tolerated == 0 || 2 * tolerated * cap < sources,
                "--objective group gives the worst sources up to cap times their weight, and liars can be the worst: with"
                        + " %d of %d tolerated, cap must be below %s, got %s",
                tolerated,
                sources,
                sources / (2.0 * tolerated),
                cap);
    }

    /** What a worker minimises; its mean loss travels in the sums for the variables, because the gradient needs it. */
    private record SourceLoss(RobustLoss plain, ConditionalValueAtRisk.Excess set, double l2) implements Objective {
        private SourceLoss {
            Penalty.require(l2);
        }

        @Override
        public Model model() {
            return plain.model();
        }

        @Override
        public ShardSums sums(Iterate at, List<Block> blocks, boolean withLoss) {
            ShardSums own = plain.sums(at, blocks, true);
            return new ShardSums(
                    own.gradient(),
                    new double[] {own.loss(), 0},
                    withLoss ? own.loss() : Double.NaN,
                    own.rows(),
                    own.precision());
        }

        /** What {@link Reweighting#row} makes of the worker's mean loss. */
        private double[] term(Iterate at, ShardSums sums) {
            double loss = sums.duals()[0] / sums.rows();
            double[] out = {loss, 1, loss, loss * loss};
            if (at.duals()[Reweighting.SCALE] != 0) {
                set.row(loss, at.duals(), out);
            }
            return out;
        }

        @Override
        public double[] gradient(Iterate at, ShardSums sums, int features) {
            double weight = term(at, sums)[Reweighting.WEIGHT];
            double[] gradient = Vectors.scaled(weight / sums.rows(), sums.gradient());
            Penalty.addGradient(l2, at.theta(), model(), features, gradient);
            return gradient;
        }

        @Override
        public double value(Iterate at, ShardSums sums, int features) {
            return validationLoss(at, sums) + Penalty.value(l2, at.theta(), model(), features);
        }

        @Override
        public double validationLoss(Iterate at, ShardSums sums) {
            return term(at, sums)[Reweighting.VALUE];
        }

        @Override
        public double[] startDuals() {
            return new double[set.count()];
        }

        @Override
        public boolean isComparable(double[] duals) {
            return duals[Reweighting.SCALE] != 0;
        }

        @Override
        public double[] dualGradient(Iterate at, ShardSums sums) {
            double[] out = term(at, sums);
            return new double[] {out[Reweighting.REPORTS], out[Reweighting.REPORTS + 1]};
        }

        @Override
        public double[] nextDuals(double[] duals, double[] reports, double step) {
            return ReweightedLoss.next(set, duals, reports);
        }
    }
}
