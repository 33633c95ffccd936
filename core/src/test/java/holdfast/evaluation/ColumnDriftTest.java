package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.ScoreShift;
import holdfast.certificate.ShiftCurve;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.model.LinearModel;
import holdfast.model.Models;
import holdfast.objective.WeightedL2;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.RowSummary;
import holdfast.preparation.Scaling;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ColumnDriftTest {
    private static Dataset rows(List<String> features, int n, IntFunction<double[]> row, IntFunction<Double> label) {
        DatasetBuilder builder = new DatasetBuilder(features.size());
        for (int r = 0; r < n; r++) {
            builder.add(row.apply(r), label.apply(r), 0, 1);
        }
        return builder.build(new Schema(features, "y", List.of("a", "b"), List.of()), DataSource.MEMORY);
    }

    private static TrainedModel model(Encoding encoding, List<String> features, double[] theta, Scaling scaling) {
        return new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                theta,
                encoding,
                scaling,
                LabelScaling.NONE,
                new Schema(features, "y", List.of("a", "b"), List.of()),
                0.5);
    }

    private static RowSummary summary(TrainedModel model, Dataset rows) {
        return RowSummary.of(rows, model.scaling(), AcrossSources.POOLED).orElseThrow();
    }

    /** scipy.stats.wasserstein_distance and numpy's mean squared difference of sorted values, scipy 1.17.1. */
    @Test
    void distancesAreThoseOfScipy() {
        List<String> names = List.of("x");
        Dataset before = rows(names, 20, i -> new double[] {(7 * i * i + 3 * i) % 101}, r -> 0.0);
        Dataset now = rows(names, 20, i -> new double[] {(11 * i * i + 5 * i + 2) % 97}, r -> 0.0);
        TrainedModel model = model(Encoding.NONE, names, new double[] {-0.5, 1}, Scaling.none(1));
        ColumnDrift found = ColumnDrift.of(model, summary(model, before), now).get(0);
        assertThat(found.distance()).isCloseTo(W1, within(1e-12));
        assertThat(2 * found.cost()).isCloseTo(W2, within(1e-9));
        assertThat(found.shift()).isCloseTo(SHIFT, within(1e-12));
        assertThat(found.effect()).isCloseTo(0.5 * W1, within(1e-12));
        assertThat(found.meanEffect()).isCloseTo(-0.5 * SHIFT, within(1e-12));
        assertThat(found.outside()).isZero();
    }

    private static final double W1 = 10.85;
    private static final double W2 = 169.55;
    private static final double SHIFT = 10.25;

    /** scipy.stats.wasserstein_distance([0.7, -0.4, 1.3], same, [.5, .3, .2], [.2, .3, .5]). */
    @Test
    void aTextColumnMovesScoresAsFarAsItsCategoriesContribute() {
        Encoding encoding =
                new Encoding(List.of(new Encoding.Column("site", List.of("n", "s", "w"), List.of(), false)));
        int[] then = {5, 8, 10};
        int[] now = {2, 5, 10};
        IntFunction<IntFunction<double[]>> words = which -> r -> {
            int[] until = which == 0 ? then : now;
            double[] x = new double[3];
            int k = 0;
            while (r % 10 >= until[k]) {
                k++;
            }
            x[k] = 1;
            return x;
        };
        for (Scaling scaling : List.of(
                Scaling.none(3),
                new Scaling(Scaling.Kind.STANDARDISE, new double[] {.5, .3, .2}, new double[] {.5, .25, .4}))) {
            double[] theta = {0.7, -0.4, 1.3, 0.2};
            for (int i = 0; i < 3; i++) {
                theta[i] *= scaling.divisors()[i];
            }
            TrainedModel model = model(encoding, encoding.features(), theta, scaling);
            Dataset before = rows(encoding.features(), 100, words.apply(0), r -> 0.0);
            ColumnDrift found = ColumnDrift.of(
                            model, summary(model, before), rows(encoding.features(), 60, words.apply(1), r -> 0.0))
                    .get(0);
            assertThat(found.text()).isTrue();
            assertThat(found.distance()).isCloseTo(0.3, within(1e-12));
            assertThat(found.effect()).isCloseTo(0.18, within(1e-12));
            assertThat(found.meanEffect()).isCloseTo(0.18, within(1e-12));
        }
    }

    /** The cheapest of all one-to-one assignments, which is the cheapest coupling of as many rows (Birkhoff). */
    private static double cheapest(double[][] a, double[][] b, int from) {
        if (from == a.length) {
            double cost = 0;
            for (int j = 0; j < a.length; j++) {
                for (int i = 0; i < a[j].length; i++) {
                    cost += (a[j][i] - b[j][i]) * (a[j][i] - b[j][i]) / 2 / a.length;
                }
            }
            return cost;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int j = from; j < b.length; j++) {
            double[] swapped = b[from];
            b[from] = b[j];
            b[j] = swapped;
            best = Math.min(best, cheapest(a, b, from + 1));
            b[j] = b[from];
            b[from] = swapped;
        }
        return best;
    }

    @Test
    void noAssignmentIsCheaperThanWhatColumnsAndScoresShow() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(6);
            int d = 1 + random.nextInt(3);
            List<String> names = IntStream.range(0, d).mapToObj(i -> "x" + i).toList();
            double[] move = random.gaussians(d);
            Dataset before = rows(names, n, r -> random.gaussians(d), r -> (double) (r % 2));
            Dataset now = rows(
                    names,
                    n,
                    r -> {
                        double[] x = random.gaussians(d);
                        Arrays.setAll(x, i -> 1.5 * x[i] + move[i]);
                        return x;
                    },
                    r -> 0.0);
            Scaling scaling = new Scaling(
                    Scaling.Kind.STANDARDISE,
                    random.gaussians(d),
                    Arrays.stream(random.gaussians(d))
                            .map(x -> 0.5 + Math.abs(x))
                            .toArray(),
                    2);
            TrainedModel model = model(Encoding.NONE, names, random.gaussians(d + 1), scaling);
            double cheapest = cheapest(scaled(scaling, before), scaled(scaling, now), 0);
            double columns = ColumnDrift.cost(ColumnDrift.of(model, summary(model, before), now));
            assertThat(columns).isLessThanOrEqualTo(cheapest + 1e-12).isNotNegative();
            assertThat(ScoreShift.cost(model, before, now).orElseThrow()).isLessThanOrEqualTo(cheapest + 1e-12);
            if (d == 1 && n == 1) {
                assertThat(columns).isCloseTo(cheapest, within(1e-12));
            }
            if (d == 1) {
                assertThat(ScoreShift.cost(model, before, now).orElseThrow()).isCloseTo(cheapest, within(1e-9));
            }
        });
    }

    private static double[][] scaled(Scaling scaling, Dataset rows) {
        Dataset scaled = scaling.apply(rows);
        return IntStream.range(0, rows.rows()).mapToObj(scaled::row).toArray(double[][]::new);
    }

    /** The sentence about the certificate: rows with labels by the rank of their score have at most that loss. */
    @Test
    void theCertificateCoversRowsWithTheLabelsOfTheSameRank() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int n = 5 + random.nextInt(40);
            List<String> names = List.of("x", "y", "z");
            double[] move = random.gaussians(3);
            Dataset before = rows(names, n, r -> random.gaussians(3), r -> (double) random.nextInt(2));
            Dataset now = rows(
                    names,
                    n,
                    r -> {
                        double[] x = random.gaussians(3);
                        Arrays.setAll(x, i -> x[i] + move[i]);
                        return x;
                    },
                    r -> 0.0);
            TrainedModel model = model(Encoding.NONE, names, random.gaussians(4), Scaling.none(3));
            double rho = ScoreShift.cost(model, before, now).orElseThrow();
            double[] old = model.scores(before);
            double[] fresh = model.scores(now);
            int[] oldOrder = order(old);
            int[] newOrder = order(fresh);
            double[] label = new double[n];
            for (int k = 0; k < n; k++) {
                label[newOrder[k]] = before.label(oldOrder[k]);
            }
            LinearModel logistic = (LinearModel) model.model();
            double loss = now.relabel(j -> label[j]).blocks().stream()
                            .mapToDouble(block -> logistic.loss(model.theta(), block))
                            .sum()
                    / n;
            ShiftCurve curve = ShiftCurve.of(model, before, WeightedL2.EQUAL);
            assertThat(loss).isLessThanOrEqualTo(curve.at(rho).certified() + 1e-12);
        });
    }

    private static int[] order(double[] scores) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> scores[j]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** No figure is a test: ten times the same rows are no farther away. */
    @Test
    void moreOfTheSameRowsChangeNothing() {
        List<String> names = List.of("x", "y");
        Randomness random = Seed.of(5).random();
        double[][] all =
                IntStream.range(0, 50).mapToObj(r -> random.gaussians(2)).toArray(double[][]::new);
        TrainedModel model = model(Encoding.NONE, names, new double[] {1, 2, 0}, Scaling.none(2));
        RowSummary before = summary(model, rows(names, 30, r -> random.gaussians(2), r -> 0.0));
        ColumnDrift once = ColumnDrift.of(model, before, rows(names, 50, r -> all[r], r -> 0.0))
                .get(0);
        ColumnDrift often = ColumnDrift.of(model, before, rows(names, 500, r -> all[r % 50], r -> 0.0))
                .get(0);
        assertThat(often.column()).isEqualTo(once.column());
        assertThat(often.effect()).isCloseTo(once.effect(), within(1e-12));
        assertThat(often.cost()).isCloseTo(once.cost(), within(1e-12));
    }

    /** By hand: p = sigma(0), sigma(2), sigma(-1); the threshold 0.5 flags the first two. */
    @Test
    void theEstimatedErrorFollowsFromProbabilities() {
        TrainedModel model = model(Encoding.NONE, List.of("x"), new double[] {1, 0}, Scaling.none(1));
        double[] x = {0, 2, -1};
        EstimatedError found = EstimatedError.of(
                        model.predict(rows(List.of("x"), 3, r -> new double[] {x[r]}, r -> 0.0)))
                .orElseThrow();
        double p1 = 1 / (1 + Math.exp(-2));
        double p2 = 1 / (1 + Math.exp(1));
        assertThat(found.error()).isCloseTo((0.5 + 1 - p1 + p2) / 3, within(1e-12));
        assertThat(found.share()).isCloseTo((0.5 + p1 + p2) / 3, within(1e-12));
        assertThat(found.precision()).isCloseTo((0.5 + p1) / 2, within(1e-12));
        assertThat(found.recall()).isCloseTo((0.5 + p1) / (0.5 + p1 + p2), within(1e-12));
    }
}
