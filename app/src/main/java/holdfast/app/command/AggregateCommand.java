package holdfast.app.command;

import holdfast.Check;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.RuleFamily;
import holdfast.aggregate.WorkerUpdate;
import holdfast.formats.VectorFile;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.plan.Catalogues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code holdfast aggregate}: applies a rule once, to vectors from any program. */
@Command(
        name = "aggregate",
        description = {
            "Combines the vectors of several workers into one with a robust rule.",
            "Input: CSV with one vector per line, or .npy with one vector per row. Any other option, --KEY X, sets a"
                    + " parameter of the rule; holdfast rules lists them."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AggregateCommand implements Callable<Integer> {
    private static final int MAX_NAMED = 10;

    @CommandLine.Spec
    private CommandSpec command;

    @Option(
            names = "--rule",
            required = true,
            paramLabel = "RULE",
            description = "the rule, after pre-aggregators if you like: \"nnm + trimmed-mean\"")
    private String text;

    @Option(
            names = {"--tolerated", "--f"},
            paramLabel = "N",
            description =
                    "how many vectors may be lies (default: 0); a vector with NaN or Inf is rejected and counts as a lie")
    private Integer f;

    @Mixin
    private VectorPipe pipe;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "seed of the random numbers that some rules use (default: 1)")
    private long seed = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the result does not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--explain", description = "explain on standard error which vectors were kept and why")
    private boolean explain;

    @Mixin
    private PluginOption plugins;

    @Unmatched
    private List<String> free = new ArrayList<>();

    @Override
    public Integer call() {
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        List<Spec> chain = new ArrayList<>(Aggregators.specs(text));
        int last = chain.size() - 1;
        chain.set(last, FreeOptions.addTo(chain.get(last), plugins.catalogues().rules(), free, command));
        Aggregator rule = rule(chain);
        VectorFile file = pipe.read();
        int workers = file.vectors().size();
        Check.that(
                workers >= rule.minWorkers(),
                "%s: must have at least %d vectors for --tolerated %d, got %d",
                file.name(),
                rule.minWorkers(),
                rule.tolerated(),
                workers);
        Round round = new Round(
                0,
                workers,
                votes(file, rule.tolerated()),
                new double[file.vectors().get(0).length],
                Seed.of(seed),
                Carry.NONE,
                pipe.trusted(file));
        Aggregate made;
        try (Threads several = Threads.of(threads)) {
            made = rule.aggregate(round.on(several));
        }
        // Comes after the work: if there is an error, it must be the only line.
        if (f == null && rule.tolerated() == 0 && family(chain).tolerating(1).tolerated() == 1) {
            System.err.println("holdfast: warning: --tolerated is not given, so no vector is taken for a lie");
        }
        rejected(file)
                .forEach(worker -> System.err.println("holdfast: warning: " + file.name() + ": "
                        + file.places().get(worker) + " holds NaN or Inf: rejected, and counted as a lie"));
        if (explain) {
            System.err.print(explanation(chain, rule, file, made));
        }
        pipe.write(pipe.format(file).print(made.direction()));
        return ExitCode.OK;
    }

    private RuleFamily family(List<Spec> chain) {
        Catalogues known = plugins.catalogues();
        return Aggregators.choose(chain, known.rules(), known.preAggregators()).value();
    }

    private Aggregator rule(List<Spec> chain) {
        Aggregator rule = family(chain).tolerating(f == null ? 0 : f);
        Check.that(
                f == null || rule.tolerated() == f,
                "--tolerated must be %d for the rule %s, got %d",
                rule.tolerated(),
                print(chain),
                f);
        return rule;
    }

    private static String print(List<Spec> chain) {
        return chain.stream().map(Spec::toString).collect(Collectors.joining(" + "));
    }

    private static List<Integer> rejected(VectorFile file) {
        return IntStream.range(0, file.vectors().size())
                .filter(worker -> !Vectors.finite(file.vectors().get(worker)))
                .boxed()
                .toList();
    }

    private static List<WorkerUpdate> votes(VectorFile file, int budget) {
        List<Integer> rejected = rejected(file);
        Check.that(
                rejected.size() <= budget,
                "%s: at most %d vectors (--tolerated) may hold NaN or Inf, got %d: %s",
                file.name(),
                budget,
                rejected.size(),
                rejected.stream().limit(MAX_NAMED).map(file.places()::get).collect(Collectors.joining(", "))
                        + (rejected.size() > MAX_NAMED ? ", ..." : ""));
        return IntStream.range(0, file.vectors().size())
                .filter(worker -> Vectors.finite(file.vectors().get(worker)))
                .mapToObj(worker -> new WorkerUpdate(worker, file.vectors().get(worker)))
                .toList();
    }

    private static String explanation(List<Spec> chain, Aggregator rule, VectorFile file, Aggregate made) {
        int workers = file.vectors().size();
        Stream<String> kept = Arrays.stream(made.kept()).mapToObj(Integer::toString);
        Stream<String> others = IntStream.range(0, workers)
                .filter(w -> Arrays.binarySearch(made.kept(), w) < 0)
                .mapToObj(w -> w + " (" + file.places().get(w)
                        + (Vectors.finite(file.vectors().get(w)) ? ")" : ", NaN or Inf)"));
        return String.format(
                "rule      %s, tolerates %d of %d workers, numbered from 0%nkept      %s%nleft out  %s%nwhy       %s%n",
                print(chain), rule.tolerated(), workers, listed(kept), listed(others), made.explanation());
    }

    private static String listed(Stream<String> items) {
        String list = items.collect(Collectors.joining(", "));
        return list.isEmpty() ? "none" : list;
    }
}
