package holdfast.app;

import holdfast.Check;
import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.shift.Shift;
import holdfast.shift.Shifts;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast evaluate}: how a model does on labelled rows, also when they shift. */
@Command(
        name = "evaluate",
        description =
                "Tests a model on labelled data, as they are or moved to their worst case: its errors, of classes also which"
                        + " are taken for which and what the probabilities are worth. Every row counts once, whatever its weight.",
        mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    @Mixin
    private ModelArgument model;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table, with its label column")
    private String data;

    @Option(
            names = "--shift",
            paramLabel = "SHIFT",
            description = "none, l1, l2, linf, noise(sd=0.3) or trigger(column=0, value=5) (default: none)")
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
        ModelFile file = model.read();
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
                        ? Summary.print(Scores.json(result, schema.classes()))
                        : Scores.table(List.of(result)) + Scores.details(result, schema));
        return Exit.OK;
    }

    private Shift chosen() {
        Spec spec = Spec.parse(shift);
        if (budget != null) {
            Check.that(List.of("l1", "l2", "linf").contains(spec.name()), "--budget needs --shift l1, l2 or linf");
            Check.that(!spec.parameters().containsKey("budget"), "the budget is given twice: '%s' and --budget", shift);
            spec = spec.with("budget", budget.toString());
        }
        return Shifts.catalogue().create(spec);
    }
}
