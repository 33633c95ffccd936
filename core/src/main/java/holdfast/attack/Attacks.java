package holdfast.attack;

import holdfast.Catalogue;
import java.util.Arrays;
import java.util.List;

/** The attacks a plan may name. */
public final class Attacks {
    private Attacks() {}

    /** Liars who tell the truth. */
    public static final UpdateAttack NONE = Attacks::truth;

    private static final Catalogue<Attack> CATALOGUE = Catalogue.<Attack>of("attack")
            .with("none", "liars tell the truth", p -> NONE)
            .with(
                    "aggressive",
                    "the paper's: minus factor times the mean of all truthful updates",
                    p -> new Aggressive(p.number("factor", 10)))
            .with(
                    "intelligent",
                    "the paper's: a random direction, share times as long as the mean",
                    p -> new Intelligent(p.number("share", 0.8)))
            .with("sign-flip", "minus the mean of the honest", p -> new InnerProduct(1))
            .with(
                    "gaussian",
                    "normal noise, drawn by each liar",
                    p -> new Gaussian(p.number("mu", 0), p.number("sigma", 1)))
            .with("inf", "infinite elements; refused", p -> new NonFinite(Double.POSITIVE_INFINITY))
            .with("nan", "elements that are no numbers; refused", p -> new NonFinite(Double.NaN))
            .with("huge", "against the honest mean, finite but huge", p -> new Huge(p.number("size", 1e300)))
            .with(
                    "ipm",
                    "inner product manipulation: minus tau times the mean of the honest",
                    p -> new InnerProduct(p.number("tau", 2)))
            .with(
                    "alie",
                    "a little is enough: mean plus tau standard deviations of the honest",
                    p -> new ALittle(p.number("tau", 1.5)))
            .with(
                    "mimic",
                    "a copy of one honest update; worker counts the honest from 0, round and round",
                    p -> new Mimic(p.integer("worker", 0)))
            .with(
                    "min-max",
                    "off the mean, no farther from any honest than two honest are apart",
                    p -> new MinMax(perturbation(p)))
            .with(
                    "min-sum",
                    "off the mean, no farther from all honest than some honest is",
                    p -> new MinSum(perturbation(p)))
            .with(
                    "fang",
                    "just beyond the honest extremes, or as far back as Krum lets pass",
                    p -> p.word("against", "trimmed-mean", "krum").equals("krum")
                            ? new FangKrum()
                            : new FangTrimmedMean())
            .with(
                    "optimised-ipm",
                    "ipm with the tau that errs most under the actual rule",
                    p -> new Optimised(InnerProduct::new, p.integer("tries", 20)))
            .with(
                    "optimised-alie",
                    "alie with the tau that errs most under the actual rule",
                    p -> new Optimised(ALittle::new, p.integer("tries", 20)))
            .with("below-cut", "the strongest on norm screening: backwards, just short enough", p -> new BelowCut())
            .with(
                    "below-cut-optimised",
                    "below-cut with direction and scale tried on the actual rule",
                    p -> new BelowCutOptimised(p.integer("tries", 4)))
            .with("strongest", "the worst of a portfolio under the actual rule, round by round", p -> new Strongest())
            .with(
                    "label-flip",
                    "on data: a share of the labels is turned round",
                    p -> new LabelFlip(p.number("share", 1)))
            .with("feature-noise", "on data: normal noise on every feature", p -> new FeatureNoise(p.number("sd", 3)))
            .with(
                    "backdoor",
                    "on data: a share of the rows get a trigger, a scaled value in a feature counted from 0, and the target label",
                    p -> new Backdoor(
                            p.number("share", 0.5),
                            p.integer("column", 0),
                            p.number("value", 5),
                            p.integer("target", 1)))
            .with(
                    "duplicate",
                    "on data: a share of the rows is repeated until it dominates",
                    p -> new Duplicate(p.number("share", 0.1), p.integer("times", 10)))
            .with(
                    "units",
                    "on raw data: numbers times a factor, in a share of the columns",
                    p -> new Units(p.number("factor", 1000), p.number("share", 1)))
            .with(
                    "wild-row",
                    "on raw data: one row with a far value in every column",
                    p -> new WildRow(p.number("value", 1e6)))
            .with(
                    "sentinel",
                    "on raw data: a share of the numbers become a value that stands for missing",
                    p -> new Sentinel(p.number("share", 0.3), p.number("value", -999)))
            .with(
                    "category-flood",
                    "on raw data: in text columns, every row has a category of its own",
                    p -> new CategoryFlood())
            .with(
                    "wild-weights",
                    "on raw data: one row, or all, far heavier than any other",
                    p -> new WildWeights(
                            p.number("value", 1e12),
                            p.word("rows", "one", "all").equals("all")
                                    ? WildWeights.Extent.ALL
                                    : WildWeights.Extent.ONE))
            .with(
                    "label-noise",
                    "on raw data: a share of the labels drawn at random",
                    p -> new LabelNoise(p.number("share", 1)))
            .with(
                    "label-shift",
                    "on raw data: the next class, or numbers times a factor plus some standard deviations",
                    p -> new LabelShift(p.number("shift", 3), p.number("factor", 1)))
            .with(
                    "against-preparation",
                    "on raw data: values that move the scaling most, no more extreme than honest workers'",
                    p -> new AgainstPreparation());

    public static Catalogue<Attack> catalogue() {
        return CATALOGUE;
    }

    private static Perturbation perturbation(Catalogue.Parameters p) {
        return Perturbation.parse(p.word("direction", "std", "sign", "unit"));
    }

    private static List<double[]> truth(AttackContext context) {
        return Arrays.stream(context.byzantine())
                .mapToObj(b -> context.truth().updates().stream()
                        .filter(v -> v.worker() == b)
                        .findFirst()
                        .map(v -> v.vector().clone())
                        .orElseGet(context::trueMean))
                .toList();
    }
}
