package holdfast.aggregate;

import holdfast.theory.ErrorBound;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Nearest-neighbour mixing, NNM (Allouah, Farhadkhani, Guerraoui, Gupta, Pinot, Stephan 2023): replaces every update by
 * the mean of the n - f nearest to it, itself included. Among equal distances the lower worker id is nearer.
 *
 * <p>Makes kappa 8f/h (1 + kappa), h = m - f. Let y_i be what an honest x_i becomes. A lie in it takes the place of an honest
 * x_j no nearer to x_i, so ||h (y_i - g)||^2 &lt;= 4f sum over H of ||x_j - x_i||^2, and the mean of ||y_i - g||^2 is at
 * most 8f/h r^2. That is the spread of the y_i plus ||y - g||^2, y their mean, and (sqrt(kappa) a + b)^2 &lt;= (1 + kappa)
 * (a^2 + b^2). For another bound: if honest updates are within Delta of S, a lie in y_i is within 3 Delta.
 */
public record NearestNeighbourMixing() implements PreAggregator {
    @Override
    public List<Mixed> mix(Round round, int lies) {
        List<WorkerUpdate> updates = round.updates();
        List<List<WorkerUpdate>> near = Arrays.stream(Distances.among(round).matrix())
                .map(row -> Arrays.stream(Distances.nearest(row, updates.size() - lies))
                        .mapToObj(updates::get)
                        .toList())
                .toList();
        double[][] means = Mean.ofEach(near, round.threads());
        return IntStream.range(0, means.length)
                .mapToObj(i -> new Mixed(
                        new WorkerUpdate(updates.get(i).worker(), means[i]),
                        near.get(i).stream().mapToInt(WorkerUpdate::worker).toArray()))
                .toList();
    }

    @Override
    public Robustness robustness(Aggregator rule, int workers) {
        double share = (double) rule.tolerated() / (workers - rule.tolerated());
        return rule.robustness(workers)
                .after(
                        kappa -> 8 * share * (1 + kappa),
                        bound -> new ErrorBound(bound.influence(), bound.spread() * (1 + 2 * share)),
                        "8f/(m-f) (1 + kappa of the rule); without kappa, its bound with (1 + 2f/(m-f)) Delta",
                        "Allouah et al. 2023; aggregate.NearestNeighbourMixing");
    }
}
