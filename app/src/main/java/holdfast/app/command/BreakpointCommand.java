package holdfast.app.command;

import holdfast.Check;
import holdfast.Spec;
import holdfast.app.lab.Testbed;
import holdfast.app.lab.redteam.Breakpoints;
import holdfast.app.report.BreakpointReport;
import holdfast.app.report.JsonText;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Statistics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code holdfast breakpoint}: finds how many liars defeat each rule. */
@Command(
        name = "breakpoint",
        description = "Finds the smallest share of liars that defeats each rule, and shows the proven share beside it.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class BreakpointCommand implements Callable<Integer> {
    /**
     * A breakpoint is a rule's alone, and its liars forge updates or poison prepared rows. So what is learnt beforehand
     * must not depend on how many liars the rule is told of, which differs from one number of liars to the next.
     */
    private static final Plan STANDARD = Plan.defaults()
            .with(PlanKey.WORKERS, 12)
            .with(PlanKey.STATISTICS, Statistics.POOLED)
            .with(PlanKey.ROUNDS, 100)
            .with(PlanKey.TOLERANCE, 0.0);

    /** The search decides who lies and how, and which rule tolerates how many liars; it shows no coefficients. */
    private static final List<PlanKey<?>> SEARCHED =
            PlanOptions.simulationAnd(PlanKey.RULE, PlanKey.TOLERATED, PlanKey.INTERVALS);

    @CommandLine.Spec
    private CommandSpec spec;

    @Option(
            names = "--rules",
            paramLabel = "LIST",
            description = "the rules to try, such as \"median, norm-screening\" (default: the plan's rule, or all)")
    private String rules;

    @Option(names = "--data", paramLabel = "DATA", description = "the table to train on (default: builtin:spambase)")
    private String data = "builtin:spambase";

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings from a plan.yaml; flags override it")
    private Path planFile;

    @Option(names = "--seeds", paramLabel = "N", description = "number of seeds to train with (default: 3)")
    private int seeds = 3;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the numbers do not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private PluginOption plugins;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Option(names = "--quiet", description = "print no progress")
    private boolean quiet;

    /** Adds an option for every setting of a plan, except those that are searched over. */
    static CommandLine commandLine() {
        return PlanOptions.addTo(new BreakpointCommand(), STANDARD, SEARCHED);
    }

    @Override
    public Integer call() throws InterruptedException {
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        Map<String, String> settings = PlanOptions.settings(spec, planFile);
        List<String> chosen = chosen(settings);
        Plan plan = Testbed.serving(chosen, plan(settings));
        Warnings.show(false);
        Table rows = DataFile.read(data, plan);
        Breakpoints search = new Breakpoints(chosen, plan, seeds, rows);
        List<Breakpoints.RuleBreakpoint> found;
        try (Progress progress = new Progress(quiet)) {
            found = search.find(threads, share -> progress.show(share, chosen.size() + " rules"));
        }
        BreakpointReport report = new BreakpointReport(search, found);
        System.out.print(json ? JsonText.print(report.json()) : report.text());
        return ExitCode.OK;
    }

    /** Returns the rules of {@code --rules}, or the plan's, or all. */
    private List<String> chosen(Map<String, String> settings) {
        if (rules == null) {
            String own = settings.get(PlanKey.RULE.name());
            return own == null ? List.copyOf(plugins.catalogues().rules().names()) : List.of(ruleText(own));
        }
        List<String> chosen = Spec.split(rules).stream().map(this::ruleText).toList();
        Check.that(!chosen.isEmpty(), "--rules must name at least one rule");
        Check.that(Set.copyOf(chosen).size() == chosen.size(), "--rules must name each rule once, got %s", rules);
        return chosen;
    }

    private String ruleText(String text) {
        return PlanKey.RULE.parse(text, plugins.catalogues()).toString();
    }

    private Plan plan(Map<String, String> settings) {
        Plan plan = STANDARD.with(plugins.catalogues());
        for (Map.Entry<String, String> e : settings.entrySet()) {
            plan = plan.with(e.getKey(), e.getValue());
        }
        Check.that(
                plan.get(PlanKey.TEST_SHARE) > 0,
                "--test-share must be > 0: breakpoints are measured on held-out rows");
        return plan.without(SEARCHED);
    }
}
