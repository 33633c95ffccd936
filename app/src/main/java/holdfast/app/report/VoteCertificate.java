package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.certificate.RowMove;
import holdfast.certificate.VoteEvaluation;
import holdfast.certificate.VoteGrid;
import holdfast.certificate.VotingModel;
import holdfast.data.DataSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which share of rows votes get right for certain, against k lying sources and a move of the row within q at once. */
public final class VoteCertificate implements Certified {
    private static final int BAR = 40;
    private static final int MAX_UNITS = 6;

    private final VotingModel model;
    private final DataSource data;
    private final Optional<RowMove> move;
    private final VoteGrid grid;
    private final int[] liars;

    /**
     * @param move how rows move, with any budget; empty if they stay
     * @param liars the numbers of lying sources that are shown
     */
    public VoteCertificate(VotingModel model, DataSource data, Optional<RowMove> move, VoteGrid grid, int[] liars) {
        this.model = model;
        this.data = data;
        this.move = move;
        this.grid = grid;
        this.liars = liars.clone();
    }

    @Override
    public String text() {
        return about() + "\n" + (model.predictsNumbers() ? widths() : shares()) + unusable() + limits() + "\n";
    }

    private int rows() {
        return grid.evaluations().get(0).rows();
    }

    private String about() {
        String sources = model.roster().size() + " groups of " + model.roster().sources() + " sources vote on "
                + Scores.printable(model.label()) + ". Rows of " + data.name() + " (" + rows() + "): ";
        if (model.predictsNumbers()) {
            return sources
                    + "the median width of the interval that the prediction stays in, whichever k sources lie and"
                    + " whatever they wrote.";
        }
        return sources + "the share whose class is right and stays so, whichever k sources lie and whatever they wrote"
                + move.map(given -> ", even if the row moves by up to q at the same time: " + moved(given))
                        .orElse("")
                + ".";
    }

    private static String moved(RowMove move) {
        String delta = "delta_i/unit_i";
        return switch (move.norm()) {
                    case L1 -> "sum of |" + delta + "| <= q";
                    case L2 -> "root of the sum of (" + delta + ")^2 <= q";
                    case LINF -> "each |" + delta + "| <= q";
                }
                + ", in the units "
                + move.units().entrySet().stream()
                        .limit(MAX_UNITS)
                        .map(unit -> Scores.printable(unit.getKey()) + "=" + brief(unit.getValue()))
                        .collect(Collectors.joining(", "))
                + (move.units().size() > MAX_UNITS
                        ? " and " + (move.units().size() - MAX_UNITS) + " more, which --out writes"
                        : "")
                + "; nothing else moves";
    }

    private static String brief(double value) {
        String text = String.format(Locale.ROOT, "%.4g", value);
        return Double.parseDouble(text) == value ? Spec.print(value) : text;
    }

    private String shares() {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("k"));
        boolean drawn = grid.budgets().size() == 1;
        grid.budgets().forEach(q -> head.add(move.isEmpty() ? "share" : "q = " + Spec.print(q)));
        lines.add(head);
        for (int k : liars) {
            List<String> line = new ArrayList<>(List.of(Integer.toString(k)));
            for (int q = 0; q < grid.budgets().size(); q++) {
                line.add(Scores.number(grid.share(k, q)));
            }
            lines.add(line);
        }
        String table = Scores.aligned(lines);
        if (!drawn) {
            return table;
        }
        String[] text = table.split("\n");
        for (int i = 0; i < liars.length; i++) {
            text[i + 1] += "  " + "#".repeat((int) Math.rint(BAR * grid.share(liars[i], 0)));
        }
        return Arrays.stream(text).map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
    }

    private String widths() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("k", "median width"));
        for (int k : liars) {
            lines.add(List.of(
                    Integer.toString(k), Scores.number(grid.evaluations().get(0).widths()[k])));
        }
        return Scores.aligned(lines);
    }

    private String unusable() {
        int fixed = model.unusable();
        return fixed == 0
                ? ""
                : fixed + " of " + model.roster().size()
                        + (fixed == 1 ? " groups cannot learn and casts" : " groups cannot learn and cast")
                        + " a fixed vote; these and the liars together must be fewer than half.\n";
    }

    private String limits() {
        return (model.predictsNumbers()
                        ? "The mean absolute error of the vote is "
                        : "The error of the vote without liars is ")
                + Scores.number(grid.evaluations().get(0).error())
                + ". This is about these rows, these models, and sources as votes.json names them: a party that owns"
                + " several counts several times.";
    }

    @Override
    public CertificateFile certificate(String modelHash, List<String> settings) {
        ObjectNode root = CertificateFile.head(modelHash, data, rows(), model.label(), settings);
        root.put("groups", model.roster().size());
        root.put("sources", model.roster().sources());
        root.put("unusable_groups", model.unusable());
        VoteEvaluation first = grid.evaluations().get(0);
        JsonText.put(root, model.predictsNumbers() ? "mae" : "error", first.error());
        move.ifPresent(given -> {
            root.put("norm", given.norm().name().toLowerCase(Locale.ROOT));
            ObjectNode units = root.putObject("units");
            given.units().forEach(units::put);
        });
        ArrayNode points = root.putArray("points");
        for (int q = 0; q < grid.budgets().size(); q++) {
            for (int k : liars) {
                ObjectNode point = points.addObject().put("liars", k);
                if (model.predictsNumbers()) {
                    JsonText.put(point, "median_width", first.widths()[k]);
                } else {
                    point.put("q", grid.budgets().get(q)).put("certified_correct", grid.share(k, q));
                }
            }
        }
        return CertificateFile.of(root);
    }
}
