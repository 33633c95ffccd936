package holdfast.app;

import holdfast.Check;
import holdfast.app.redteam.Journal;
import holdfast.app.redteam.RedTeam;
import holdfast.app.redteam.RedTeamPlan;
import holdfast.app.redteam.RedTeamReport;
import holdfast.app.redteam.RedTeamResults;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast redteam}: the worst case of every rule over attacks and shifts. */
@Command(
        name = "redteam",
        description = {
            "Trains every rule against every attack and measures it under every shift: what is the worst case of each?",
            "A run that was stopped goes on where it was when the same command is given again."
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
            description = "a plan.yaml: training settings, and lists for rules, attacks, shifts and liars")
    private Path planFile;

    @Option(names = "--data", paramLabel = "DATA", description = "the table (default: builtin:spambase)")
    private String data;

    @Option(
            names = "--rules",
            paramLabel = "LIST",
            description = "such as \"median, nnm + trimmed-mean\" (default: all)")
    private String rules;

    @Option(names = "--attacks", paramLabel = "LIST", description = "such as \"alie(tau=1), below-cut\" (default: all)")
    private String attacks;

    @Option(
            names = "--shifts",
            paramLabel = "LIST",
            description = "such as \"none, l2(budget=0.5)\" (default: none, l1, l2, linf(budget=0.05), noise)")
    private String shifts;

    @Option(names = "--liars", paramLabel = "LIST", description = "numbers of liars (default: 1, 3)")
    private String liars;

    @Option(names = "--seeds", paramLabel = "N", description = "how many seeds (default: 3)")
    private String seeds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder for redteam.html, redteam.json and the journal (default: redteam)")
    private Path out = Path.of("redteam");

    @Option(names = "--threads", paramLabel = "N", description = "threads; they change nothing in the numbers")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--fresh", description = "do everything again, also what the journal knows")
    private boolean fresh;

    @Option(names = "--quiet", description = "no progress")
    private boolean quiet;

    /** The plan's own keys are options too, but for those that are lists here. */
    static CommandLine commandLine() {
        return PlanOptions.addTo(
                new RedTeamCommand(),
                RedTeamPlan.STANDARD,
                PlanKey.RULE,
                PlanKey.ATTACK,
                PlanKey.LIARS,
                PlanKey.BYZANTINE);
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
                System.err.println("holdfast: " + done + " of " + all + " trainings were done before");
            }
            results = team.run(threads, journal, share -> progress.show(share, all + " trainings"));
        }
        RedTeamReport report = new RedTeamReport(results);
        System.out.print(report.text());
        AtomicFile.write(numbers, Summary.print(results.json()));
        AtomicFile.write(page, report.html());
        System.out.println("\nreport: " + page.toAbsolutePath().normalize());
        return Exit.OK;
    }

    private RedTeamPlan plan() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (planFile != null) {
            settings.putAll(PlanFile.read(planFile, RedTeamPlan::of));
        }
        settings.putAll(PlanOptions.given(spec));
        for (String key : RedTeamPlan.KEYS) {
            String value = spec.commandLine().getParseResult().matchedOptionValue("--" + key, (String) null);
            if (value != null) {
                settings.put(key, value);
            }
        }
        return RedTeamPlan.of(settings);
    }
}
