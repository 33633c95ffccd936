package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import holdfast.app.lab.paper.PaperResults.SplitResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The statements of the paper's Evaluation section, one by one and in our words, each with a criterion that can fail
 * and the numbers that decide it.
 */
public final class Claims {
    /** The error of predicting the majority class for every row of Spambase; a model above it is useless. */
    private static final double MAJORITY = 1813.0 / 4601;
    /** As bad as the paper's own collapsed cells. */
    private static final double COLLAPSED = 0.45;

    private Claims() {}

    /**
     * @param says the paper's statement
     * @param criterion when it counts as true
     * @param holds whether it does
     * @param numbers the measured values
     */
    public record Claim(String says, String criterion, boolean holds, String numbers) {}

    /** Checks all claims on one split, in the paper's order. */
    public static List<Claim> check(SplitResults r) {
        List<Claim> claims = new ArrayList<>();
        claims.add(new Claim(
                "The aggressive attack favours the screening algorithms (Algorithm 2, NBS) over DRO and ERM.",
                "in E1 and E2 both err less than DRO and ERM",
                screeningWins(r, "E1") && screeningWins(r, "E2"),
                row(r, "E1") + "; " + row(r, "E2")));
        claims.add(new Claim(
                "Under the intelligent attack it is the opposite.",
                "in E3 and E4 DRO errs less than Algorithm 2, and ERM less than NBS",
                opposite(r, "E3") && opposite(r, "E4"),
                row(r, "E3") + "; " + row(r, "E4")));
        claims.add(new Claim(
                "DRO and ERM fail totally under the aggressive attack (and are left out of Figure 1 for that reason).",
                "both err above 0.45 in E1 and E2",
                least(r, List.of("E1", "E2"), List.of("ERM", "DRO")) > COLLAPSED,
                row(r, "E1", "ERM", "DRO") + "; " + row(r, "E2", "ERM", "DRO")));
        claims.add(new Claim(
                "Algorithm 2 and NBS are degraded but acceptable under the intelligent attack.",
                "both err more than in E0, and less than the majority guess (0.394), in E3 and E4",
                most(r, List.of("E3", "E4"), List.of("NBS", "Algorithm 2")) < MAJORITY
                        && least(r, List.of("E3", "E4"), List.of("NBS")) > r.mean("E0", "NBS")
                        && least(r, List.of("E3", "E4"), List.of("Algorithm 2")) > r.mean("E0", "Algorithm 2"),
                row(r, "E3", "NBS", "Algorithm 2") + "; " + row(r, "E4", "NBS", "Algorithm 2")));
        List<String> attacked = List.of("E1", "E2", "E3", "E4");
        double screening = most(r, attacked, List.of("NBS", "Algorithm 2"));
        double plain = Math.min(most(r, attacked, List.of("ERM")), most(r, attacked, List.of("DRO")));
        claims.add(new Claim(
                "So Algorithm 2 and NBS are the safer choices under attack in general.",
                "the worst case over E1 to E4 is better for either of them than for DRO and for ERM",
                screening < plain,
                format("worst case: NBS or Algorithm 2 %.3f, the better of ERM and DRO %.3f", screening, plain)));
        List<String> all = List.of("E0", "E1", "E2", "E3", "E4");
        claims.add(new Claim(
                "Algorithm 2 outperforms NBS in all tested scenarios.",
                "Algorithm 2 errs less in each of E0 to E4",
                all.stream().allMatch(e -> r.mean(e, "Algorithm 2") < r.mean(e, "NBS")),
                String.join(
                        "; ",
                        all.stream().map(e -> row(r, e, "NBS", "Algorithm 2")).toList())));
        Figure one = r.figures().get(0);
        double slow = one.mean("Algorithm 2", 0.5) - one.mean("Algorithm 2", 0);
        double fast = one.mean("NBS", 0.5) - one.mean("NBS", 0);
        claims.add(new Claim(
                "Figure 1: with a growing shift the error of Algorithm 2 rises much more slowly than that of NBS.",
                "from q = 0 to q = 0.5 it rises at most half as much",
                slow <= fast / 2,
                format("rise of Algorithm 2 %.3f, of NBS %.3f", slow, fast)));
        Figure two = r.figures().get(1);
        double within = two.x().stream()
                .filter(liars -> liars <= 3)
                .mapToDouble(liars -> two.mean("Algorithm 2", liars))
                .max()
                .orElseThrow();
        claims.add(new Claim(
                "Figure 2: Algorithm 2 protects well while at most as many workers lie as are screened.",
                "with 0 to 3 liars it errs at most 0.05 more than with none",
                within <= two.mean("Algorithm 2", 0) + 0.05,
                liars(two)));
        claims.add(new Claim(
                "Figure 2: it collapses when more workers lie than are screened.",
                "it errs above 0.45 from 4 liars on",
                two.x().stream().filter(liars -> liars > 3).allMatch(l -> two.mean("Algorithm 2", l) > COLLAPSED),
                liars(two)));
        Figure three = r.figures().get(2);
        double flat = spread(three, 1);
        claims.add(new Claim(
                "Figure 3: the result is stable in lambda unless lambda is overly small.",
                "over lambda >= 1 the errors differ by at most 0.05",
                flat <= 0.05,
                format(
                        "spread over lambda >= 1: %.3f; error at lambda = 0.1: %.3f",
                        flat, three.mean("Algorithm 2", 0.1))));
        Figure four = r.figures().get(3);
        double best = four.series().get("Algorithm 2").stream()
                .mapToDouble(Statistic::mean)
                .min()
                .orElseThrow();
        double ten = four.mean("Algorithm 2", 10);
        claims.add(new Claim(
                "Figure 4: good performance needs few ascent steps, T_z = 10 suffices.",
                "T_z = 10 errs at most 0.01 more than the best T_z",
                ten <= best + 0.01,
                format("T_z = 10: %.3f, best: %.3f", ten, best)));
        double hundred = four.mean("Algorithm 2", 100);
        claims.add(new Claim(
                "So high precision of the worst case costs only moderately more computing.",
                "ten times the steps lower the error by at most 0.01",
                ten - hundred <= 0.01,
                format("T_z = 10: %.3f, T_z = 100: %.3f", ten, hundred)));
        double steps = spread(four, 10);
        claims.add(new Claim(
                "Figures 3 and 4: the effectiveness is not sensitive to the hyper-parameters.",
                "both curves differ by at most 0.05 over lambda >= 1 and over T_z >= 10",
                Math.max(flat, steps) <= 0.05,
                format("spread over lambda %.3f, over T_z %.3f", flat, steps)));
        return claims;
    }

