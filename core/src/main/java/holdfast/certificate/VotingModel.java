package holdfast.certificate;

import holdfast.Check;
import holdfast.evaluation.TrainedModel;
import java.util.List;
import java.util.Optional;

/**
 * Models of groups of sources that vote. What one group votes depends on the rows of its own sources alone, so one lying
 * source changes at most one vote.
 *
 * @param label the name of the label column
 * @param classes in the order that decides ties; empty if labels are numbers
 * @param roster which source is in which group
 * @param groups in the order of the roster
 */
public record VotingModel(String label, List<String> classes, Roster roster, List<Group> groups) {
    /**
     * What a group learnt.
     *
     * @param model empty if the group could not learn; it then casts a fixed vote
     * @param rows how many rows it learnt from
     * @param reason why it could not learn; empty if it did
     */
    public record Group(Optional<TrainedModel> model, long rows, String reason) {
        public Group {
            Check.that(
                    model.isPresent() == reason.isEmpty(),
                    "a group must have either a model or a reason why it has none");
        }

        static Group of(TrainedModel model, long rows) {
            return new Group(Optional.of(model), rows, "");
        }

        static Group unusable(String reason) {
            return new Group(Optional.empty(), 0, reason);
        }
    }

    public VotingModel {
        classes = List.copyOf(classes);
        groups = List.copyOf(groups);
        Check.that(classes.size() != 1, "votes must be for two classes or more, or for numbers");
        Check.that(
                groups.size() == roster.size(),
                "there must be a model for each of %d groups, got %d",
                roster.size(),
                groups.size());
        for (Group group : groups) {
            Check.that(
                    group.model.isEmpty()
                            || group.model.get().schema().classes().equals(classes),
                    "all groups must vote for the same classes");
        }
    }

    /** Returns whether labels are numbers. */
    public boolean predictsNumbers() {
        return classes.isEmpty();
    }

    /** Returns the number of groups that could not learn. */
    public int unusable() {
        return (int) groups.stream().filter(group -> group.model.isEmpty()).count();
    }

    /**
     * Returns what a group votes if it has no vote of its own: the classes in turn, or minus and plus infinity in turn.
     * It depends on the number of the group alone, so nobody gains by making a group unusable.
     */
    public double fixedVote(int group) {
        if (predictsNumbers()) {
            return group % 2 == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return group % classes.size();
    }
}
