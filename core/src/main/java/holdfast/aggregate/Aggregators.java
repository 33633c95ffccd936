package holdfast.aggregate;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** The rules a plan may name, alone or after pre-aggregators: {@code nnm + trimmed-mean(f=3)}. */
public final class Aggregators {
    /** A plus that is not inside parentheses, where it may belong to a number. */
    private static final Pattern PLUS = Pattern.compile("\\+(?![^(]*\\))");

    private static final Catalogue<RuleFamily> RULES = Catalogue.<RuleFamily>of("rule")
            .with(
                    "norm-screening",
                    "the paper's: drop the f longest updates, average the rest",
                    p -> rule(p, NormScreening::new))
            .with(
                    "norm-clipping",
                    "shorten the f longest updates to the next norm, average all",
                    p -> rule(p, NormClipping::new))
            .with(
                    "adaptive-screening",
                    "liars uncounted: drop norms above factor times the median, bar repeat offenders",
                    p -> {
                        double factor = p.number("factor", AdaptiveScreening.FACTOR);
                        double memory = p.number("memory", AdaptiveScreening.MEMORY);
                        return rule(p, f -> new AdaptiveScreening(f, factor, memory));
                    })
            .with("mean", "the mean of all updates; no protection", p -> f -> new Mean())
            .with("median", "the median of every coordinate", p -> rule(p, Median::new))
            .with(
                    "trimmed-mean",
                    "the mean of every coordinate without its f lowest and f highest values",
                    p -> rule(p, TrimmedMean::new))
            .with("geometric-median", "the point with the least sum of distances to all updates", p -> {
                double nu = p.number("nu", GeometricMedian.NU);
                int steps = p.integer("steps", GeometricMedian.STEPS);
                return rule(p, f -> new GeometricMedian(f, nu, steps));
            })
            .with("krum", "the one update nearest to its n-f-1 neighbours; blanchard: n-f-2", p -> {
                Krum.Neighbours neighbours = neighbours(p);
                return rule(p, f -> new Krum(f, neighbours));
            })
            .with("multi-krum", "the mean of the n-f updates that krum ranks first", p -> {
                Krum.Neighbours neighbours = neighbours(p);
                return rule(p, f -> new MultiKrum(f, neighbours));
            })
            .with(
                    "centered-clipping",
                    "steps from the last direction to the mean, each update's pull clipped to tau",
                    p -> {
                        double tau = p.number("tau", 100);
                        int steps = p.integer("steps", 1);
                        return rule(p, f -> new CenteredClipping(f, tau, steps));
                    })
            .with(
                    "mda",
                    "the mean of the n-f updates with the smallest diameter",
                    p -> rule(p, MinimumDiameterAveraging::new))
            .with("monna", "the mean of the n-f updates nearest to that of a trusted worker", p -> {
                int pivot = p.integer("pivot", 0);
                return rule(p, f -> new Monna(f, pivot));
            })
            .with(
                    "meamed",
                    "the mean of every coordinate's n-f values around the median",
                    p -> rule(p, MeanAroundMedian::new))
            .with(
                    "caf",
                    "filter along the direction of most spread, return the least spread mean",
                    p -> rule(p, Caf::new))
            .with(
                    "smea",
                    "the mean of the n - f updates that spread least in their worst direction",
                    p -> rule(p, Smea::new))
            .with(
                    "bulyan",
                    "krum picks n-2f updates, of which every coordinate's n-4f values around the median",
                    p -> rule(p, Bulyan::new))
            .with(
                    "iterative-filtering",
                    "filter until no direction spreads more than sigma (0: taken from the updates)",
                    p -> {
                        double sigma = p.number("sigma", 0);
                        return rule(p, f -> new IterativeFiltering(f, sigma));
                    })
            .with("dnc", "divide and conquer: drop factor f updates farthest along the direction of most spread", p -> {
                int iterations = p.integer("iterations", 1);
                int coordinates = p.integer("coordinates", 10_000);
                double factor = p.number("factor", 1);
                return rule(p, f -> new DivideAndConquer(f, iterations, coordinates, factor));
            })
            .with(
                    "signguard",
                    "keep usual norms and the largest cluster of sign counts, shorten to the median norm",
                    p -> rule(p, SignGuard::new))
            .with("sign-majority", "per coordinate the sign that most updates have", p -> rule(p, SignMajority::new))
            .with(
                    "fltrust",
                    "as long as the server's own gradient, weighted by agreement with it",
                    p -> rule(p, FlTrust::new));

