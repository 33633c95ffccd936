package holdfast.training;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.model.Model;
import holdfast.rounds.WorkerPool;
import holdfast.sources.SuspicionTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers the questions of {@link SuspicionTest} about the workers' rows, wherever they are. */
public interface SourceProbe {
    /** Returns the smoothness of the plain loss on all training rows; see {@link PlanResolver#curvature}. */
    double curvature();

    /** Returns the workers; each sends the gradient of the plain loss, without L2 penalty, on all its training rows. */
    WorkerPool plain();

    /**
     * Scores every row of each of these workers, including held-out rows, with the model at these parameters. The
     * held-out rows of a simulated liar are not poisoned and would make it look honest, so they are left out.
     */
    List<Scored> scored(double[] theta, List<Integer> workers);

    /**
     * Rows with their scores.
     *
     * @param scores as many per row as the model gives
     * @param labels one per row
     */
    record Scored(double[] scores, double[] labels) {
        public static Scored of(Model model, double[] theta, Dataset rows) {
            int k = model.scoresPerRow();
            List<Scored> blocks = new ArrayList<>();
            for (Block block : rows.blocks()) {
                double[] scores = new double[block.rows() * k];
                model.scores(theta, block, scores);
                blocks.add(new Scored(scores, block.labels()));
            }
            return all(blocks);
        }

        /** Joins parts one after another. */
        public static Scored all(List<Scored> parts) {
            return new Scored(
                    parts.stream().flatMapToDouble(p -> Arrays.stream(p.scores)).toArray(),
                    parts.stream().flatMapToDouble(p -> Arrays.stream(p.labels)).toArray());
        }
    }

    /** Returns the held-out rows of each of these workers, if it is a source that has any. */
    static List<Optional<Dataset>> bySource(Dataset heldOut, List<String> workers) {
        List<int[]> rows = heldOut.rowsBySource();
        Map<String, Integer> groups = new HashMap<>();
        heldOut.schema().groups().forEach(name -> groups.put(name, groups.size()));
        return workers.stream()
                .map(name -> Optional.ofNullable(groups.get(name))
                        .map(rows::get)
                        .filter(own -> own.length > 0)
                        .map(heldOut::select))
                .toList();
    }
}
