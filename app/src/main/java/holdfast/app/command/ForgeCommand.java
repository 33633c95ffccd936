package holdfast.app.command;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.Attack;
import holdfast.attack.AttackContext;
import holdfast.attack.UpdateAttack;
import holdfast.formats.VectorFile;
import holdfast.math.Vectors;
import holdfast.plan.Catalogues;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code holdfast forge}: prints what liars would send if they saw these honest vectors. */
@Command(
        name = "forge",
        description = {
            "Prints the vectors that liars would send if they knew the honest ones, one per liar.",
            "Input: CSV with one vector per line, or .npy with one vector per row. Any other option, --KEY X, sets a"
                    + " parameter of the attack; holdfast attacks lists them."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ForgeCommand implements Callable<Integer> {
    private static final int MAX_LIARS = 1_000_000;

    @CommandLine.Spec
    private CommandSpec command;

    @Option(names = "--attack", required = true, paramLabel = "ATTACK", description = "the attack")
    private String text;

    @Option(names = "--liars", paramLabel = "N", description = "how many vectors to forge (default: 1)")
    private int liars = 1;

    @Mixin
    private VectorPipe pipe;

    @Option(
            names = "--rule",
            paramLabel = "RULE",
            description = "the rule to defeat, for attacks that depend on it (default: norm-screening)")
    private String rule = "norm-screening";

    @Option(
            names = {"--tolerated", "--f"},
            paramLabel = "N",
            description = "how many liars that rule tolerates (default: --liars)")
    private Integer f;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "seed of the random numbers that some attacks use (default: 1)")
    private long seed = 1;

    @Mixin
    private PluginOption plugins;

    @Unmatched
    private List<String> free = new ArrayList<>();

    @Override
    public Integer call() {
        Catalogues known = plugins.catalogues();
        Catalogue<Attack> catalogue = known.attacks();
        Spec spec = FreeOptions.addTo(Spec.parse(text), catalogue, free, command);
        Attack attack = catalogue.create(spec);
        if (!(attack instanceof UpdateAttack forger)) {
            throw new InputException("--attack must forge updates, but " + spec.name()
                    + " poisons data; attacks that forge updates: " + String.join(", ", forging(catalogue)));
        }
        Check.that(liars >= 1 && liars <= MAX_LIARS, "--liars must be 1 to %d, got %d", MAX_LIARS, liars);
        Aggregator defence = Aggregators.choose(rule, known.rules(), known.preAggregators())
                .value()
                .tolerating(f == null ? liars : f);
        Check.that(
                f == null || defence.tolerated() == f,
                "--tolerated must be %d for the rule %s, got %d",
                defence.tolerated(),
                rule,
                f);
        VectorFile file = pipe.read();
        List<double[]> forged = forger.forge(situation(file, defence));
        pipe.write(pipe.format(file).print(forged));
        return ExitCode.OK;
    }

    private static List<String> forging(Catalogue<Attack> catalogue) {
        return catalogue.names().stream()
                .filter(name -> catalogue.create(Spec.parse(name)) instanceof UpdateAttack)
                .toList();
    }

    /**
     * The liars come after the honest workers. They have no data, so the round without lies has no update of theirs.
     */
    private AttackContext situation(VectorFile file, Aggregator defence) {
        List<WorkerUpdate> honest = new ArrayList<>();
        for (double[] vector : file.vectors()) {
            Check.that(
                    Vectors.finite(vector),
                    "%s: %s: honest vectors must be finite, got NaN or Inf",
                    file.name(),
                    file.places().get(honest.size()));
            honest.add(new WorkerUpdate(honest.size(), vector));
        }
        int workers = honest.size() + liars;
        double[] theta = new double[honest.get(0).vector().length];
        Round truth = new Round(0, workers, honest, theta, Seed.of(seed), Carry.NONE, pipe.trusted(file));
        int[] byzantine = IntStream.range(honest.size(), workers).toArray();
        return new AttackContext(truth, byzantine, defence, Seed.of(seed).child("attack"));
    }
}
