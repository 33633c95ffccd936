package holdfast.app.lab.paper;

import static holdfast.app.lab.paper.Figure.PAPER_RATE;
import static holdfast.app.lab.paper.Figure.STABLE_RATE;

import holdfast.app.lab.Statistic;
import holdfast.app.lab.paper.PaperResults.SplitResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements of the paper's Evaluation section, one by one and in our words, each with a criterion that can fail
 * and the numbers that decide it. One algorithm errs <i>clearly less</i> than another if the mean difference over the
 * seeds, which share rows, liars and start, is above two standard errors. What counts as small is measured by the
 * effect that the statement is about, the <i>gain</i>: how much less Algorithm 2 errs than NBS in E1. Results in which
 * the robust loss does nothing therefore fail.
 */
public final class Claims {
    /** As bad as the paper's own collapsed cells. */
    private static final double COLLAPSED = 0.45;
    /** Liars that add more than this share to an algorithm's error do unacceptable harm. */
    private static final double ACCEPTABLE = 0.25;
    /** The share of the gain that may be lost where the paper calls the result stable, insensitive or protected. */
    private static final double SMALL = 0.5;
    /** The share of the gain that few ascent steps may leave unused. */
    private static final double UNUSED = 0.1;
    /** The number of steps that the paper itself spends on a precise worst case, in Figure 3. */
    private static final int AFFORDABLE = 100;

    private static final List<String> ALL = List.of("E0", "E1", "E2", "E3", "E4");
    private static final List<String> ATTACKED = List.of("E1", "E2", "E3", "E4");
    private static final List<String> SCREENING = List.of("NBS", "Algorithm 2");
    private static final List<String> AVERAGING = List.of("ERM", "DRO");

    private final SplitResults r;
    private final double gain;

    private Claims(SplitResults r) {
        this.r = r;
        this.gain = r.mean("E1", "NBS") - r.mean("E1", "Algorithm 2");
    }

    /**
     * @param says the paper's statement
     * @param criterion when it counts as true
     * @param holds whether it does
     * @param numbers the measured values
     */
    public record Claim(String says, String criterion, boolean holds, String numbers) {}

    /** Checks all claims on one split, in the paper's order. */
    public static List<Claim> check(SplitResults r) {
        Claims c = new Claims(r);
        return List.of(
                c.aggressiveFavoursScreening(),
                c.intelligentIsTheOpposite(),
                c.averagingFails(),
                c.screeningIsAcceptable(),
                c.screeningIsSafer(),
                c.outperformsNbs(),
                c.risesSlowly(),
                c.protects(),
                c.collapsesBeyond(),
                c.stableInLambda(),
                c.fewStepsSuffice(),
                c.precisionIsCheap(),
                c.insensitive());
    }

    private Claim aggressiveFavoursScreening() {
        return new Claim(
                "The aggressive attack favours the screening algorithms (Algorithm 2, NBS) over DRO and ERM.",
                "in E1 and E2 both err clearly less than DRO and ERM",
                List.of("E1", "E2").stream()
                        .allMatch(e -> SCREENING.stream()
                                .allMatch(s -> AVERAGING.stream().allMatch(a -> less(e, s, a)))),
                row("E1") + "; " + row("E2"));
    }

    private Claim intelligentIsTheOpposite() {
        return new Claim(
                "Under the intelligent attack it is the opposite.",
                "in E3 and E4 DRO errs clearly less than Algorithm 2, and ERM than NBS",
                List.of("E3", "E4").stream().allMatch(e -> less(e, "DRO", "Algorithm 2") && less(e, "ERM", "NBS")),
                row("E3") + "; " + row("E4"));
    }

    private Claim averagingFails() {
        return new Claim(
                "DRO and ERM fail totally under the aggressive attack (and are left out of Figure 1 for that reason).",
                "both err above 0.45 in E1 and E2, as in the paper's table",
                List.of("E1", "E2").stream().allMatch(e -> AVERAGING.stream().allMatch(a -> r.mean(e, a) > COLLAPSED)),
                row("E1", "ERM", "DRO") + "; " + row("E2", "ERM", "DRO"));
    }

