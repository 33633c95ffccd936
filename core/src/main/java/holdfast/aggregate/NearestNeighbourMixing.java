package holdfast.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Nearest-neighbour mixing, NNM (Allouah, Farhadkhani, Guerraoui, Gupta, Pinot, Stephan 2023): every update becomes the
 * mean of the n - f nearest to it, itself included. Equal distances: the lower worker id is nearer.
 */
public record NearestNeighbourMixing() implements PreAggregator {
    @Override
    public List<Mixed> mix(Round round, int lies) {
        List<Vote> votes = round.votes();
        double[][] distances = Distances.among(votes).matrix(votes);
        List<Mixed> mixed = new ArrayList<>();
        for (int i = 0; i < votes.size(); i++) {
            List<Vote> near = Arrays.stream(Distances.nearest(distances[i], votes.size() - lies))
                    .mapToObj(votes::get)
                    .toList();
            mixed.add(new Mixed(
                    new Vote(votes.get(i).worker(), Mean.of(near)),
                    near.stream().mapToInt(Vote::worker).toArray()));
        }
        return mixed;
    }
}
