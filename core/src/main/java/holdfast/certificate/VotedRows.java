package holdfast.certificate;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What every group votes for each of some rows. A group that could not learn, or that cannot read a row with its own columns
 * and settings, casts its fixed vote there.
 */
public final class VotedRows {
    private final VotingModel model;
    private final List<Optional<GroupRows>> read;
    private final List<GroupVotes> groups;
    private final int rows;

    /**
     * Rows as one group reads them.
     *
     * @param features what the group's model predicts for; some row in the place of one that it cannot read
     * @param unreadable which rows it cannot read
     */
    public record GroupRows(Dataset features, BitSet unreadable) {}

    /**
     * The votes of one group.
     *
     * @param votes the class or number for each row; NaN if the group has no vote of its own there
     * @param reach the classes that it can be made to vote for, if rows may move; empty for a row without a vote
     */
    private record GroupVotes(double[] votes, boolean[][] reach) {}

    private VotedRows(VotingModel model, List<Optional<GroupRows>> read, List<GroupVotes> groups, int rows) {
        this.model = model;
        this.read = List.copyOf(read);
        this.groups = groups;
        this.rows = rows;
    }

    /**
     * Lets the groups vote.
     *
     * @param read the rows as each group reads them; empty for a group that can read none, or has no model
     * @param rows how many there are
     * @param move how far they may move, if they may
     */
    public static VotedRows of(VotingModel model, List<Optional<GroupRows>> read, int rows, Optional<RowMove> move) {
        Check.that(
                read.size() == model.groups().size(),
                "there must be rows of %d groups, got %d",
                model.groups().size(),
                read.size());
        return new VotedRows(
                model,
                read,
                IntStream.range(0, read.size())
                        .mapToObj(g -> votes(model.groups().get(g).model(), read.get(g), rows, move))
                        .toList(),
                rows);
    }

    private static GroupVotes votes(
            Optional<TrainedModel> model, Optional<GroupRows> read, int rows, Optional<RowMove> move) {
        double[] votes = new double[rows];
        boolean[][] reach = new boolean[rows][];
        Arrays.fill(votes, Double.NaN);
        if (model.isEmpty() || read.isEmpty()) {
            return new GroupVotes(votes, reach);
        }
        Dataset features = read.get().features();
        Check.that(features.rows() == rows, "there must be %d rows of every group, got %d", rows, features.rows());
        Optional<Reach> moved = move.map(given -> Reach.of(model.get(), given));
        Predictions all = predictions(model.get(), features);
        for (int r = 0; r < rows; r++) {
            Predictions said = all != null ? all : predictions(model.get(), features.select(new int[] {r}));
            if (said != null && !read.get().unreadable().get(r)) {
                int at = all != null ? r : 0;
                votes[r] = said.label(at);
                double[] row = features.row(r);
                reach[r] = moved.map(found -> found.of(said, at, row)).orElse(null);
            }
        }
        return new GroupVotes(votes, reach);
    }

    /** Returns what a model predicts; null if a score is not finite, because a value is too large for the model. */
    private static Predictions predictions(TrainedModel model, Dataset features) {
        try {
            return model.predict(features);
        } catch (InputException e) {
            return null;
        }
    }

    /** Returns the votes for the same rows if they may move otherwise. */
    VotedRows within(Optional<RowMove> move) {
        return of(model, read, rows, move);
    }

    public VotingModel model() {
        return model;
    }

    public int rows() {
        return rows;
    }

    /** Returns what a group votes for a row. */
    public double vote(int group, int row) {
        double own = groups.get(group).votes[row];
        return Double.isNaN(own) ? model.fixedVote(group) : own;
    }

    /** Returns whether a group has a vote of its own for a row. */
    public boolean isOwn(int group, int row) {
        return !Double.isNaN(groups.get(group).votes[row]);
    }

    /** Returns the votes for the class of a row. */
    public ClassVotes classes(int row) {
        int[] votes =
                IntStream.range(0, groups.size()).map(g -> (int) vote(g, row)).toArray();
        int unusable = (int)
                IntStream.range(0, groups.size()).filter(g -> !isOwn(g, row)).count();
        return ClassVotes.of(model.classes().size(), votes, unusable);
    }

    /** Returns the votes for the number of a row. */
    public NumberVotes numbers(int row) {
        return new NumberVotes(
                IntStream.range(0, groups.size()).mapToDouble(g -> vote(g, row)).toArray());
    }

    /**
     * Returns how many sources may lie without changing the class of a row, wherever it moves if rows may move; -1 if a move
     * alone might change it.
     */
    public int certified(int row) {
        ClassVotes votes = classes(row);
        boolean moves = groups.stream().anyMatch(group -> group.reach[row] != null);
        if (!moves) {
            return votes.certified();
        }
        boolean[][] reach = new boolean[groups.size()][];
        for (int g = 0; g < reach.length; g++) {
            reach[g] = groups.get(g).reach[row];
            if (reach[g] == null) {
                reach[g] = new boolean[model.classes().size()];
                // A row that a model cannot read here may be readable where it moves.
                Arrays.fill(reach[g], model.groups().get(g).model().isPresent());
                reach[g][(int) model.fixedVote(g)] = true;
            }
        }
        return new ReachableVotes(votes, reach).certified();
    }
}