    private Claim screeningIsAcceptable() {
        List<String> numbers = new ArrayList<>();
        boolean holds = true;
        for (String e : List.of("E3", "E4")) {
            for (String a : SCREENING) {
                double[] honest = r.withoutLiars().get(e).get(a);
                double without = Statistic.of(honest).mean();
                double added = r.mean(e, a) / without - 1;
                holds &= less(honest, r.errors().get(e).get(a)) && added <= ACCEPTABLE;
                numbers.add(
                        format("%s: %s %.3f, without liars %.3f (%+.0f %%)", e, a, r.mean(e, a), without, 100 * added));
            }
        }
        return new Claim(
                "Algorithm 2 and NBS are degraded but acceptable under the intelligent attack.",
                "in E3 and E4 both err clearly more than under the same shift without liars, but by at most a quarter"
                        + " of that error",
                holds,
                String.join("; ", numbers));
    }

    private Claim screeningIsSafer() {
        return new Claim(
                "So Algorithm 2 and NBS are the safer choices under attack in general.",
                "the worst of E1 to E4 is clearly better for both of them than for DRO and for ERM",
                SCREENING.stream().allMatch(s -> AVERAGING.stream().allMatch(a -> less(worst(s), worst(a)))),
                "worst case: "
                        + String.join(
                                ", ",
                                List.of("ERM", "NBS", "DRO", "Algorithm 2").stream()
                                        .map(a -> format(
                                                "%s %.3f",
                                                a, Statistic.of(worst(a)).mean()))
                                        .toList()));
    }

    private Claim outperformsNbs() {
        return new Claim(
                "Algorithm 2 outperforms NBS in all tested scenarios.",
                "Algorithm 2 errs clearly less in each of E0 to E4",
                ALL.stream().allMatch(e -> less(e, "Algorithm 2", "NBS")),
                String.join(
                        "; ",
                        ALL.stream().map(e -> row(e, "NBS", "Algorithm 2")).toList()));
    }

    private Claim risesSlowly() {
        Figure one = r.figures().get(0);
        double slow = one.mean("Algorithm 2", 0.5) - one.mean("Algorithm 2", 0);
        double fast = one.mean("NBS", 0.5) - one.mean("NBS", 0);
        return new Claim(
                "Figure 1: with a growing shift the error of Algorithm 2 rises much more slowly than that of NBS.",
                "NBS's error rises from q = 0 to q = 0.5, and that of Algorithm 2 by less than half as much",
                fast > 0 && slow < fast / 2,
                format("rise of Algorithm 2 %.3f, of NBS %.3f", slow, fast));
    }

    private Claim protects() {
        Figure two = r.figures().get(1);
        double harm = most(two, "Algorithm 2", 0, 3) - two.mean("Algorithm 2", 0);
        return new Claim(
                "Figure 2: Algorithm 2 protects well while at most as many workers lie as are screened.",
                "3 liars collapse DRO, which does not screen, and 0 to 3 liars cost Algorithm 2 less than half of its"
                        + " gain over NBS in E1",
                two.mean("DRO", 3) > COLLAPSED && harm < SMALL * gain,
                format("liars cost %.3f, gain %.3f; DRO with 3 liars %.3f; ", harm, gain, two.mean("DRO", 3))
                        + liars(two));
    }

    private Claim collapsesBeyond() {
        Figure two = r.figures().get(1);
        return new Claim(
                "Figure 2: it collapses when more workers lie than are screened.",
                "it errs above 0.45 from 4 liars on",
                two.x().stream().filter(l -> l > 3).allMatch(l -> two.mean("Algorithm 2", l) > COLLAPSED),
                liars(two));
    }

    private Claim stableInLambda() {
        Figure three = r.figures().get(2);
        double spread = spread(three, STABLE_RATE, 1);
        return new Claim(
                "Figure 3: the result is stable in lambda unless lambda is overly small.",
                "with a rate at which the ascent converges, the errors over lambda >= 1 differ by less than half of"
                        + " Algorithm 2's gain over NBS in E1",
                spread < SMALL * gain,
                format("spread over lambda >= 1: %.3f, gain %.3f; ", spread, gain)
                        + lambdas(three, STABLE_RATE)
                        + "; eta_z = 0.05 throughout: "
                        + lambdas(three, PAPER_RATE));
    }

    private Claim fewStepsSuffice() {
        Figure four = r.figures().get(3);
        double none = four.mean("Algorithm 2", 0);
        double ten = four.mean("Algorithm 2", 10);
        double best = least(four, "Algorithm 2", 0);
        return new Claim(
                "Figure 4: good performance needs few ascent steps, T_z = 10 suffices.",
                "T_z = 10 has at least nine tenths of what the best T_z gains over T_z = 0",
                best < none && ten - best <= UNUSED * (none - best),
                format("T_z = 0: %.3f, T_z = 10: %.3f, best: %.3f", none, ten, best));
    }

