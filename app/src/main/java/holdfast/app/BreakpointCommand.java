package holdfast.app;

import holdfast.Check;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import holdfast.app.redteam.Breakpoints;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code holdfast breakpoint}: how many liars each rule bears. */
@Command(
        name = "breakpoint",
        description = "Finds for each rule the smallest share of liars that defeats it, beside the proven one.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
final class BreakpointCommand implements Callable<Integer> {
    private static final Plan STANDARD =
            Plan.defaults().with(PlanKey.WORKERS, 12).with(PlanKey.ROUNDS, 100).with(PlanKey.TOLERANCE, 0.0);

    private static final PlanKey<?>[] SEARCHED = {
        PlanKey.RULE, PlanKey.SCREENED, PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE
    };

    @CommandLine.Spec
    private CommandSpec spec;

    @Option(
            names = "--rules",
            paramLabel = "LIST",
            description = "such as \"median, norm-screening\" (default: the plan's, else all)")
    private String rules;

    @Option(names = "--data", paramLabel = "DATA", description = "the table to train on (default: builtin:spambase)")
    private String data = "builtin:spambase";

    @Option(names = "--plan", paramLabel = "FILE", description = "read settings of the trainings; flags override it")
    private Path planFile;

    @Option(names = "--seeds", paramLabel = "N", description = "trainings per number of liars (default: 3)")
    private int seeds = 3;

    @Option(names = "--threads", paramLabel = "N", description = "threads; they change nothing in the numbers")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Option(names = "--quiet", description = "no progress")
    private boolean quiet;

    /** The plan's own keys are options too, but for what is searched. */
    static CommandLine commandLine() {
        return PlanOptions.addTo(new BreakpointCommand(), STANDARD, SEARCHED);
    }

    @Override
    public Integer call() throws InterruptedException {
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        Map<String, String> settings = PlanOptions.settings(spec, planFile);
        List<String> chosen = chosen(settings);
        Plan plan = Bench.serving(chosen, plan(settings));
        Warnings.show(false);
        Table rows = DataFile.read(data, plan);
        Breakpoints search = new Breakpoints(chosen, plan, seeds, rows);
        List<Breakpoints.Found> found;
        try (Progress progress = new Progress(quiet)) {
            found = search.find(threads, share -> progress.show(share, chosen.size() + " rules"));
        }
        System.out.print(json ? Summary.print(search.json(found)) : search.text(found));
        return Exit.OK;
    }

    /** Those asked for, else the plan's, else all. */
    private List<String> chosen(Map<String, String> settings) {
        if (rules == null) {
            String own = settings.get(PlanKey.RULE.name());
            return own == null ? List.copyOf(Aggregators.rules(0).names()) : List.of(PlanKey.RULE.parse(own));
        }
        List<String> chosen =
                Spec.split(rules).stream().map(PlanKey.RULE::parse).toList();
        Check.that(!chosen.isEmpty(), "--rules must name at least one");
        Check.that(Set.copyOf(chosen).size() == chosen.size(), "--rules must name each rule once, got %s", rules);
        return chosen;
    }

    private static Plan plan(Map<String, String> settings) {
        Plan plan = STANDARD;
        for (Map.Entry<String, String> e : settings.entrySet()) {
            plan = plan.with(e.getKey(), e.getValue());
        }
        Check.that(plan.get(PlanKey.TEST_SHARE) > 0, "a breakpoint needs rows held out: test-share must be > 0");
        return plan.without(SEARCHED);
    }
}
