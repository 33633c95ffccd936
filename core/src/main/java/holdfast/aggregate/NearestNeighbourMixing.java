package holdfast.aggregate;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Nearest-neighbour mixing, NNM (Allouah, Farhadkhani, Guerraoui, Gupta, Pinot, Stephan 2023): replaces every update by
 * the mean of the n - f nearest to it, itself included. Among equal distances the lower worker id is nearer.
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
}
