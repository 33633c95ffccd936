package holdfast.app.report;

import holdfast.app.lab.demo.Demo;
import holdfast.app.lab.demo.PoisonedOffices;
import holdfast.evaluation.Evaluation;
import holdfast.sources.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The demonstration as text and, about its robust run, as a page. */
public final class DemoReport {
    private final Demo.Results results;

    public DemoReport(Demo.Results results) {
        this.results = results;
    }

    /** What is said before training. */
    public static String introduction(PoisonedOffices offices) {
        StringBuilder out = new StringBuilder();
        line(
                out,
                "%d offices hand in %d rows of mail; a model is to tell spam from the rest.",
                offices.rows().schema().groups().size(),
                offices.rows().rows());
        line(out, "%d of the offices hand in bad rows:", offices.poisons().size());
        offices.poisons().forEach((office, poison) -> line(out, "  %-8s %s", office, poison));
        line(out, "Holdfast is not told which.");
        return out.toString();
    }

    /** @param page where {@link #html} is written */
    public String text(Path page) {
        StringBuilder out = new StringBuilder();
        List<Verdict> named =
                results.review().verdicts().stream().filter(Verdict::named).toList();
        line(out, "%nIt names %d:", named.size());
        LedgerText.findings(out, named, "the page");
        line(
                out,
                "%nError on %d clean rows that were put aside beforehand:",
                results.robust().rows());
        error(out, "plain average of all offices", results.plain());
        error(out, "Holdfast", results.robust());
        error(out, "Holdfast without the offices that it names", results.without());
        line(out, "%nThe whole run as a page, for your browser: %s", page);
        line(out, "%nNext, with your own table, one row per case, one column that names the source:");
        line(out, "  ./holdfast train visits.csv --label ill --workers-by hospital --report run.html");
        line(out, "Ask the sources that it names, mend or leave out their rows, and train again:");
        line(out, "  ./holdfast train visits.csv --label ill --workers-by hospital --without A,B");
        line(out, "What a verdict means and does not mean: docs/guide.md, Many sources");
        return out.toString();
    }

    private static void error(StringBuilder out, String model, Evaluation clean) {
        line(out, "  %-44s %.3f", model, clean.error());
    }

    private static void line(StringBuilder out, String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args)).append('\n');
    }

    /** @param command trains again with the same settings */
    public String html(String command) {
        return new RunPage(
                        results.review(),
                        results.prepared(),
                        results.review().run().heldOut(),
                        results.history(),
                        Optional.empty(),
                        Optional.empty(),
                        command)
                .html();
    }
}
