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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
                line.add(Scores.atLeast(grid.share(k, q)));
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
                    Integer.toString(k), Scores.atMost(grid.evaluations().get(0).widths()[k])));
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
    public String html(String modelHash) {
        return new Page("certificate.html")
                .with("allowed", "")
                .with(
                        "body",
                        "<h1>What lying sources can do: " + Page.name(data.name()) + "</h1>\n<p class=\"lead\">"
                                + Page.escaped(about()) + "</p>\n" + bars()
                                + (grid.budgets().size() > 1 ? heat() : "")
                                + "<h2>What this says, and what it does not</h2>\n<p>A share of the rows of this file, with these"
                                + " labels: no k sources, whatever they had written, could have changed these predictions,"
                                + " because each source is in one group and a group has one vote. It does not say that a"
                                + " prediction is right, nor which sources lie.</p>\n<p>"
                                + Page.escaped(unusable() + limits()) + "</p>\n")
                .with("footer", CertificatePage.footer(modelHash, data.sha256()))
                .with("noscript", " and no script")
                .with("script", "")
                .html();
    }

    /** A bar for each k, at the smallest budget. */
    private String bars() {
        boolean numbers = model.predictsNumbers();
        int first = IntStream.range(0, grid.budgets().size())
                .boxed()
                .min(Comparator.comparing(grid.budgets()::get))
                .orElseThrow();
        double[] values = numbers
                ? grid.evaluations().get(0).widths()
                : grid.evaluations().get(first).certified();
        double most = numbers
                ? Arrays.stream(liars)
                        .mapToDouble(k -> values[k])
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1)
                : 1;
        StringBuilder out = new StringBuilder("<h2>")
                .append(numbers ? "Width against lying sources" : "Share against lying sources")
                .append(move.isPresent() ? ", q = " + Spec.print(grid.budgets().get(first)) : "")
                .append("</h2>\n<div class=\"bars\">");
        for (int k : liars) {
            out.append("<span>k = ")
                    .append(k)
                    .append("</span>")
                    .append(Drawing.bar(new Drawing.Scale(0, most), values[k], Optional.empty(), "share"))
                    .append("<span class=\"number\">")
                    .append(numbers ? Scores.atMost(values[k]) : Scores.atLeast(values[k]))
                    .append("</span>\n");
        }
        return out.append("</div>\n").toString();
    }

    private String heat() {
        StringBuilder out = new StringBuilder("<h2>Lying sources and a move at once</h2>\n<div class=\"wide\"><table"
                + " class=\"heat\"><thead><tr><th></th>");
        grid.budgets().forEach(q -> out.append("<th>q = ").append(Spec.print(q)).append("</th>"));
        out.append("</tr></thead><tbody>\n");
        for (int k : liars) {
            out.append("<tr><th>k = ").append(k).append("</th>");
            for (int q = 0; q < grid.budgets().size(); q++) {
                double share = grid.share(k, q);
                out.append(String.format(
                        Locale.ROOT,
                        "<td%s style=\"--share:%.3f\">%s</td>",
                        share > 0.55 ? " class=\"dark\"" : "",
                        share,
                        Scores.atLeast(share)));
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody></table></div>\n").toString();
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
