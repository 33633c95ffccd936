package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.certificate.VoteEvaluation;
import holdfast.certificate.VotedRows;
import holdfast.certificate.VotingModel;
import holdfast.formats.LabelledVotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What is said about models that vote, as text and as JSON. */
public final class VoteReport {
    private static final int MAX_NAMED = 4;

    private final VotingModel model;
    /** Votes on labelled rows that no group learnt from; empty if there are none. */
    private final Optional<LabelledVotes> tested;

    public VoteReport(VotingModel model, Optional<LabelledVotes> tested) {
        this.model = model;
        this.tested = tested;
    }

    /** Returns the groups, and what the vote is worth. */
    public String text() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("group", "rows", "own " + measure()));
        List<String> unusable = new ArrayList<>();
        for (int g = 0; g < model.groups().size(); g++) {
            VotingModel.Group group = model.groups().get(g);
            boolean learnt = group.model().isPresent();
            double error = ownError(g);
            lines.add(List.of(
                    g + 1 + ": " + named(model.roster().groups().get(g)),
                    Long.toString(group.rows()),
                    learnt ? Double.isNaN(error) ? "-" : Scores.number(error) : "unusable"));
            if (!learnt) {
                unusable.add("group " + (g + 1) + " cannot learn and always votes " + vote(model.fixedVote(g)) + ": "
                        + group.reason().replaceAll("\\p{Cntrl}", "?") + "\n");
            }
        }
        return model.groups().size() + " groups of " + model.roster().sources() + " sources vote on "
                + Scores.printable(model.label()) + "; each learnt alone\n" + Scores.aligned(lines)
                + String.join("", unusable)
                + tested.map(rows -> evaluation(evaluation(rows), "held-out rows, from which no group learnt"))
                        .orElse("");
    }

    private String measure() {
        return model.predictsNumbers() ? "mae" : "error";
    }

    private String vote(double vote) {
        return model.predictsNumbers()
                ? (vote < 0 ? "minus infinity" : "infinity")
                : model.classes().get((int) vote);
    }

    private static String named(List<String> sources) {
        return Scores.printable(String.join(", ", sources.subList(0, Math.min(MAX_NAMED, sources.size()))))
                + (sources.size() > MAX_NAMED ? " and " + (sources.size() - MAX_NAMED) + " more" : "");
    }

    /** Returns a group's error on the held-out rows of its own sources; NaN if there are none. */
    private double ownError(int group) {
        if (tested.isEmpty()) {
            return Double.NaN;
        }
        Set<String> own = Set.copyOf(model.roster().groups().get(group));
        VotedRows voted = tested.get().voted();
        double[] labels = tested.get().labels();
        return IntStream.range(0, voted.rows())
                .filter(r -> own.contains(tested.get().sources().get(r)))
                .mapToDouble(r -> {
                    double vote = voted.vote(group, r);
                    return model.predictsNumbers() ? Math.abs(vote - labels[r]) : vote == labels[r] ? 0 : 1;
                })
                .average()
                .orElse(Double.NaN);
    }

    private static VoteEvaluation evaluation(LabelledVotes rows) {
        return VoteEvaluation.of(rows.voted(), rows.labels());
    }

    /**
     * Returns how well votes predict, and how many predictions stand k lying sources.
     *
     * @param rows what kind of rows were tested
     */
    public static String evaluation(VoteEvaluation e, String rows) {
        boolean numbers = e.certified().length == 0;
        double[] shown = numbers ? e.widths() : e.certified();
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("lying sources", numbers ? "median width of the interval" : "right and certified"));
        for (int k = 0; k < shown.length; k++) {
            lines.add(List.of(Integer.toString(k), Scores.number(shown[k])));
        }
        return String.format(
                        Locale.ROOT,
                        "the vote's %s is %s on %d %s%n",
                        numbers ? "mean absolute error" : "error",
                        Scores.number(e.error()),
                        e.rows(),
                        rows)
                + Scores.aligned(lines);
    }

    /** Returns the same as JSON. */
    public ObjectNode json() {
        ObjectNode root = JsonText.object();
        root.put("label", model.label());
        ArrayNode classes = root.putArray("classes");
        model.classes().forEach(classes::add);
        ArrayNode groups = root.putArray("groups");
        for (int g = 0; g < model.groups().size(); g++) {
            VotingModel.Group group = model.groups().get(g);
            ObjectNode node = groups.addObject();
            ArrayNode sources = node.putArray("sources");
            model.roster().groups().get(g).forEach(sources::add);
            node.put("rows", group.rows());
            if (group.model().isPresent()) {
                JsonText.put(node, "own_error", ownError(g));
            } else {
                node.put("unusable", group.reason());
                node.put("fixed_vote", vote(model.fixedVote(g)));
            }
        }
        tested.ifPresent(rows -> root.set("held_out", json(evaluation(rows))));
        return root;
    }

    /** Returns an evaluation as JSON; an infinite width is null. */
    public static ObjectNode json(VoteEvaluation e) {
        ObjectNode node = JsonText.object();
        node.put("rows", e.rows());
        boolean numbers = e.certified().length == 0;
        JsonText.put(node, numbers ? "mae" : "error", e.error());
        ArrayNode shares = node.putArray(numbers ? "median_widths" : "certified_correct");
        for (double value : numbers ? e.widths() : e.certified()) {
            if (Double.isFinite(value)) {
                shares.add(value);
            } else {
                shares.addNull();
            }
        }
        return node;
    }
}
