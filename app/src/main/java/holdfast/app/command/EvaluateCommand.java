package holdfast.app.command;

import holdfast.Check;
import holdfast.Spec;
import holdfast.app.report.JsonText;
import holdfast.app.report.Scores;
import holdfast.app.report.VoteReport;
import holdfast.certificate.VoteEvaluation;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.HeldOutFigures;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.formats.LabelledVotes;
import holdfast.formats.ModelFile;
import holdfast.formats.VoteFile;
import holdfast.plan.PlanKey;
import holdfast.shift.Shift;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast evaluate}: tests a model on labelled rows, as they are or shifted. */
@Command(
        name = "evaluate",
        description =
                "Tests a model on labelled data, as they are or shifted. Prints its errors, and for classes the confusion"
                        + " matrix and the calibration of the probabilities. Every row counts once, whatever its weight. If the"
                        + " data have the column of sources that the model was trained by, each source's figure follows.",
        mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    private static final List<String> WORST_CASES = List.of("l1", "l2", "linf");

    @Mixin
    private ModelArgument model;

    @Mixin
    private PluginOption plugins;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table, with its label column")
    private String data;

    @Option(
            names = "--shift",
            paramLabel = "SHIFT",
            description = "what happens to the rows, one or several: none; worst cases l1, l2, linf; natural shifts"
                    + " noise(sd=0.3), drift(factor=0.2), missing(share=0.2), prior(class=1, share=0.5); trigger(column=0,"
                    + " value=5) (default: none)")
    private String shift = "none";

    @Option(
            names = "--budget",
            paramLabel = "Q",
            description = "how far each row may move, in units of the scaled features (default: 0.3)")
    private Double budget;

    @Mixin
    private MoveOptions moves;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        if (model.votes()) {
            return vote(model.readVotes(plugins.catalogues()));
        }
        Check.that(!moves.given(), "--units is for models that vote (train --vote)");
        ModelFile file = model.read(plugins.catalogues());
        List<Shift> chosen = chosen();
        TrainedModel trained = file.model();
        Warnings.show(true);
        Dataset rows = DataFile.read(
                data,
                trained.schema(),
                trained.encoding(),
                trained.model().target(),
                PlanKey.WORKERS_BY.parse(file.settings().getOrDefault(PlanKey.WORKERS_BY.name(), "")),
                file.cells());
        ModelArgument.noteLeftOut(file, rows);
        List<Evaluation> results =
                chosen.stream().map(s -> Evaluation.of(trained, rows, s)).toList();
        HeldOutFigures bySource = HeldOutFigures.of(trained, rows, Set.of());
        Schema schema = rows.schema();
        System.out.print(
                json
                        ? JsonText.print(Scores.json(results, bySource, schema.classes()))
                        : Scores.table(results)
                                + (results.size() == 1 ? Scores.details(results.get(0), schema) : "")
                                + Scores.bySource(bySource, heldOut(file)));
        return ExitCode.OK;
    }

    private int vote(VoteFile file) {
        Check.that(
                shift.equals("none") || !file.model().predictsNumbers(),
                "--shift of models that vote is for classes, not for numbers");
        LabelledVotes rows = LabelledVotes.of(data, file, true, moves.move(shift, budget, file));
        VoteEvaluation result = VoteEvaluation.of(rows.voted(), rows.labels());
        System.out.print(
                json ? JsonText.print(VoteReport.json(result)) : VoteReport.evaluation(result, "rows of " + data));
        return ExitCode.OK;
    }

    private static Set<String> heldOut(ModelFile file) {
        return Set.copyOf(PlanKey.TEST_SOURCES.parse(file.settings().getOrDefault(PlanKey.TEST_SOURCES.name(), "")));
    }

    private List<Shift> chosen() {
        List<Spec> specs = Spec.split(shift).stream().map(Spec::parse).toList();
        Check.that(!specs.isEmpty(), "--shift must name at least one shift, got '%s'", shift);
        Check.that(
                budget == null || specs.stream().anyMatch(s -> WORST_CASES.contains(s.name())),
                "--budget needs --shift l1, l2 or linf");
        return specs.stream()
                .map(s -> budget == null || !WORST_CASES.contains(s.name()) ? s : withBudget(s))
                .map(plugins.catalogues().shifts()::create)
                .toList();
    }

    private Spec withBudget(Spec spec) {
        Check.that(
                !spec.parameters().containsKey("budget"),
                "the budget must be given once, got --shift %s and --budget",
                shift);
        return spec.with("budget", budget.toString());
    }
}
