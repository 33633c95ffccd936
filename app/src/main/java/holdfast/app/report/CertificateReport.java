package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.certificate.MisclassificationCurve;
import holdfast.certificate.MovedRow;
import holdfast.certificate.ShiftCurve;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.objective.Box;
import holdfast.objective.MixedCost;
import holdfast.objective.PricedCost;
import holdfast.shift.WorstCaseShift.Norm;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** What is certain about a model on rows that shift, as text, as JSON and as the worst rows found. */
public final class CertificateReport implements Certified {
    private static final String MOVED =
            "moved in any way%s at a mean cost of at most rho = q^2/2, as if each moved by q in units of the scaled features";
    static final String INEXACT =
            "The loss is bounded from above, not found exactly; the truth is between the two columns.";
    static final String LIMITS =
            "This is about these rows and this model. It says nothing about other rows or other labels.";

    private final TrainedModel trained;
    private final Dataset rows;
    private final Box box;
    private final PricedCost cost;
    private final double[] budgets;
    private final OptionalInt liars;
    private final ShiftCurve losses;
    private final Optional<MisclassificationCurve> errors;
    private final Optional<Population> population;
    private final LossUnit unit;
    private final boolean ownUnit;

    /**
     * Certifies a model.
     *
     * @param rows labelled, unscaled
     * @param budgets q, how far each row may move; rho = q^2/2 for all together
     * @param liars how many of the rows' sources may lie; empty if all rows are trusted
     * @param confidence with which errors are bounded for the population of the rows as well; empty if they are not
     * @param ownUnit whether losses are in the label's own unit; earlier certificates have them as the model learnt them
     */
    public CertificateReport(
            TrainedModel trained,
            Dataset rows,
            PricedCost cost,
            Box box,
            double[] budgets,
            OptionalInt liars,
            Optional<Double> confidence,
            boolean ownUnit) {
        this.unit = ownUnit ? LossUnit.of(trained) : LossUnit.asLearnt(trained);
        this.ownUnit = ownUnit;
        this.trained = trained;
        this.rows = rows;
        this.box = box;
        this.cost = cost;
        this.budgets = budgets.clone();
        this.liars = liars;
        Model model = trained.model();
        boolean rates = model instanceof LinearScores && model.target().isClass();
        losses = liars.isPresent()
                ? ShiftCurve.bySource(trained, rows, cost, box, liars.getAsInt())
                : ShiftCurve.of(trained, rows, cost, box);
        errors = !rates
                ? Optional.empty()
                : Optional.of(
                        liars.isPresent()
                                ? MisclassificationCurve.bySource(trained, rows, cost, liars.getAsInt())
                                : MisclassificationCurve.of(trained, rows, cost));
        population = confidence.map(given -> Population.of(errors, rows, given));
    }

    static double rho(double budget) {
        return budget * budget / 2;
    }

    /**
     * Returns rho rounded down, because what is certified for it is not certified for more. The square's own rounding, which
     * certificates allow for, does not count.
     */
    static String printedRho(double budget) {
        double rho = new BigDecimal(rho(budget))
                .round(new MathContext(14))
                .round(new MathContext(4, RoundingMode.FLOOR))
                .doubleValue();
        return String.format(Locale.ROOT, "%.4g", rho);
    }

