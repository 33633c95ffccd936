package holdfast.certificate;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * How badly a model did on labelled rows that took no part in training, by source: what {@link ConformalThreshold}s are
 * made from. At most f sources may be liars, whose scores are anything.
 *
 * <p>For classes, a score is 1 - p_y, p_y the model's probability of the row's class; without probabilities, it is by how
 * much the score of y is below the largest other one. For numbers it is |y - prediction|, in the label's own unit.
 *
 * <p>A source counts by its number of scores, so a liar could count as much as it likes. That is why {@link #of} draws at
 * most {@value #MAX_PER_SOURCE} of each.
 *
 * @param tolerated f; 0 if rows name no source
 * @param sources the names of the sources; empty if rows name none
 * @param scores of each source, ascending, at least one; of all rows together if they name no source
 */
public record ConformalScores(int tolerated, List<String> sources, List<double[]> scores) {
    /** How many scores of a source are drawn at most. */
    public static final int MAX_PER_SOURCE = 200;

    /** How many scores of all sources are drawn at most; but every source keeps one. */
    public static final int MAX_IN_ALL = 20_000;

    /** How many scores are drawn at most if rows name no source. */
    public static final int MAX_WITHOUT_SOURCES = 2000;

    private static final int MAX_DECIMALS = 9;

    public ConformalScores {
        Check.that(tolerated >= 0, "conformal scores: tolerated must be >= 0, got %d", tolerated);
        Check.that(
                sources.isEmpty() ? scores.size() == 1 && tolerated == 0 : scores.size() == sources.size(),
                "conformal scores: there must be one list of scores per source, got %d for %d",
                scores.size(),
                sources.size());
        Check.that(
                sources.stream().distinct().count() == sources.size(),
                "conformal scores: the sources must have different names");
        sources = List.copyOf(sources);
        scores = scores.stream().map(double[]::clone).toList();
        for (double[] own : scores) {
            Arrays.sort(own);
            Check.that(
                    own.length > 0 && Arrays.stream(own).noneMatch(Double::isNaN),
                    "conformal scores: every source must have a score, and none may be NaN");
        }
    }

    /**
     * Scores rows and draws some of each source.
     *
     * @param rows labelled rows that the model was not trained on, unscaled
     * @param tolerated how many of the sources may be liars; not used if rows name no source
     */
    public static ConformalScores of(TrainedModel model, Dataset rows, int tolerated, Seed seed) {
        Seed drawn = seed.child("conformal");
        if (!rows.hasGroups()) {
            int[] all = IntStream.range(0, rows.rows()).toArray();
            return new ConformalScores(
                    0, List.of(), List.of(scores(model, rows, some(all, MAX_WITHOUT_SOURCES, drawn))));
        }
        List<int[]> bySource = rows.rowsBySource();
        int present = (int) bySource.stream().filter(own -> own.length > 0).count();
        int most = Math.max(1, Math.min(MAX_PER_SOURCE, MAX_IN_ALL / present));
        List<String> names = new ArrayList<>();
        List<double[]> scores = new ArrayList<>();
        for (int s = 0; s < bySource.size(); s++) {
            if (bySource.get(s).length > 0) {
                String name = rows.schema().groups().get(s);
                names.add(name);
                scores.add(scores(model, rows, some(bySource.get(s), most, drawn.child(name))));
            }
        }
        return new ConformalScores(tolerated, names, scores);
    }

    private static int[] some(int[] rows, int most, Seed seed) {
        return rows.length <= most
                ? rows
                : Arrays.stream(seed.random().choose(most, rows.length))
                        .map(i -> rows[i])
                        .toArray();
    }

    private static double[] scores(TrainedModel model, Dataset rows, int[] chosen) {
        Dataset some = rows.select(chosen);
        Predictions said = model.predict(some);
        return IntStream.range(0, some.rows())
                .mapToDouble(r -> of(said, r, some.label(r)))
                .toArray();
    }

    /** Returns the score of a row if this is its label. */
    static double of(Predictions said, int row, double label) {
        int k = said.classes();
        if (k == 0) {
            return Math.abs(label - said.label(row));
        }
        if (said.hasProbabilities()) {
            return 1 - said.probabilities(row)[(int) label];
        }
        if (k == 2) {
            return label == 1 ? -said.score(row) : said.score(row);
        }
        double others = IntStream.range(0, k)
                .filter(c -> c != (int) label)
                .mapToDouble(c -> said.scores()[row * k + c])
                .max()
                .orElseThrow();
        return others - said.scores()[row * k + (int) label];
    }

    /** Returns how many scores there are. */
    public int rows() {
        return scores.stream().mapToInt(own -> own.length).sum();
    }

    /**
     * Returns the threshold for a row exchangeable with the honest rows: the smallest t with
     *
     * <pre>sum_i d_i(t) - (the f largest d_i(t)) &gt;= 1 - a,  d_i(t) = #{scores of i &lt;= t} - (1-a) N_i.</pre>
     *
     * So sum over H of #{scores &lt;= t} &gt;= (1-a)(N_H + 1) for every H that f sources are missing from: t is at least the
     * threshold of split conformal prediction on the honest rows alone (Vovk et al. 2005). If fewer than f lie it is, too:
     * the f largest d_i are then above 0.
     *
     * @param level 1 - a
     * @throws InputException if there are too few rows for the level
     */
    public ConformalThreshold forPool(double level) {
        BigDecimal share = share(level);
        BigInteger p = share.unscaledValue();
        BigInteger q = BigInteger.TEN.pow(share.scale());
        int n = scores.stream()
                .mapToInt(own -> own.length)
                .sorted()
                .limit(Math.max(0, scores.size() - tolerated))
                .sum();
        requirePossible(
                share,
                n,
                tolerated == 0
                        ? "rows: there are " + n
                        : "rows: without the " + tolerated + " largest of the sources, which may lie, there are " + n);
        double t = smallest(
                (i, below) -> q.multiply(BigInteger.valueOf(below))
                        .subtract(p.multiply(BigInteger.valueOf(scores.get(i).length))),
                p);
        return new ConformalThreshold(
                level,
                t,
                sources.isEmpty()
                        ? "a row like the " + rows() + " calibration rows, if none of these was forged"
                        : "a row like the calibration rows of the honest sources together, if " + assumed());
    }

    /**
     * Returns the threshold for a row of a new source that was drawn as the honest ones were: the smallest t at which the m -
     * f smallest F_i(t), source i's shares of scores &lt;= t, have a sum of at least (1-a)(m - f + 1). Sources, not rows, are
     * exchangeable here (hierarchical conformal prediction: Dunn, Wasserman, Ramdas 2023; Lee, Barber, Willett 2024). If
     * fewer than f lie, each further F_i is at least 1 - a, which is all that it must add.
     *
     * @param level 1 - a
     * @throws InputException if there are too few sources for the level
     */
    public ConformalThreshold forNewSource(double level) {
        requireSources("new-source");
        BigDecimal share = share(level);
        BigInteger p = share.unscaledValue();
        BigInteger q = BigInteger.TEN.pow(share.scale());
        int honest = Math.max(0, scores.size() - tolerated);
        requirePossible(share, honest, "sources: there are " + sources.size() + ", of which " + tolerated + " may lie");
        // Shares with one denominator: sums of them compare exactly.
        BigInteger common = scores.stream()
                .map(own -> BigInteger.valueOf(own.length))
                .distinct()
                .reduce(BigInteger.ONE, (a, b) -> a.multiply(b).divide(a.gcd(b)));
        double t = smallest(
                (i, below) -> q.multiply(common)
                        .multiply(BigInteger.valueOf(below))
                        .divide(BigInteger.valueOf(scores.get(i).length)),
                p.multiply(common).multiply(BigInteger.valueOf(honest + 1L)));
        return new ConformalThreshold(level, t, "a row of a new source like the honest ones, if " + assumed());
    }

    /**
     * Returns the threshold for a row exchangeable with the rows of a source: its ceil((1-a)(N + 1))-th smallest score. It
     * holds if this source is honest, whatever the others do.
     *
     * @param level 1 - a
     * @throws InputException if there is no such source, or it has too few rows for the level
     */
    public ConformalThreshold forSource(String name, double level) {
        requireSources(name);
        int s = sources.indexOf(name);
        Check.that(
                s >= 0,
                "--coverage-for must be pool, new-source or a source with held-out rows, got '%s'; known: %s",
                name,
                String.join(", ", sources));
        double[] own = scores.get(s);
        BigDecimal share = share(level);
        requirePossible(share, own.length, "rows of source " + name + ": there are " + own.length);
        int k = share.multiply(BigDecimal.valueOf(own.length + 1L))
                .setScale(0, RoundingMode.CEILING)
                .intValueExact();
        return new ConformalThreshold(
                level,
                own[k - 1],
                "a row of source " + name + " like its " + own.length + " calibration rows, if that source is honest");
    }

    private String assumed() {
        return (tolerated == 0 ? "none" : "at most " + tolerated) + " of " + sources.size() + " sources "
                + (tolerated <= 1 ? "lies" : "lie") + " (" + rows() + " calibration rows)";
    }

    private void requireSources(String wanted) {
        Check.that(
                !sources.isEmpty(),
                "--coverage-for %s needs rows that name their source, and these do not; use pool",
                wanted);
    }

    private static BigDecimal share(double level) {
        Check.that(level > 0 && level < 1, "--coverage must be between 0 and 1, got %s", level);
        // The decimal number that was meant: 0.9 (N + 1) must not be rounded up because of 0.9000000000000000222.
        BigDecimal share = BigDecimal.valueOf(level);
        Check.that(
                share.scale() <= MAX_DECIMALS, "--coverage must have at most %d decimals, got %s", MAX_DECIMALS, level);
        return share;
    }

    /**
     * Checks that 1 - a &lt;= n/(n+1): beyond that, every label would have to be in every set.
     *
     * @param wanted what more is needed of, and how many there are
     */
    private static void requirePossible(BigDecimal share, int n, String wanted) {
        Check.that(
                share.multiply(BigDecimal.valueOf(n + 1L)).compareTo(BigDecimal.valueOf(n)) <= 0,
                "--coverage %s needs more %s, so that at most %s is possible",
                share,
                wanted,
                BigDecimal.valueOf(n).divide(BigDecimal.valueOf(n + 1L), 4, RoundingMode.DOWN));
    }

    /**
     * Returns the smallest score t at which the m - f smallest values have at least a sum. It exists.
     *
     * @param value of a source of whose scores this many are &lt;= t; grows with that number
     */
    private double smallest(BiFunction<Integer, Integer, BigInteger> value, BigInteger sum) {
        double[] all = scores.stream()
                .flatMapToDouble(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        int low = 0;
        int high = all.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            double t = all[middle];
            BigInteger reached = IntStream.range(0, scores.size())
                    .mapToObj(i -> value.apply(i, below(scores.get(i), t)))
                    .sorted()
                    .limit(scores.size() - tolerated)
                    .reduce(BigInteger.ZERO, BigInteger::add);
            if (reached.compareTo(sum) >= 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return all[low];
    }

    /** Returns how many of the ascending scores are at most t. */
    private static int below(double[] scores, double t) {
        int low = 0;
        int high = scores.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (scores[middle] <= t) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
