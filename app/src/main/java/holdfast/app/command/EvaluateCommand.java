package holdfast.app.command;

import holdfast.Check;
import holdfast.Spec;
import holdfast.app.report.JsonText;
import holdfast.app.report.Scores;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.shift.Shift;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast evaluate}: tests a model on labelled rows, as they are or shifted. */
@Command(
        name = "evaluate",
        description =
                "Tests a model on labelled data, as they are or moved to their worst case. Prints its errors, and for"
                        + " classes the confusion matrix and the calibration of the probabilities. Every row counts once,"
                        + " whatever its weight.",
        mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    @Mixin
    private ModelArgument model;

    @Mixin
    private PluginOption plugins;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table, with its label column")
    private String data;

    @Option(
            names = "--shift",
            paramLabel = "SHIFT",
            description =
                    "how to shift the rows: none, l1, l2, linf, noise(sd=0.3) or trigger(column=0, value=5) (default: none)")
    private String shift = "none";

    @Option(
            names = "--budget",
            paramLabel = "Q",
            description = "how far each row may move, in units of the scaled features (default: 0.3)")
    private Double budget;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        ModelFile file = model.read(plugins.catalogues());
        Shift chosen = chosen();
        Dataset rows = DataFile.read(
                data,
                file.model().schema(),
                file.model().encoding(),
                file.model().model().target());
        Evaluation result = Evaluation.of(file.model(), rows, chosen);
        Schema schema = rows.schema();
        System.out.print(
                json
                        ? JsonText.print(Scores.json(result, schema.classes()))
                        : Scores.table(List.of(result)) + Scores.details(result, schema));
        return ExitCode.OK;
    }

    private Shift chosen() {
        Spec spec = Spec.parse(shift);
        if (budget != null) {
            Check.that(List.of("l1", "l2", "linf").contains(spec.name()), "--budget needs --shift l1, l2 or linf");
            Check.that(
                    !spec.parameters().containsKey("budget"),
                    "the budget must be given once, got --shift %s and --budget",
                    shift);
            spec = spec.with("budget", budget.toString());
        }
        return plugins.catalogues().shifts().create(spec);
    }
}