    @Override
    public String text() {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("q", "rho", "loss at most", "worst found"));
        if (errors.isPresent()) {
            head.add("error at most");
            population.ifPresent(of -> head.add("population"));
            head.addAll(List.of("each within q: l1", "l2", "linf"));
        }
        lines.add(head);
        for (double q : budgets) {
            ShiftCurve.Point loss = losses.at(rho(q));
            List<String> line = new ArrayList<>(List.of(
                    Spec.print(q),
                    printedRho(q),
                    Scores.atMost(unit.atMost(loss.certified())),
                    Scores.atLeast(unit.atLeast(loss.attained()))));
            errors.ifPresent(curve -> {
                double error = curve.at(rho(q)).certified();
                line.add(Scores.atMost(error));
                population.ifPresent(of -> line.add(Scores.atMost(of.atMost(error))));
                Arrays.stream(Norm.values())
                        .map(norm -> Scores.atMost(curve.rate(norm, q)))
                        .forEach(line::add);
            });
            lines.add(line);
        }
        return "Rows of " + rows.source().name() + " (" + rows.rows() + "), " + moved(box) + ":\n"
                + sources(liars)
                + Scores.aligned(lines)
                + changes(cost, errors.isPresent())
                + (unit.words().isEmpty() ? "" : unit.words() + "\n")
                + (losses.exact() ? "" : INEXACT + "\n")
                + limits(population)
                + "\n";
    }

    static String moved(Box box) {
        return String.format(
                MOVED,
                box.bounded()
                        ? " that leaves every scaled feature from -" + Spec.print(box.side()) + " to "
                                + Spec.print(box.side()) + ", or no further out than it is,"
                        : "");
    }

    static String limits(Optional<Population> population) {
        return population.map(Population::text).orElse(LIMITS);
    }

    /** Returns a sentence about categories that change as a whole; empty if none do. */
    static String changes(PricedCost cost, boolean rates) {
        return cost.changes().isEmpty()
                ? ""
                : cost.changes().stream()
                                .map(CertificateReport::change)
                                .collect(Collectors.joining(", ", "Categories change as a whole: ", "."))
                        + (rates ? " In the columns l1, l2 and linf they stay." : "")
                        + "\n";
    }

    private static String change(MixedCost.Change change) {
        return change.column().name() + " at " + Spec.print(change.price()) + " a change";
    }

    static String sources(OptionalInt liars) {
        return liars.isPresent()
                ? "mean over the sources that do not lie, whichever " + liars.getAsInt() + " do\n"
                : "";
    }

    @Override
    public CertificateFile certificate(String modelHash, List<String> settings) {
        ObjectNode root = CertificateFile.head(
                modelHash, rows.source(), rows.rows(), trained.schema().label(), settings);
        root.put("exact", losses.exact());
        if (ownUnit) {
            unit.put(root);
        }
        population.ifPresent(of -> of.put(root));
        ArrayNode changes = cost.changes().isEmpty() ? null : root.putArray("whole_columns");
        cost.changes()
                .forEach(change -> changes.addObject()
                        .put("column", change.column().name())
                        .put("price", change.price()));
        ArrayNode points = root.putArray("points");
        for (double q : budgets) {
            ObjectNode point = points.addObject();
            ShiftCurve.Point loss = losses.at(rho(q));
            point.put("q", q);
            point.put("rho", rho(q));
            JsonText.put(point, "lambda", unit.of(loss.lambda()));
            JsonText.put(point, "loss_at_most", unit.atMost(loss.certified()));
            JsonText.put(point, "loss_found", unit.atLeast(loss.attained()));
            errors.ifPresent(curve -> {
                JsonText.put(point, "error_at_most", curve.at(rho(q)).certified());
                for (Norm norm : Norm.values()) {
                    JsonText.put(point, "error_" + norm.name().toLowerCase(Locale.ROOT), curve.rate(norm, q));
                }
                population.ifPresent(of -> of.put(point, curve, q));
            });
        }
        return CertificateFile.of(root);
    }

    @Override
    public String html(String modelHash) {
        return new CertificatePage(trained, rows, box, cost, budgets, liars, losses, errors, population, unit)
                .html(modelHash);
    }

    /** Returns the rows of the worst distribution found within the largest budget, as CSV. */
    public String worstRows() {
        double budget = Arrays.stream(budgets).max().orElseThrow();
        StringBuilder out = new StringBuilder(CsvText.line(MovedRow.header(trained.schema(), cost).stream()));
        losses.worstRows(rho(budget))
                .forEach(row ->
                        out.append(CsvText.line(row
                                .withLosses(unit.of(row.before()), unit.of(row.after()))
                                .cells(trained.schema(), cost)
                                .stream())));
        return out.toString();
    }
}
