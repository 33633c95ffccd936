package holdfast.app;

import holdfast.Check;
import holdfast.aggregate.NormScreening;
import holdfast.data.Dataset;
import holdfast.formats.AtomicFile;
import holdfast.formats.CheckpointFile;
import holdfast.formats.ModelFile;
import holdfast.formats.PlanFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.sources.SuspicionTest;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast train}: trains on a table. The options are the plan's keys. */
@Command(
        name = "train",
        description =
                "Trains on a table and says how the model does, also when the data shift, and what each worker did.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class TrainCommand implements Callable<Integer> {
    private static final int CHECKPOINT_EVERY = 50;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "DATA",
            description = "the table: a file, builtin:spambase, builtin:digits, or - for standard input")
    private String data;

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--print-plan", description = "show the effective plan and stop")
    private boolean printPlan;

    @Option(names = "--test", paramLabel = "FILE", description = "test on this file; then no rows are held out")
    private String test;

    @Option(names = "--out", paramLabel = "FILE", description = "write the model, its plan and its provenance")
    private Path out;

    @Option(names = "--checkpoint", paramLabel = "FILE", description = "save the run while it goes on")
    private Path checkpoint;

    @Option(names = "--resume", description = "go on from the checkpoint, to the same bits")
    private boolean resume;

    @Option(
            names = "--engine",
            paramLabel = "X",
            description = "where the workers are: local, or spark (default: local)")
    private String engine = "local";

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master (default: spark-submit's or local[*])")
    private String master;

    @Option(names = "--threads", paramLabel = "N", description = "threads; they change nothing in the result")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print the summary as JSON")
    private boolean json;

    @Option(names = "--quiet", description = "no progress and no warnings")
    private boolean quiet;

    /** What an interrupted run leaves; null if nothing. */
    private String kept;

    @Override
    public Integer call() {
        Plan plan = plan();
        if (printPlan) {
            System.out.print(PlanFile.print(plan));
            return Exit.OK;
        }
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        Check.that(!resume || checkpoint != null, "--resume needs --checkpoint FILE");
        mayBeReplaced("--out", out, data, test, planFile, checkpoint);
        mayBeReplaced("--checkpoint", checkpoint, data, test, planFile, out);
        Warnings.show(!quiet);
        try (Engine.Session session = Engine.named(engine).open(data, plan, master, threads)) {
            return train(session, session.plan());
        } catch (CancellationException e) {
            System.err.println("holdfast: interrupted" + (kept == null ? "" : "; " + kept));
            return Exit.INTERRUPTED;
        }
    }

    private int train(Engine.Session session, Plan plan) {
        // Before training: a mistake in it must not cost the run.
        Dataset testRows = test == null ? null : session.test(test);
        Summary summary = new Summary();
        Training training = Training.of(session.source(), plan);
        if (resume) {
            training.resume(CheckpointFile.read(checkpoint, plugins.catalogues()));
        }
        if (checkpoint != null) {
            training.checkpoints(CHECKPOINT_EVERY, saved -> {
                CheckpointFile.write(checkpoint, saved);
                kept = "round " + saved.state().round() + " is saved in " + checkpoint + ", and --resume goes on";
            });
        }
        try (PreparedRun engaged = session.engage()) {
            warnOfTooManyScreened(plan, engaged.names().size());
            warnOfTooManyLiars(plan, engaged.names().size());
            TrainingRun run = run(training, engaged, plan.get(PlanKey.ROUNDS));
            if (out != null) {
                ModelFile.of(run).write(out);
                kept = "the model is written to " + out;
            }
            Dataset tested = test == null ? run.heldOut() : testRows;
            boolean askSuspects = plan.bySource()
                    && plan.get(PlanKey.REPLICAS) == 1
                    && engaged.names().size() >= SuspicionTest.MIN_SOURCES;
            List<SuspicionTest.Finding> findings = askSuspects ? SuspicionTest.run(engaged) : List.of();
            System.out.print(engaged.pool()
                    .threads()
                    .call(() -> json
                            ? summary.json(run, engaged, tested, findings)
                            : summary.text(run, engaged, tested, findings)));
        }
        if (out != null && !json) {
            System.out.println("model written to " + out);
        }
        return Exit.OK;
    }

    /** Not where rules are compared, which goes beyond their limits on purpose. */
    private static void warnOfTooManyScreened(Plan plan, int workers) {
        if (plan.aggregator(workers) instanceof NormScreening rule && 3 * rule.tolerated() >= workers) {
            System.getLogger("holdfast.app")
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} of {1} workers are screened; norm screening bears less than a third of liars",
                            Integer.toString(rule.tolerated()),
                            Integer.toString(workers));
        }
    }

    private static void warnOfTooManyLiars(Plan plan, int workers) {
        int liars = plan.byzantine(workers).length;
        int tolerated = plan.aggregator(workers).tolerated();
        if (liars > tolerated) {
            System.getLogger("holdfast.app")
                    .log(
                            System.Logger.Level.WARNING,
                            "liars are simulated that the rule does not tolerate: {0} of {1} workers lie, at most {2} may",
                            Integer.toString(liars),
                            Integer.toString(workers),
                            Integer.toString(tolerated));
        }
    }

    private TrainingRun run(Training training, PreparedRun engaged, int most) {
        try (Progress progress = new Progress(quiet)) {
            training.listener(round -> progress.show(
                    (double) round.state().round() / most,
                    String.format(
                            Locale.ROOT,
                            "round %d/%d, objective %.4f",
                            round.state().round(),
                            most,
                            round.state().lastObjective())));
            Main.SAVES_ON_INTERRUPT.set(true);
            TrainingRun run = training.run(engaged);
            Main.SAVES_ON_INTERRUPT.set(false);
            return run;
        }
    }

    /** Fails if the output cannot be written, or would replace a file that is used otherwise. */
    static void mayBeReplaced(String flag, Path output, Object... others) {
        if (output == null) {
            return;
        }
        AtomicFile.requireBeWritable(output);
        for (Object other : others) {
            Check.that(
                    other == null || !same(output, Path.of(other.toString())),
                    "%s must be a file of its own, got %s, which is used otherwise",
                    flag,
                    output);
        }
    }

    private static boolean same(Path a, Path b) {
        try {
            return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize())
                    || Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
        } catch (IOException e) {
            return false;
        }
    }

    private Plan plan() {
        Map<String, String> settings = PlanOptions.settings(spec, planFile, plugins.catalogues());
        if (test != null) {
            settings.put(PlanKey.TEST_SHARE.name(), "0");
        }
        return Plan.of(settings, plugins.catalogues());
    }
}