    private static boolean screeningWins(SplitResults r, String e) {
        return Math.max(r.mean(e, "NBS"), r.mean(e, "Algorithm 2")) < Math.min(r.mean(e, "ERM"), r.mean(e, "DRO"));
    }

    private static boolean opposite(SplitResults r, String e) {
        return r.mean(e, "DRO") < r.mean(e, "Algorithm 2") && r.mean(e, "ERM") < r.mean(e, "NBS");
    }

    private static double most(SplitResults r, List<String> environments, List<String> algorithms) {
        return environments.stream()
                .flatMapToDouble(e -> algorithms.stream().mapToDouble(a -> r.mean(e, a)))
                .max()
                .orElseThrow();
    }

    private static double least(SplitResults r, List<String> environments, List<String> algorithms) {
        return environments.stream()
                .flatMapToDouble(e -> algorithms.stream().mapToDouble(a -> r.mean(e, a)))
                .min()
                .orElseThrow();
    }

    private static double spread(Figure figure, double from) {
        double[] means = figure.x().stream()
                .filter(x -> x >= from)
                .mapToDouble(x -> figure.mean("Algorithm 2", x))
                .sorted()
                .toArray();
        return means[means.length - 1] - means[0];
    }

    private static String liars(Figure figure) {
        return String.join(
                ", ",
                figure.x().stream()
                        .map(l -> format("%.0f liars %.3f", l, figure.mean("Algorithm 2", l)))
                        .toList());
    }

    private static String row(SplitResults r, String e) {
        return row(r, e, "ERM", "NBS", "DRO", "Algorithm 2");
    }

    private static String row(SplitResults r, String e, String... algorithms) {
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
