package holdfast.app.command;

import holdfast.Check;
import holdfast.app.report.DriftReport;
import holdfast.app.report.JsonText;
import holdfast.formats.AtomicFile;
import holdfast.formats.KeptColumns;
import holdfast.formats.LaterRows;
import holdfast.formats.ModelFile;
import holdfast.plan.PlanKey;
import holdfast.preparation.RowSummary;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast drift}: says how new rows differ from those of training, and what that means for the model. */
@Command(
        name = "drift",
        description =
                "Compares new rows with those a model was trained on: which columns have changed, ranked by what that does to the"
                        + " model's scores, how large the whole shift is, and the error to expect without labels. If the"
                        + " table has labels, also the measured error, by source and over time.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DriftCommand implements Callable<Integer> {
    @Mixin
    private ModelArgument model;

    @Parameters(index = "1", paramLabel = "DATA", description = "the new rows; a label column is not needed")
    private String data;

    @Option(
            names = "--reference",
            paramLabel = "FILE",
            description =
                    "rows to compare with, such as the training table: the whole shift is then a lower bound, and with labels the certificate says what follows"
                            + " (default: what the model keeps of its training rows)")
    private String reference;

    @Option(
            names = "--time",
            paramLabel = "COLUMN",
            description = "a column of DATA with dates or numbers: figures by month, or in ten slices")
    private String time;

    @Option(names = "--no-labels", description = "do not read the label column of DATA")
    private boolean unlabelled;

    @Option(names = "--all", description = "show all columns, not only the 20 with the largest effect")
    private boolean all;

    @Option(names = "--report", paramLabel = "FILE", description = "write a page")
    private Path report;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Mixin
    private PluginOption plugins;

    @Override
    public Integer call() {
        OutputFile.requireWritable("--report", report, model.file(), data, reference);
        ModelFile file = model.read(plugins.catalogues());
        int features = file.model().schema().features().size();
        Check.that(
                features <= RowSummary.MAX_FEATURES,
                "%s: drift compares at most %d features, got %d",
                model.file(),
                RowSummary.MAX_FEATURES,
                features);
        Check.that(
                reference != null || file.model().training().isPresent(),
                "%s: keeps no summary of its training rows, as files of earlier versions do not; give --reference FILE, rows"
                        + " to compare with",
                model.file());
        Warnings.show(true);
        Optional<String> source = PlanKey.WORKERS_BY.parse(file.settings().getOrDefault(PlanKey.WORKERS_BY.name(), ""));
        KeptColumns kept = time == null ? KeptColumns.none() : new KeptColumns("--time", List.of(time));
        LaterRows later = LaterRows.read(data, file, !unlabelled, source, kept);
        ModelArgument.noteLeftOut(file, later.rows());
        Optional<LaterRows> before = reference == null
                ? Optional.empty()
                : Optional.of(LaterRows.read(reference, file, true, Optional.empty(), KeptColumns.none()));
        List<String> times = time == null
                ? List.of()
                : IntStream.range(0, later.rows().rows())
                        .mapToObj(row -> kept.row(row).get(0))
                        .toList();
        DriftReport found = DriftReport.of(file.model(), later, before, time == null ? "" : time, times);
        System.out.print(json ? JsonText.print(found.json()) : found.text(all));
        if (report != null) {
            AtomicFile.write(report, found.html());
        }
        return ExitCode.OK;
    }
}