    private Claim precisionIsCheap() {
        AscentPrecision precision = r.precision();
        List<AscentPrecision.Level> levels = precision.levels();
        boolean linear = levels.stream().allMatch(l -> l.steps() <= l.bound());
        int steps = levels.get(levels.size() - 1).steps();
        return new Claim(
                "So high precision of the worst case costs only moderately more computing.",
                "at the paper's rate no precision down to 1e-6 takes more steps than Section VI.D says, which is a"
                        + " constant number per digit, and 1e-6 takes at most the 100 steps of Figure 3",
                linear && steps <= AFFORDABLE,
                format(
                        "steps at eta_z = 0.05 for %s; at 1/lambda for 1e-06: %s; after T_z = 10 rows are up to %.2f off",
                        levels.stream()
                                .map(l -> format("%.0e: %s", l.epsilon(), count(l.steps())))
                                .collect(Collectors.joining(", ")),
                        count(levels.get(levels.size() - 1).fastSteps()),
                        precision.afterTen()));
    }

    private static String count(int steps) {
        return steps == AscentPrecision.NEVER ? "never" : Integer.toString(steps);
    }

    private Claim insensitive() {
        double lambdas = spread(r.figures().get(2), STABLE_RATE, 1);
        double steps = spread(r.figures().get(3), "Algorithm 2", 10);
        return new Claim(
                "Figures 3 and 4: the effectiveness is not sensitive to the hyper-parameters.",
                "over lambda >= 1 and over T_z >= 10 the errors differ by less than half of Algorithm 2's gain over"
                        + " NBS in E1",
                Math.max(lambdas, steps) < SMALL * gain,
                format("spread over lambda %.3f, over T_z %.3f, gain %.3f", lambdas, steps, gain));
    }

    private boolean less(String environment, String a, String b) {
        return less(
                r.errors().get(environment).get(a), r.errors().get(environment).get(b));
    }

    /** Whether a is below b by more than two standard errors of their mean difference over the seeds. */
    private static boolean less(double[] a, double[] b) {
        Statistic difference = Statistic.of(
                IntStream.range(0, a.length).mapToDouble(i -> b[i] - a[i]).toArray());
        return difference.mean() > 0 && difference.mean() > 2 * difference.sd() / Math.sqrt(a.length);
    }

    /** The largest of an algorithm's errors in E1 to E4, by seed. */
    private double[] worst(String algorithm) {
        return IntStream.range(0, r.errors().get("E1").get(algorithm).length)
                .mapToDouble(s -> ATTACKED.stream()
                        .mapToDouble(e -> r.errors().get(e).get(algorithm)[s])
                        .max()
                        .orElseThrow())
                .toArray();
    }

    private static double most(Figure figure, String series, double from, double to) {
        return figure.x().stream()
                .filter(x -> x >= from && x <= to)
                .mapToDouble(x -> figure.mean(series, x))
                .max()
                .orElseThrow();
    }

    private static double least(Figure figure, String series, double from) {
        return figure.x().stream()
                .filter(x -> x >= from)
                .mapToDouble(x -> figure.mean(series, x))
                .min()
                .orElseThrow();
    }

    private static double spread(Figure figure, String series, double from) {
        return most(figure, series, from, Double.POSITIVE_INFINITY) - least(figure, series, from);
    }

    private static String liars(Figure figure) {
        return String.join(
                ", ",
                figure.x().stream()
                        .map(l -> format("%.0f liars %.3f", l, figure.mean("Algorithm 2", l)))
                        .toList());
    }

    private static String lambdas(Figure figure, String series) {
        return String.join(
                ", ",
                figure.x().stream()
                        .map(x -> format("%s: %.3f", x < 1 ? x.toString() : format("%.0f", x), figure.mean(series, x)))
                        .toList());
    }

    private String row(String e) {
        return row(e, "ERM", "NBS", "DRO", "Algorithm 2");
    }

    private String row(String e, String... algorithms) {
        List<String> cells = new ArrayList<>();
        for (String a : algorithms) {
            cells.add(format("%s %.3f", a, r.mean(e, a)));
        }
        return e + ": " + String.join(", ", cells);
    }

    private static String format(String text, Object... args) {
        return String.format(Locale.ROOT, text, args);
    }
}
