package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.Spec;
import holdfast.certificate.MisclassificationCurve;
import holdfast.data.Dataset;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.Locale;
import java.util.Optional;

/**
 * What certified errors of rows say, with some confidence, about the population that the rows were drawn from.
 *
 * @param confidence the probability, over the draw of the rows, that all of it holds
 * @param term what it adds to every error
 * @param rows how many were drawn
 */
record Population(double confidence, double term, int rows) {
    /** @param confidence at least 0.5, below 1 */
    static Population of(Optional<MisclassificationCurve> errors, Dataset rows, double confidence) {
        Check.that(
                errors.isPresent(),
                "--confidence is about errors of models of classes; the loss of a population has no bound, because that of one"
                        + " row has none");
        Check.that(
                !rows.weighted(),
                "--confidence needs rows that count the same, and those of %s have weights",
                rows.source().name());
        return new Population(confidence, errors.get().sampleTerm(1 - confidence), rows.rows());
    }

    /** Returns what the error of the population is at most, from that of the rows. */
    double atMost(double error) {
        return Math.min(1, Math.nextUp(error + term));
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "With confidence %s it is also about the population that these %d rows were drawn from: its error is at most %s"
                        + " above every error here, for all budgets at once. %s It says nothing about the population's loss, because"
                        + " the loss of one row has no limit, nor about other labels.",
                Spec.print(confidence),
                rows,
                Scores.atMost(term),
                assumption());
    }

    private static String assumption() {
        return "This assumes that the rows were drawn independently from one population, and that none of them took part in"
                + " training or in the choice of settings, threshold or calibration.";
    }

    void put(ObjectNode root) {
        root.putObject("population")
                .put("confidence", confidence)
                .put("error_above_that_of_the_rows", term)
                .put("assumes", assumption());
    }

    void put(ObjectNode point, MisclassificationCurve errors, double q) {
        JsonText.put(
                point,
                "population_error_at_most",
                atMost(errors.at(CertificateReport.rho(q)).certified()));
        for (Norm norm : Norm.values()) {
            JsonText.put(
                    point, "population_error_" + norm.name().toLowerCase(Locale.ROOT), atMost(errors.rate(norm, q)));
        }
    }
}
