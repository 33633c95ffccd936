package holdfast.training;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.RowCurvature;
import holdfast.objective.WeightedL2;
import holdfast.plan.PlanKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * L_zz of a model that is not linear in its scores, whose bound may be far too large: the bound, by which Assumption 3 is
 * judged, and what power iteration finds at some training rows, see {@link RowCurvature}.
 *
 * @param bound on L_zz at the parameters; infinite if none is known wherever rows may move to
 * @param estimate the largest curvature found; L_zz is at least that. NaN if no row was searched
 * @param rows how many rows were searched
 */
public record SampledCurvature(double bound, double estimate, int rows) {
    private static final int MAX_ROWS = 256;
    /** A sample needs the labels and sources of all rows in one place. */
    private static final long MAX_READ = 1L << 27;

    /**
     * Measures at parameters; empty if the rows do not move, or nothing bounds L_zz even at the rows.
     *
     * @param constants of the run's plan
     */
    static Optional<SampledCurvature> of(PreparedRun run, ObjectiveConstants constants, double[] theta) {
        Model model = run.plan().model(run.schema());
        if (model instanceof LinearScores
                || run.plan().lambda().isEmpty()
                || !run.plan().isPapersObjective()) {
            return Optional.empty();
        }
        if (!constants.isSmoothAtRows(theta)) {
            return Optional.empty();
        }
        double bound = constants.at(theta).zz();
        if (run.rows() > MAX_READ) {
            return Optional.of(new SampledCurvature(bound, Double.NaN, 0));
        }
        WeightedL2 cost = run.plan().prices(run.schema());
        double[] units = new double[run.schema().features().size()];
        Arrays.setAll(units, i -> 1 / Math.sqrt(cost.price(i)));
        double estimate = 0;
        int rows = 0;
        for (Dataset shard : shards(run)) {
            for (Block block : shard.blocks()) {
                estimate = Math.max(estimate, RowCurvature.largest(model, theta, block, units));
                rows += block.rows();
            }
        }
        return Optional.of(new SampledCurvature(bound, estimate, rows));
    }

    /** Returns about {@value #MAX_ROWS} training rows in all, as the workers have them, but for simulated liars. */
    private static List<Dataset> shards(PreparedRun run) {
        int workers = run.sizes().length;
        int replicas = run.plan().get(PlanKey.REPLICAS);
        SourceSample sample = run.probe().sample(Math.max(1, MAX_ROWS / workers));
        Table table = sample.table();
        boolean[] heldOut = sample.heldOut();
        List<int[]> byWorker = table.cells().rowsBySource();
        return IntStream.range(0, workers)
                .filter(w -> Arrays.stream(byWorker.get(w)).anyMatch(r -> !heldOut[r]))
                .mapToObj(w -> run.preparation()
                        .ofWorker(
                                table,
                                Arrays.stream(byWorker.get(w))
                                        .filter(r -> !heldOut[r])
                                        .toArray(),
                                w / replicas))
                .toList();
    }

    /** Returns the bound and the estimate in words. */
    @Override
    public String toString() {
        String most = bound < Double.POSITIVE_INFINITY
                ? String.format(Locale.ROOT, "L_zz is at most %.3g", bound)
                : "nothing bounds L_zz of rows that may move anywhere";
        return rows == 0
                ? most
                : most
                        + String.format(
                                Locale.ROOT,
                                "; power iteration at %d training rows finds %.3g, an estimate and no bound",
                                rows,
                                estimate);
    }
}
