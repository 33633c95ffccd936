package holdfast.aggregate;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The rules a plan may name, alone or after pre-aggregators: {@code nnm + trimmed-mean(f=3)}. */
public final class Aggregators {
    /** A plus that is not inside parentheses, where it may belong to a number. */
    private static final Pattern PLUS = Pattern.compile("\\+(?![^(]*\\))");

    private Aggregators() {}

    /** @param f how many arbitrary updates to prepare for, where the rule's own parameter does not say */
    public static Catalogue<Aggregator> rules(int f) {
        return Catalogue.<Aggregator>of("rule")
                .with(
                        "norm-screening",
                        "the paper's: drop the f longest updates, average the rest",
                        p -> new NormScreening(p.integer("f", f)))
                .with(
                        "norm-clipping",
                        "shorten the f longest updates to the next norm, average all",
                        p -> new NormClipping(p.integer("f", f)))
                .with(
                        "adaptive-screening",
                        "liars uncounted: drop norms above factor times the median, bar repeat offenders",
                        p -> new AdaptiveScreening(p.integer("f", f), p.number("factor", 3), p.number("memory", 0.01)))
                .with("mean", "the mean of all updates; no protection", p -> new Mean())
                .with("median", "the median of every coordinate", p -> new Median(p.integer("f", f)))
                .with(
                        "trimmed-mean",
                        "the mean of every coordinate without its f lowest and f highest values",
                        p -> new TrimmedMean(p.integer("f", f)))
                .with(
                        "geometric-median",
                        "the point with the least sum of distances to all updates",
                        p -> new GeometricMedian(p.integer("f", f), p.number("nu", 1e-6), p.integer("steps", 200)))
                .with(
                        "krum",
                        "the one update nearest to its n-f-1 neighbours; blanchard: n-f-2",
                        p -> new Krum(p.integer("f", f), neighbours(p)))
                .with(
                        "multi-krum",
                        "the mean of the n-f updates that krum ranks first",
                        p -> new MultiKrum(p.integer("f", f), neighbours(p)))
                .with(
                        "centered-clipping",
                        "steps from the last direction to the mean, each update's pull clipped to tau",
                        p -> new CenteredClipping(p.integer("f", f), p.number("tau", 100), p.integer("steps", 1)))
                .with(
                        "mda",
                        "the mean of the n-f updates with the smallest diameter",
                        p -> new MinimumDiameterAveraging(p.integer("f", f)))
                .with(
                        "monna",
                        "the mean of the n-f updates nearest to that of a trusted worker",
                        p -> new Monna(p.integer("f", f), p.integer("pivot", 0)))
                .with(
                        "meamed",
                        "the mean of every coordinate's n-f values around the median",
                        p -> new MeanAroundMedian(p.integer("f", f)))
                .with(
                        "caf",
                        "filter along the direction of most spread, return the least spread mean",
                        p -> new Caf(p.integer("f", f)))
                .with(
                        "smea",
                        "the mean of the n - f updates that spread least in their worst direction",
                        p -> new Smea(p.integer("f", f)))
                .with(
                        "bulyan",
                        "krum picks n-2f updates, of which every coordinate's n-4f values around the median",
                        p -> new Bulyan(p.integer("f", f)))
                .with(
                        "iterative-filtering",
                        "filter until no direction spreads more than sigma (0: taken from the updates)",
                        p -> new IterativeFiltering(p.integer("f", f), p.number("sigma", 0)))
                .with(
                        "dnc",
                        "divide and conquer: drop factor f updates farthest along the direction of most spread",
                        p -> new DivideAndConquer(
                                p.integer("f", f),
                                p.integer("iterations", 1),
                                p.integer("coordinates", 10_000),
                                p.number("factor", 1)))
                .with(
                        "signguard",
                        "keep usual norms and the largest cluster of sign counts, shorten to the median norm",
                        p -> new SignGuard(p.integer("f", f)))
                .with(
                        "sign-majority",
                        "per coordinate the sign that most updates have",
                        p -> new SignMajority(p.integer("f", f)))
                .with(
                        "fltrust",
                        "as long as the server's own gradient, weighted by agreement with it",
                        p -> new FlTrust(p.integer("f", f)));
    }

    private static Krum.Neighbours neighbours(Catalogue.Parameters p) {
        return Krum.Neighbours.named(p.word("neighbours", "byzfl", "blanchard"));
    }

    /** They prepare for as many arbitrary updates as the rule they serve. */
    public static Catalogue<PreAggregator> preAggregators() {
        return Catalogue.<PreAggregator>of("pre-aggregator")
                .with(
                        "nnm",
                        "every update becomes the mean of the n-f nearest to it",
                        p -> new NearestNeighbourMixing())
                .with(
                        "bucketing",
                        "means of a few updates, drawn at random, instead of each",
                        p -> new Bucketing(p.integer("size", 2)))
                .with(
                        "clipping",
                        "updates longer than c are scaled down to c",
                        p -> new StaticClipping(p.number("c", 2)))
                .with(
                        "arc",
                        "the 2f(n-f)/n longest updates are scaled down to the next length",
                        p -> new AdaptiveRobustClipping());
    }

    /**
     * The rule that a text names.
     *
     * @throws InputException for unknown names and parameters
     */
    public static Aggregator create(String text, int f) {
        return create(specs(text), f);
    }

    /** The rule of a chain, as {@link #specs} takes it apart. */
    public static Aggregator create(List<Spec> specs, int f) {
        int last = specs.size() - 1;
        String name = specs.get(last).name();
        Check.that(
                !preAggregators().names().contains(name),
                "%s is a pre-aggregator and needs a rule after it, as in %s + median",
                name,
                name);
        Aggregator rule = rules(f).create(specs.get(last));
        for (int i = last - 1; i >= 0; i--) {
            rule = new PreAggregated(preAggregators().create(specs.get(i)), rule);
        }
        return rule;
    }

    /** The parts of a rule's text: pre-aggregators in the order they are applied, then the rule. */
    public static List<Spec> specs(String text) {
        return Arrays.stream(PLUS.split(text, -1)).map(Spec::parse).toList();
    }
}