    private static final Catalogue<PreAggregator> PRE_AGGREGATORS = Catalogue.<PreAggregator>of("pre-aggregator")
            .with("nnm", "every update becomes the mean of the n-f nearest to it", p -> new NearestNeighbourMixing())
            .with(
                    "bucketing",
                    "means of a few updates, drawn at random, instead of each",
                    p -> new Bucketing(p.integer("size", 2)))
            .with("clipping", "updates longer than c are scaled down to c", p -> new StaticClipping(p.number("c", 2)))
            .with(
                    "arc",
                    "the 2f(n-f)/n longest updates are scaled down to the next length",
                    p -> new AdaptiveRobustClipping());

    private Aggregators() {}

    public static Catalogue<RuleFamily> rules() {
        return RULES;
    }

    /** The pre-aggregators. Each prepares for as many arbitrary updates as the rule that follows it. */
    public static Catalogue<PreAggregator> preAggregators() {
        return PRE_AGGREGATORS;
    }

    /** Makes a rule with f from its parameter {@code tolerated}, if that is given. */
    private static RuleFamily rule(Catalogue.Parameters p, IntFunction<Aggregator> make) {
        OptionalInt own = p.optionalInteger("tolerated", "f");
        return f -> make.apply(own.orElse(f));
    }

    private static Krum.Neighbours neighbours(Catalogue.Parameters p) {
        return Krum.Neighbours.named(p.word("neighbours", "byzfl", "blanchard"));
    }

    /**
     * Makes the rule that a text names, from the catalogues here.
     *
     * @param f how many arbitrary updates to prepare for, if the rule's own parameter does not say
     * @throws InputException for unknown names and parameters
     */
    public static Aggregator create(String text, int f) {
        return choose(text, RULES, PRE_AGGREGATORS).value().tolerating(f);
    }

    /** Makes the rule that a text names, alone or after pre-aggregators. */
    public static Choice<RuleFamily> choose(
            String text, Catalogue<RuleFamily> rules, Catalogue<PreAggregator> preAggregators) {
        return choose(specs(text), rules, preAggregators);
    }

    /** Makes the rule of a chain, given in the parts that {@link #specs} returns. */
    public static Choice<RuleFamily> choose(
            List<Spec> specs, Catalogue<RuleFamily> rules, Catalogue<PreAggregator> preAggregators) {
        int last = specs.size() - 1;
        String name = specs.get(last).name();
        Check.that(
                !preAggregators.names().contains(name),
                "%s is a pre-aggregator and needs a rule after it, as in %s + median",
                name,
                name);
        Choice<RuleFamily> chosen = rules.choose(specs.get(last));
        for (int i = last - 1; i >= 0; i--) {
            Choice<PreAggregator> pre = preAggregators.choose(specs.get(i));
            RuleFamily rule = chosen.value();
            chosen = Choice.named(f -> new PreAggregated(pre.value(), rule.tolerating(f)), pre + " + " + chosen);
        }
        // Makes one now, so that a bad parameter is refused where it is read.
        chosen.value().tolerating(0);
        return chosen;
    }

    /** Wraps a rule given as an object, with its text in the catalogues if it has one. */
    public static Choice<RuleFamily> given(
            Aggregator rule, Catalogue<RuleFamily> rules, Catalogue<PreAggregator> preAggregators) {
        return new Choice<>(new GivenRule(rule), textOf(rule, rules, preAggregators));
    }

    private record GivenRule(Aggregator object) implements RuleFamily, Choice.OfObject {
        @Override
        public Aggregator tolerating(int f) {
            return object;
        }
    }

    private static Optional<String> textOf(
            Aggregator rule, Catalogue<RuleFamily> rules, Catalogue<PreAggregator> preAggregators) {
        if (rule instanceof PreAggregated chain) {
            return preAggregators
                    .specOf(chain.pre())
                    .flatMap(pre -> textOf(chain.rule(), rules, preAggregators).map(after -> pre + " + " + after));
        }
        return rules.specOf(rule, family -> family.tolerating(0)).map(Spec::toString);
    }

    /** Splits a rule's text into its parts: pre-aggregators in the order they are applied, then the rule. */
    public static List<Spec> specs(String text) {
        return Arrays.stream(PLUS.split(text, -1)).map(Spec::parse).toList();
    }
}
