package holdfast.app.command;

import holdfast.Check;
import holdfast.app.report.CoefficientReport;
import holdfast.app.report.RowReport;
import holdfast.data.Dataset;
import holdfast.evaluation.RowExplanation;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast explain}: prints what each feature does to the score, or did for one row. */
@Command(
        name = "explain",
        description =
                "Prints a model's coefficients in the units of its table, those with the largest effect first; with --row,"
                        + " what each feature contributed to the score of one row.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ExplainCommand implements Callable<Integer> {
    @Mixin
    private ModelArgument model;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DATA",
            description = "the table of the row; a label column is not needed")
    private String data;

    @Option(names = "--row", paramLabel = "N", description = "the row of the table to explain, from 1")
    private Integer row;

    @Option(names = "--all", description = "show all features, not only the 20 largest")
    private boolean all;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, csv or json (default: text); csv and json have all features")
    private String format = "text";

    @Option(names = "--out", paramLabel = "FILE", description = "write to this file (default: standard output)")
    private Path out;

    @Mixin
    private PluginOption plugins;

    @Override
    public Integer call() {
        Check.that(
                format.equals("text") || format.equals("csv") || format.equals("json"),
                "--format must be text, csv or json, got '%s'",
                format);
        Check.that(
                (data == null) == (row == null),
                "%s",
                data == null
                        ? "--row needs a table: explain MODEL DATA --row N"
                        : "a table needs --row N, the row to explain");
        OutputFile.requireWritable("--out", out, model.file(), data);
        ModelFile file = model.read(plugins.catalogues());
        Warnings.show(true);
        String text = data == null ? coefficients(new CoefficientReport(file.model())) : row(file);
        if (out == null) {
            System.out.print(text);
        } else {
            AtomicFile.write(out, text);
        }
        return ExitCode.OK;
    }

    private String coefficients(CoefficientReport report) {
        return switch (format) {
            case "csv" -> report.csv();
            case "json" -> report.json();
            default -> report.text(all);
        };
    }

    private String row(ModelFile file) {
        TrainedModel trained = file.model();
        // Before the table is read, which may take a while.
        trained.coefficients();
        Dataset rows = DataFile.read(data, file, false);
        Check.that(row >= 1 && row <= rows.rows(), "%s: --row must be from 1 to %d, got %d", data, rows.rows(), row);
        RowReport report = new RowReport(
                trained, RowExplanation.of(trained, rows.select(new int[] {row - 1})), data + ", row " + row);
        return switch (format) {
            case "csv" -> report.csv();
            case "json" -> report.json();
            default -> report.text(all);
        };
    }
}
