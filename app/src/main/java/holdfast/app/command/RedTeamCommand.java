package holdfast.app.command;

import holdfast.Check;
import holdfast.app.lab.redteam.Journal;
import holdfast.app.lab.redteam.RedTeam;
import holdfast.app.lab.redteam.RedTeamPlan;
import holdfast.app.lab.redteam.RedTeamResults;
import holdfast.app.report.JsonText;
import holdfast.app.report.RedTeamReport;
import holdfast.data.Table;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.formats.PlanFile;
import holdfast.plan.PlanKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast redteam}: finds the worst case of every rule over attacks and shifts. */
@Command(
        name = "redteam",
        description = {
            "Trains every rule against every attack, tests it under every shift, and reports the worst case of each rule.",
            "The same command continues a run that was stopped."
        },
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class RedTeamCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "PLAN",
            description = "a plan.yaml: training settings, and lists of rules, attacks, shifts and liars")
    private Path planFile;

    @Option(names = "--data", paramLabel = "DATA", description = "the table (default: builtin:spambase)")
    private String data;

    @Option(
            names = "--rules",
            paramLabel = "LIST",
            description = "the rules to try, such as \"median, nnm + trimmed-mean\" (default: all)")
    private String rules;

    @Option(
            names = "--attacks",
            paramLabel = "LIST",
            description = "the attacks to try, such as \"alie(tau=1), below-cut\" (default: all)")
    private String attacks;

    @Option(
            names = "--shifts",
            paramLabel = "LIST",
            description =
                    "the shifts to test under, such as \"none, l2(budget=0.5)\" (default: none; worst cases l1, l2, linf(budget=0.05);"
                            + " natural shifts noise, drift, missing and, with two classes, prior)")
    private String shifts;

    @Option(names = "--liars", paramLabel = "LIST", description = "the numbers of liars to try (default: 1, 3)")
    private String liars;

    @Option(names = "--seeds", paramLabel = "N", description = "number of seeds to train with (default: 3)")
    private String seeds;

    @Option(
            names = "--source-groups",
            paramLabel = "N",
            description =
                    "with --workers-by, also test each of N groups of sources by a model trained on the others; 0: do not (default: 10, or as many as there are sources)")
    private String sourceGroups;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder for redteam.html, redteam.json and the journal (default: redteam)")
    private Path out = Path.of("redteam");

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the numbers do not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private PluginOption plugins;

    @Option(names = "--fresh", description = "repeat all trainings, including those in the journal")
    private boolean fresh;

    @Option(names = "--quiet", description = "print no progress")
    private boolean quiet;

    /** Adds an option for every setting of a plan, except those that are lists here. */
    static CommandLine commandLine() {
        return PlanOptions.addTo(
                new RedTeamCommand(), RedTeamPlan.STANDARD, PlanOptions.simulationAnd(PlanKey.RULE, PlanKey.INTERVALS));
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        RedTeamPlan plan = plan();
        Warnings.show(false);
        Table rows = DataFile.read(plan.data(), plan.training());
        RedTeam team = new RedTeam(plan, rows);
        Path folder = AtomicFile.folder(out);
        Path page = folder.resolve("redteam.html");
        Path numbers = folder.resolve("redteam.json");
        Path journalFile = folder.resolve("redteam.journal");
        AtomicFile.requireBeWritable(page);
        AtomicFile.requireBeWritable(numbers);
        AtomicFile.requireBeWritable(journalFile);
        RedTeamResults results;
        try (Journal journal = Journal.open(journalFile, team.experiment(), fresh);
                Progress progress = new Progress(quiet)) {
            int done = team.done(journal);
            int all = team.trainings();
            if (done > 0 && !quiet) {
                System.err.println("holdfast: " + done + " of " + all + " trainings are done already");
            }
            results = team.run(threads, journal, share -> progress.show(share, all + " trainings"));
        }
        RedTeamReport report = new RedTeamReport(results);
        System.out.print(report.text());
        AtomicFile.write(numbers, JsonText.print(report.json()));
        AtomicFile.write(page, report.html());
        System.out.println("\nreport: " + page.toAbsolutePath().normalize());
        return ExitCode.OK;
    }

    private RedTeamPlan plan() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (planFile != null) {
            settings.putAll(PlanFile.read(planFile, given -> RedTeamPlan.of(given, plugins.catalogues())));
        }
        settings.putAll(PlanOptions.given(spec));
        for (String key : RedTeamPlan.KEYS) {
            String value = spec.commandLine().getParseResult().matchedOptionValue("--" + key, (String) null);
            if (value != null) {
                settings.put(key, value);
            }
        }
        return RedTeamPlan.of(settings, plugins.catalogues());
    }
}
