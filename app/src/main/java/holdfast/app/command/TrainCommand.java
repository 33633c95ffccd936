package holdfast.app.command;

import holdfast.Check;
import holdfast.InputException;
import holdfast.app.report.RunPage;
import holdfast.app.report.Summary;
import holdfast.certificate.ConformalScores;
import holdfast.certificate.OptimumGap;
import holdfast.data.Dataset;
import holdfast.formats.AtomicFile;
import holdfast.formats.CheckpointFile;
import holdfast.formats.ModelFile;
import holdfast.formats.PlanFile;
import holdfast.formats.ShellArgument;
import holdfast.math.Threads;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.RoundHistory;
import holdfast.sources.RunReview;
import holdfast.sources.ToleratedChoice;
import holdfast.training.Prediction;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import holdfast.training.engine.Engine;
import holdfast.training.engine.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast train}: trains on a table. Every setting of a plan is an option. */
@Command(
        name = "train",
        description =
                "Trains a model on a table, tests it on rows as they are and shifted, and reports what each worker did.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class TrainCommand implements Callable<Integer> {
    private static final int CHECKPOINT_EVERY = 50;

    /** Options that change nothing about the run. */
    private static final Set<String> ABOUT_OUTPUT =
            Set.of("--out", "--report", "--checkpoint", "--resume", "--json", "--quiet", "--without", "--optimum-gap");

    private final EngineOptions engines = new EngineOptions(Engines.found(new LocalEngine()));

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "DATA",
            description = {
                "the table: a file, builtin:spambase, builtin:digits, or - for standard input;",
                "several files, or a folder of .csv and .tsv files: each file is one worker"
            })
    private List<String> data;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--print-plan", description = "print the plan that all the options make, and stop")
    private boolean printPlan;

    @Option(names = "--test", paramLabel = "FILE", description = "test on this file instead of holding rows out")
    private String test;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "write the model to this file, with its plan and provenance")
    private Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "write a page about the run and its sources to this file, such as run.html")
    private Path report;

    @Option(names = "--checkpoint", paramLabel = "FILE", description = "save the run to this file every 50 rounds")
    private Path checkpoint;

    @Option(names = "--resume", description = "continue from the checkpoint; the model gets the same bits")
    private boolean resume;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the result does not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private VoteOptions vote;

    @Mixin
    private PluginOption plugins;

    @Option(
            names = "--values",
            paramLabel = "WHICH",
            description = "compute what each source is worth to the others: auto (up to 50 sources), all or none"
                    + " (default: auto)")
    private String values = "auto";

    @Option(
            names = "--optimum-gap",
            description =
                    "insist on the bound of how far the objective is from its least value over the honest workers, which is"
                            + " printed wherever it applies; where it does not, say what is missing and stop")
    private boolean gapWanted;

    @Option(names = "--json", description = "print the summary as JSON")
    private boolean json;

    @Option(names = "--quiet", description = "print no progress and no warnings")
    private boolean quiet;

    /** What is already saved, for the message that follows an interrupt; null if nothing is. */
    private String kept;

    /** Adds an option for every setting of a plan and of the engines. */
    static CommandLine commandLine() {
        TrainCommand command = new TrainCommand();
        CommandLine line = PlanOptions.addTo(command, Plan.automatic(), List.of());
        command.engines.addTo(line.getCommandSpec());
        return line;
    }

    @Override
    public Integer call() {
        Plan plan = plan();
        if (printPlan) {
            System.out.print(PlanFile.print(plan));
            return ExitCode.OK;
        }
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        RunReview.Values.parse(values);
        Check.that(!resume || checkpoint != null, "--resume needs --checkpoint FILE");
        OutputFile.requireWritable("--out", out, test, planFile, checkpoint, report);
        OutputFile.requireWritable("--out", out, data.toArray());
        OutputFile.requireWritable("--report", report, test, planFile, checkpoint, out);
        OutputFile.requireWritable("--report", report, data.toArray());
        OutputFile.requireWritable("--checkpoint", checkpoint, test, planFile, out, report);
        OutputFile.requireWritable("--checkpoint", checkpoint, data.toArray());
        Warnings.show(!quiet);
        if (vote.given()) {
            requireSuitVotes();
            return vote.train(data, plan, out, threads, json, quiet);
        }
        try (Engine.Session session = engines.open(spec.commandLine().getParseResult(), data, plan, threads)) {
            return train(session);
        } catch (CancellationException e) {
            System.err.println("holdfast: interrupted" + (kept == null ? "" : "; " + kept));
            return ExitCode.INTERRUPTED;
        }
    }

    /** Refuses options that are about one model. */
    private void requireSuitVotes() {
        CommandLine.ParseResult given = spec.commandLine().getParseResult();
        String engine = given.matchedOptionValue("--engine", "local");
        Check.that(engine.equals("local"), "--vote trains groups in this process, got --engine %s", engine);
        for (String option : List.of("--test", "--report", "--checkpoint", "--resume", "--values", "--optimum-gap")) {
            Check.that(
                    !given.hasMatchedOption(option),
                    "--vote and %s exclude each other%s",
                    option,
                    option.equals("--test") ? "; use evaluate on what --out writes" : "");
        }
        OutputFile.requireWritable("--out", out, vote.roster());
    }

    private int train(Engine.Session opened) {
        boolean gapMissing;
        Optional<ToleratedChoice> tolerated = tolerated(opened);
        Engine.Session session = tolerated
                .filter(ToleratedChoice::rises)
                .map(choice -> opened.with(choice.applied(opened.plan())))
                .orElse(opened);
        Plan plan = session.plan();
        // Read before training, so that a mistake in it does not cost the run.
        Optional<Dataset> testRows = Optional.ofNullable(test).map(session::test);
        Summary summary = new Summary();
        Training training = Training.of(session.source(), plan);
        if (resume) {
            training.resume(CheckpointFile.read(checkpoint, plugins.catalogues()));
        }
        if (checkpoint != null) {
            training.checkpoints(CHECKPOINT_EVERY, saved -> {
                CheckpointFile.write(checkpoint, saved);
                kept = "round " + saved.state().round() + " is saved in " + checkpoint
                        + "; --resume continues from there";
            });
        }
        try (PreparedRun prepared = session.prepare()) {
            OptimumGap.missing(prepared).filter(missing -> gapWanted).ifPresent(missing -> {
                throw new InputException(missing);
            });
            warnOfMoreThanIsProven(plan, prepared.allNames().size());
            warnOfTooManyLiars(plan, prepared.allNames().size());
            RoundHistory history = new RoundHistory();
            training.listener(history);
            TrainingRun run = run(training, prepared, plan.get(PlanKey.ROUNDS));
            Optional<Dataset> tested = testRows.or(run::heldOut);
            if (out != null) {
                prepared.pool()
                        .threads()
                        .call(() -> file(run, prepared, tested))
                        .write(out);
                kept = "the model is written to " + out;
            }
            RunReview review = prepared.pool().threads().call(() -> {
                RunReview.Values wanted = RunReview.Values.parse(values);
                return tolerated
                        .map(choice -> RunReview.of(run, prepared, tested, wanted, choice))
                        .orElseGet(() -> RunReview.of(run, prepared, tested, wanted));
            });
            // It takes passes over the rows, and only JSON and the page show it.
            Optional<Prediction> predicted = !json && report == null
                    ? Optional.empty()
                    : prepared.pool().threads().call(() -> Prediction.of(run, prepared));
            Optional<OptimumGap> gap = prepared.pool().threads().call(() -> gap(run, prepared));
            gapMissing = gapWanted && gap.isEmpty();
            System.out.print(prepared.pool()
                    .threads()
                    .call(() -> json
                            ? summary.json(review, prepared, tested, predicted, gap)
                            : summary.text(review, prepared, tested, gap)));
            if (report != null) {
                RunPage page = new RunPage(review, prepared, tested, history, predicted, gap, again());
                AtomicFile.write(report, prepared.pool().threads().call(page::html));
            }
        }
        if (out != null && !json) {
            System.out.println("model written to " + out);
        }
        if (report != null && !json) {
            System.out.println("report written to " + report);
        }
        return gapMissing ? ExitCode.STOPPED : ExitCode.OK;
    }

    /** Returns the model with what {@code predict --coverage} needs, if there are rows that it was not trained on. */
    private static ModelFile file(TrainingRun run, PreparedRun prepared, Optional<Dataset> tested) {
        ModelFile file = ModelFile.of(run);
        int tolerated = ResolvedPlan.tolerated(run.plan(), prepared.allNames().size());
        return tested.map(rows -> file.withConformal(ConformalScores.of(
                        run.model(), rows, tolerated, run.plan().seed())))
                .orElse(file);
    }

    /** Asks the workers once more, if that can give a bound. */
    private Optional<OptimumGap> gap(TrainingRun run, PreparedRun prepared) {
        if (OptimumGap.missing(prepared).isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OptimumGap.of(run, prepared));
        } catch (InputException e) {
            if (gapWanted) {
                System.err.println("holdfast: " + e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Compares sources before training; workers that are no sources have nothing to compare. */
    private Optional<ToleratedChoice> tolerated(Engine.Session session) {
        if (!session.plan().bySource()) {
            return Optional.empty();
        }
        try (Threads all = Threads.of(threads)) {
            return Optional.of(all.call(() -> ToleratedChoice.of(session.probe(), session.plan())));
        }
    }

    /** Returns the command that trains again: the arguments without those about what to write and print. */
    private String again() {
        List<String> command = new ArrayList<>(List.of("./holdfast", "train"));
        command.addAll(data);
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (!ABOUT_OUTPUT.contains(option.longestName())) {
                command.add(option.longestName());
                command.addAll(option.arity().max() == 0 ? List.of() : option.originalStringValues());
            }
        }
        return command.stream().map(ShellArgument::of).collect(Collectors.joining(" "));
    }

    /** Warns here and not in the rule, because comparisons of rules go beyond their limits on purpose. */
    private static void warnOfMoreThanIsProven(Plan plan, int workers) {
        ResolvedPlan.rule(plan, workers)
                .proof(workers)
                .filter(proof -> !proof.holds())
                .ifPresent(proof -> System.getLogger("holdfast.app")
                        .log(
                                System.Logger.Level.WARNING,
                                "nothing is proven about --rule {0} here: {1}",
                                plan.get(PlanKey.RULE),
                                proof.finding()));
    }

    private static void warnOfTooManyLiars(Plan plan, int workers) {
        int liars = ResolvedPlan.liars(plan, workers).length;
        int tolerated = ResolvedPlan.rule(plan, workers).tolerated();
        if (liars > tolerated) {
            System.getLogger("holdfast.app")
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} of {1} workers are simulated to lie, more than the {2} that the rule tolerates",
                            Integer.toString(liars),
                            Integer.toString(workers),
                            Integer.toString(tolerated));
        }
    }

    private TrainingRun run(Training training, PreparedRun prepared, int most) {
        try (Progress progress = new Progress(quiet)) {
            training.listener(round -> progress.show(
                    (double) round.state().round() / most,
                    String.format(
                            Locale.ROOT,
                            "round %d/%d, objective %.4f",
                            round.state().round(),
                            most,
                            round.state().lastObjective())));
            return InterruptibleWork.run(() -> training.run(prepared));
        }
    }

    private Plan plan() {
        Map<String, String> settings = PlanOptions.settings(spec, planFile, plugins.catalogues());
        Map<String, String> automatic = Plan.automatic().settings();
        Plan.automatic()
                .differences(Plan.defaults())
                .forEach(key -> settings.putIfAbsent(key.name(), automatic.get(key.name())));
        for (PlanKey<?> key : List.of(PlanKey.TEST_SOURCES, PlanKey.SPLIT_BY)) {
            Check.that(
                    test == null || settings.getOrDefault(key.name(), "").isEmpty(),
                    "give --test or %s, not both: each says which rows are tested",
                    key.flag());
        }
        if (test != null) {
            settings.put(PlanKey.TEST_SHARE.name(), "0");
        } else if (!settings.getOrDefault(PlanKey.TEST_SOURCES.name(), "").isEmpty()) {
            settings.putIfAbsent(PlanKey.TEST_SHARE.name(), "0");
        }
        return Plan.of(settings, plugins.catalogues());
    }
}
