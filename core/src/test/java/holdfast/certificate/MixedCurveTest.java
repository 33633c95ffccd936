package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.ShiftCurve.Point;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.evaluation.Calibration;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.LinearScores;
import holdfast.model.Models;
import holdfast.objective.Box;
import holdfast.objective.CategoryColumn;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.MixedCost;
import holdfast.objective.PricedCost;
import holdfast.objective.Prices;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates where categories of some columns change as a whole, against all combinations of them. */
class MixedCurveTest {
    private static final List<String> WORDS = List.of("east", "north", "south", "west");

    /** A model of a table with two numbers and up to three columns of text, its rows as features, and their cost. */
    private record Case(TrainedModel model, Dataset rows, MixedCost cost) {
        static Case draw(Seed seed, String kind, int rows, int maxColumns) {
            Randomness random = seed.child("case").random();
            int classes = ShiftCases.classes(kind);
            List<Encoding.Column> columns = new ArrayList<>(List.of(Encoding.Column.number("age")));
            StringBuilder prices = new StringBuilder(random.nextInt(3) == 0 ? "age=fixed" : "age=0.7");
            for (int c = 1 + random.nextInt(maxColumns); c > 0; c--) {
                List<String> words = WORDS.subList(0, 1 + random.nextInt(4));
                boolean marked = random.nextInt(3) == 0;
                List<Double> fill =
                        Arrays.stream(random.dirichlet(1, words.size())).boxed().toList();
                columns.add(new Encoding.Column("text" + c, words, fill, marked));
                prices.append(",text").append(c).append("=whole(");
                prices.append(Math.pow(10, 2 * random.nextDouble() - 1.5)).append(')');
            }
            columns.add(Encoding.Column.number("income"));
            Encoding encoding = new Encoding(columns);
            List<String> features = encoding.features();
            int d = features.size();
            Schema schema = new Schema(
                    features,
                    "y",
                    IntStream.range(0, classes).mapToObj(c -> "c" + c).toList(),
                    List.of());
            DatasetBuilder builder = new DatasetBuilder(d);
            for (int j = 0; j < rows; j++) {
                double label = classes > 0 ? random.nextInt(classes) : random.nextGaussian();
                builder.add(row(encoding, random), label, 0, 0.2 + random.nextDouble());
            }
            double[] offsets = new double[d];
            double[] divisors = new double[d];
            for (int i = 0; i < d; i++) {
                offsets[i] = 0.4 * random.nextDouble();
                // A rare category is cut off.
                divisors[i] = random.nextInt(4) == 0 ? 0.1 : 0.3 + random.nextDouble();
            }
            Scaling scaling = new Scaling(Scaling.Kind.STANDARDISE, offsets, divisors, 5);
            double size = 0.2 + random.nextDouble();
            TrainedModel model = new TrainedModel(
                    Models.catalogue().choose(kind),
                    true,
                    Vectors.scaled(size, random.gaussians((kind.startsWith("softmax") ? classes : 1) * (d + 1))),
                    scaling,
                    LabelScaling.NONE,
                    schema,
                    0.5);
            PricedCost cost = Prices.parse(prices.toString())
                    .scaled(encoding.categories(scaling), features)
                    .on(features);
            return new Case(model, builder.build(schema, DataSource.MEMORY), (MixedCost) cost);
        }

        private static double[] row(Encoding encoding, Randomness random) {
            double[] row = new double[encoding.features().size()];
            int[] first = encoding.firstFeatures();
            for (int c = 0; c < first.length; c++) {
                Encoding.Column column = encoding.columns().get(c);
                if (!column.isText()) {
                    row[first[c]] = random.nextGaussian();
                } else if (random.nextInt(4) == 0) {
                    column.fillIn(row, first[c]);
                } else {
                    row[first[c] + random.nextInt(column.categories().size())] = 1;
                }
            }
            return row;
        }

        /** The same with one row of these features. */
        Case with(double[] row) {
            DatasetBuilder builder = new DatasetBuilder(row.length);
            builder.add(row, rows.label(0), 0, 1);
            return new Case(model, builder.build(rows.schema(), DataSource.MEMORY), cost);
        }

        LinearScores kind() {
            return (LinearScores) model.model();
        }

        double[] scaled(int j) {
            double[] x = rows.row(j);
            model.scaling().rowScaler().scale(x, 0, x, 0);
            return x;
        }

        double loss(double[] z, int j) {
            double[] loss = new double[1];
            kind().losses(model.theta(), new DenseBlock(z.length, z, new double[] {rows.label(j)}, null), loss);
            return loss[0];
        }

        List<double[]> combinations(double[] x) {
            List<double[]> all = new ArrayList<>(List.of(x.clone()));
            for (MixedCost.Change change : cost.changes()) {
                for (double[] z : List.copyOf(all)) {
                    for (int k = 0; k < change.column().categories(); k++) {
                        double[] other = z.clone();
                        change.column().put(k, other, 0);
                        all.add(other);
                    }
                }
            }
            return all;
        }

        double paid(double[] z, double[] x) {
            return cost.cost(z, x, 0, x.length);
        }

        /** Moves the features that move by any amount, exactly or, for many classes, from several starts. */
        double[] moved(double[] z, int j, double lambda, Randomness random) {
            DenseBlock block = new DenseBlock(z.length, z, new double[] {rows.label(j)}, null);
            if (kind() instanceof LinearModel linear) {
                double[] out = new double[z.length];
                new ExactMaximiser(linear, lambda, cost.features())
                        .maximise(model.theta(), block, new Effort.Steps(0))
                        .rows()
                        .copyRow(0, out, 0);
                return out;
            }
            double[] best = z;
            for (int start = 0; start < 3; start++) {
                double[] out = z.clone();
                if (start > 0) {
                    double[] step = cost.features().along(random.gaussians(z.length));
                    Vectors.addScaled(out, 3 * random.nextDouble(), step, z.length);
                }
                // The ascent starts at the row, so its tangent is taken at the start by hand.
                for (int turn = 0; turn < 60; turn++) {
                    double[] slope = new double[z.length];
                    kind().gradientInRows(model.theta(), new DenseBlock(z.length, out, block.labels(), null), slope);
                    double[] by = cost.features().along(slope);
                    out = z.clone();
                    Vectors.addScaled(out, 1 / lambda, by, z.length);
                }
                double gain = loss(out, j) - lambda * cost.features().cost(out, z);
                best = gain > loss(best, j) - lambda * cost.features().cost(best, z) ? out : best;
            }
            return best;
        }

        /** phi_lambda by all combinations; from below for many classes. */
        double phi(int j, double lambda, Randomness random) {
            double[] x = scaled(j);
            return combinations(x).stream()
                    .mapToDouble(start -> {
                        double[] z = moved(start, j, lambda, random);
                        return loss(z, j) - lambda * (cost.features().cost(z, start) + paid(start, x));
                    })
                    .max()
                    .orElseThrow();
        }

        double mean(IntToDoubleFunction value) {
            double sum = 0;
            double total = 0;
            for (int j = 0; j < rows.rows(); j++) {
                sum += rows.weight(j) * value.applyAsDouble(j);
                total += rows.weight(j);
            }
            return sum / total;
        }
    }

    private static double budget(Randomness random) {
        return StrictMath.exp(6 * random.nextDouble() - 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)"})
    void equalsTheDualOfAllCombinations(String kind) {
        Laws.check(12, seed -> {
            Randomness random = seed.random();
            Case c = Case.draw(seed, kind, 1 + random.nextInt(5), 3);
            ShiftCurve curve = ShiftCurve.of(c.model, c.rows, c.cost);
            double rho = budget(random);
            Point point = curve.at(rho);
            double[] w = ((LinearModel) c.kind()).weights(c.model.theta(), c.rows.columns(), 0);
            double floor = kind.equals("linear") ? c.cost.features().dot(w, w) : 0;
            // lambda rho + mean phi_lambda is convex in lambda, and in its logarithm it has one minimum.
            double low = Math.log(1e-5);
            double high = Math.log(1e5);
            for (int step = 0; step < 55; step++) {
                double one = low + (high - low) * 0.45;
                double two = low + (high - low) * 0.55;
                if (dual(c, rho, floor + Math.exp(one), random) < dual(c, rho, floor + Math.exp(two), random)) {
                    high = two;
                } else {
                    low = one;
                }
            }
            double least = dual(c, rho, floor + Math.exp((low + high) / 2), random);
            assertThat(point.certified()).isCloseTo(least, within(1e-6 * (1 + least)));
            assertThat(point.certified() - point.attained())
                    .isBetween(0.0, 1e-11 * Math.max(1e-2, Math.abs(point.certified())));
            assertThat(curve.exact()).isTrue();
        });
    }

    private static double dual(Case c, double rho, double lambda, Randomness random) {
        return lambda * rho + c.mean(j -> c.phi(j, lambda, random));
    }

    /** The bound of every row is above the best of all its combinations, and what was found is not far below. */
    @Test
    void theBoundForManyClassesIsAboveAllCombinations() {
        double[] gap = new double[1];
        int[] searched = new int[1];
        int cases = 30;
        Laws.check(cases, seed -> {
            Randomness random = seed.random();
            Case c = Case.draw(seed, "softmax", 3, 3);
            ShiftCurve curve = ShiftCurve.of(c.model, c.rows, c.cost);
            Point point = curve.at(budget(random));
            assertThat(point.attained()).isLessThanOrEqualTo(point.certified());
            double least = point.lambda() * point.rho() + c.mean(j -> c.phi(j, point.lambda(), random));
            assertThat(least).isLessThanOrEqualTo(point.certified() + 1e-9);
            gap[0] += (point.certified() - point.attained()) / point.certified() / cases;
            searched[0] += c.combinations(c.scaled(0)).size() > 32 ? 1 : 0;
        });
        assertThat(gap[0]).as("mean relative gap").isLessThan(0.1);
        assertThat(searched[0]).as("cases with many combinations").isGreaterThan(2);
    }

    /** Too many to try them all: columns whose steepest changes together overshoot, or fall short of, what is worth its price. */
    @Test
    void theBoundForManyClassesHoldsWithManyColumns() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int columns = 6;
            int classes = 3;
            List<MixedCost.Change> changes = new ArrayList<>();
            double price = 0.1 + random.nextDouble();
            for (int g = 0; g < columns; g++) {
                changes.add(new MixedCost.Change(
                        new CategoryColumn("column" + g, 2 * g, List.of(0.0, 0.0), List.of(1.0, 1.0), false),
                        random.nextInt(2) == 0 ? price : 0.1 + random.nextDouble()));
            }
            int d = 2 * columns;
            double[] never = new double[d];
            Arrays.fill(never, Double.POSITIVE_INFINITY);
            double[] x = new double[d];
            double[][] w = new double[classes][d];
            double lambda = 0.2 + random.nextDouble();
            for (int g = 0; g < columns; g++) {
                x[2 * g] = 1;
                for (int c = 1; c < classes; c++) {
                    // A little above the price, a little below it, or far above it.
                    double steepness =
                            random.nextInt(3) == 0 ? 1 + 4 * random.nextDouble() : 0.95 + 0.4 * random.nextDouble();
                    w[c][2 * g + 1] = lambda * changes.get(g).price() * steepness;
                }
            }
            double[] scores = {0, -6 * random.nextDouble(), -6 * random.nextDouble()};
            ScoredRows rows = new ScoredRows(
                    new int[1], new int[] {0, 1}, new double[] {1}, new double[1], scores, new boolean[1]);
            MixedCost cost = MixedCost.of(never, changes);
            Schema schema = ShiftCases.schema(d, classes, 0);
            DatasetBuilder builder = new DatasetBuilder(d);
            builder.add(x, 0, 0, 1);
            ClassGains gains = ClassGains.of(changes, w, builder.build(schema, DataSource.MEMORY));
            WorstMoves.Moves moves = new SoftmaxMoves(w, cost.features(), rows, gains).at(lambda);
            double best = 0;
            for (int chosen = 0; chosen < 1 << columns; chosen++) {
                double[] u = scores.clone();
                double paid = 0;
                for (int g = 0; g < columns; g++) {
                    if ((chosen >> g & 1) == 1) {
                        paid += changes.get(g).price();
                        u[1] += w[1][2 * g + 1];
                        u[2] += w[2][2 * g + 1];
                    }
                }
                best = Math.max(best, Math.log(1 + Math.exp(u[1]) + Math.exp(u[2])) - lambda * paid);
            }
            assertThat(moves.bounds()[0]).isGreaterThanOrEqualTo(best * (1 - 1e-12));
            assertThat(moves.losses()[0] - lambda * moves.costs()[0]).isLessThanOrEqualTo(best * (1 + 1e-12));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "softmax"})
    void noAttackWithinTheBudgetExceedsTheCertificate(String kind) {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            Case c = Case.draw(seed, kind, 1 + random.nextInt(6), 2);
            int n = c.rows.rows();
            double rho = budget(random);
            Point point = ShiftCurve.of(c.model, c.rows, c.cost).at(rho);
            for (int attack = 0; attack < 30; attack++) {
                // At random prices rows take random combinations, or the best ones, as long as the budget lasts.
                double lambda = budget(random);
                double left = rho;
                double total = c.mean(j -> 1)
                        * IntStream.range(0, n).mapToDouble(c.rows::weight).sum();
                double[] after = new double[n];
                for (int j = 0; j < n; j++) {
                    double[] x = c.scaled(j);
                    List<double[]> all = c.combinations(x);
                    int row = j;
                    double[] start = random.nextInt(3) == 0
                            ? all.get(random.nextInt(all.size()))
                            : all.stream()
                                    .max(Comparator.comparingDouble(z -> c.loss(z, row) - lambda * c.paid(z, x)))
                                    .orElseThrow();
                    double share = c.rows.weight(j) / total;
                    if (c.paid(start, x) * share > left) {
                        start = x;
                    }
                    left -= c.paid(start, x) * share;
                    // The rest of the budget, or a part of it, is spent along the slope.
                    double[] slope = new double[x.length];
                    c.kind()
                            .gradientInRows(
                                    c.model.theta(),
                                    new DenseBlock(x.length, start, new double[] {c.rows.label(j)}, null),
                                    slope);
                    double[] z = start.clone();
                    double[] by = c.cost.features().along(slope);
                    double full = c.cost.features().cost(by, new double[by.length]);
                    double spent = random.nextDouble() * left;
                    if (full > 0) {
                        Vectors.addScaled(z, Math.sqrt(spent / share / full) * (1 - 1e-12), by, by.length);
                        left -= spent;
                    }
                    assertThat(c.paid(z, x)).isFinite();
                    after[j] = c.loss(z, j);
                }
                assertThat(c.mean(j -> after[j])).isLessThanOrEqualTo(point.certified() * (1 + 1e-9) + 1e-9);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "linear", "huber(delta=0.7)", "softmax"})
    void worstRowsAreThoseOfTheLossFound(String kind) {
        int[] changed = new int[1];
        Laws.check(15, seed -> {
            Randomness random = seed.random();
            Case c = Case.draw(seed, kind, 12, 3);
            ShiftCurve curve = ShiftCurve.of(c.model, c.rows, c.cost);
            double rho = budget(random);
            double shares = 0;
            double spent = 0;
            double loss = 0;
            for (MovedRow row : curve.worstRows(rho)) {
                double[] z = row.to().clone();
                double[] x = c.scaled(row.row());
                // Unclipped, because numbers may move beyond where values are cut off; categories are cut off as in
                // training.
                double[] offsets = c.model.scaling().offsets();
                double[] divisors = c.model.scaling().divisors();
                for (int i = 0; i < z.length; i++) {
                    boolean any = Double.isFinite(c.cost.features().price(i));
                    z[i] = (z[i] - offsets[i]) / divisors[i];
                    z[i] = any ? row.scaled()[i] == 0 ? x[i] : z[i] : Math.max(-5, Math.min(5, z[i]));
                }
                assertThat(row.cost()).isCloseTo(c.paid(snapped(c, z, x), x), within(1e-9 * (1 + row.cost())));
                assertThat(row.after()).isCloseTo(c.loss(z, row.row()), within(1e-6 * (1 + row.after())));
                assertThat(row.cells(c.rows.schema(), c.cost)).hasSameSizeAs(MovedRow.header(c.rows.schema(), c.cost));
                for (MovedRow.Change change : row.changes()) {
                    int at = c.rows.schema().features().indexOf(change.column() + "=" + change.to());
                    assertThat(row.to()[at]).isEqualTo(1.0);
                    changed[0]++;
                }
                shares += row.share();
                spent += row.share() * row.cost();
                loss += row.share() * row.after();
            }
            assertThat(shares).isCloseTo(1, within(1e-9));
            assertThat(spent).isLessThanOrEqualTo(rho * (1 + 1e-9));
            assertThat(loss).isCloseTo(curve.at(rho).attained(), within(1e-6 * (1 + loss)));
        });
        assertThat(changed[0]).as("changes").isGreaterThan(30);
    }

    /** Unscaling and scaling again rounds, and a category is one to the bit. */
    private static double[] snapped(Case c, double[] z, double[] x) {
        double[] snapped = z.clone();
        for (MixedCost.Change change : c.cost.changes()) {
            CategoryColumn column = change.column();
            double[] best = x;
            double nearest = apart(z, x, column);
            for (int k = 0; k < column.categories(); k++) {
                double[] other = x.clone();
                column.put(k, other, 0);
                best = apart(z, other, column) < nearest ? other : best;
                nearest = Math.min(nearest, apart(z, other, column));
            }
            System.arraycopy(best, column.first(), snapped, column.first(), column.categories());
        }
        return snapped;
    }

    private static double apart(double[] a, double[] b, CategoryColumn column) {
        return IntStream.range(column.first(), column.first() + column.categories())
                .mapToDouble(i -> Math.abs(a[i] - b[i]))
                .sum();
    }

    /** The cheapest crossing is not a corner of the hull of all sums, so all are tried here. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "softmax of two", "softmax"})
    void theErrorIsThatOfTheCheapestCrossings(String kind) {
        int[] beyond = new int[1];
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            Case drawn = Case.draw(seed, kind.startsWith("softmax") ? "softmax" : kind, 12, 3);
            Case c = kind.equals("softmax of two") ? two(drawn, random) : drawn;
            boolean calibrated = c.model.schema().classes().size() == 2 && !kind.startsWith("svm");
            TrainedModel model = calibrated
                    ? c.model.deciding(
                            new Calibration(0.5 + random.nextDouble(), random.nextGaussian()),
                            0.2 + 0.6 * random.nextDouble())
                    : c.model;
            MisclassificationCurve curve = MisclassificationCurve.of(model, c.rows, c.cost);
            int n = c.rows.rows();
            Predictions said = model.predict(c.rows);
            double[] crossing = new double[n];
            for (int j = 0; j < n; j++) {
                crossing[j] = said.label(j) == c.rows.label(j) ? cheapest(c, model, j, beyond) : 0;
            }
            double total = IntStream.range(0, n).mapToDouble(c.rows::weight).sum();
            Integer[] order = IntStream.range(0, n).boxed().toArray(Integer[]::new);
            Arrays.sort(order, Comparator.comparingDouble(j -> crossing[j]));
            double rho = budget(random) / 10;
            double left = rho;
            double expected = 0;
            for (int j : order) {
                double share = c.rows.weight(j) / total;
                double part = crossing[j] * share <= left ? 1 : left / (crossing[j] * share);
                left = Math.max(0, left - part * crossing[j] * share);
                expected += part * share;
            }
            Point point = curve.at(rho);
            assertThat(point.certified()).isCloseTo(expected, within(1e-6));
            assertThat(point.attained()).isLessThanOrEqualTo(point.certified());
            // Within q for each row categories stay.
            MisclassificationCurve staying = MisclassificationCurve.of(model, c.rows, c.cost.features());
            for (Norm norm : Norm.values()) {
                assertThat(curve.rate(norm, 0.3)).isEqualTo(staying.rate(norm, 0.3));
            }
        });
        assertThat(beyond[0]).as("rows that cross by changes").isGreaterThan(20);
    }

    private static Case two(Case c, Randomness random) {
        Schema own = c.rows.schema();
        Schema schema = new Schema(own.features(), "y", List.of("c0", "c1"), List.of());
        DatasetBuilder builder = new DatasetBuilder(c.rows.columns());
        for (int j = 0; j < c.rows.rows(); j++) {
            builder.add(c.rows.row(j), random.nextInt(2), 0, c.rows.weight(j));
        }
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("softmax"),
                true,
                random.gaussians(2 * (c.rows.columns() + 1)),
                c.model.scaling(),
                LabelScaling.NONE,
                schema,
                0.5);
        return new Case(model, builder.build(schema, DataSource.MEMORY), c.cost);
    }

    private static double cheapest(Case c, TrainedModel model, int j, int[] beyond) {
        double[] x = c.scaled(j);
        double[] theta = model.theta();
        int k = c.kind().scoresPerRow();
        double best = Double.POSITIVE_INFINITY;
        boolean changes = false;
        double boundary = c.kind().givesProbabilities()
                ? (Math.log(model.threshold() / (1 - model.threshold()))
                                - model.calibration().intercept())
                        / model.calibration().slope()
                : 0;
        for (double[] z : c.combinations(x)) {
            double[] u = new double[k];
            c.kind().scores(theta, new DenseBlock(z.length, z, new double[1], null), u);
            double paid = c.paid(z, x);
            for (int b = 0; b < (k > 2 ? k : 1); b++) {
                int y = (int) c.rows.label(j);
                if (k > 2 && b == y) {
                    continue;
                }
                double[] w =
                        c.kind().weights(theta, z.length, k > 2 ? y : k - 1).clone();
                double margin;
                if (k > 2) {
                    margin = u[y] - u[b];
                    Vectors.addScaled(w, -1, c.kind().weights(theta, z.length, b), w.length);
                } else {
                    double score = k == 1 ? u[0] : u[1] - u[0];
                    margin = (y == 1 ? 1 : -1) * (score - boundary);
                    if (k == 2) {
                        Vectors.addScaled(w, -1, c.kind().weights(theta, z.length, 0), w.length);
                    }
                }
                double n = c.cost.features().dot(w, w);
                double rest = margin <= 0 ? 0 : n > 0 ? margin * margin / (2 * n) : Double.POSITIVE_INFINITY;
                if (paid + rest < best) {
                    best = paid + rest;
                    changes = paid > 0;
                }
            }
        }
        beyond[0] += changes ? 1 : 0;
        return best;
    }

    @Test
    void threadsChangeNoBit() {
        for (String kind : List.of("logistic", "softmax")) {
            Case c = Case.draw(Seed.of(4), kind, kind.equals("softmax") ? 300 : 700, 2);
            long[] bits = Laws.bits(figures(c));
            try (Threads threads = Threads.of(3)) {
                assertThat(Laws.bits(threads.call(() -> figures(c)))).isEqualTo(bits);
            }
        }
    }

    private static double[] figures(Case c) {
        Point loss = ShiftCurve.of(c.model, c.rows, c.cost).at(0.2);
        Point error = MisclassificationCurve.of(c.model, c.rows, c.cost).at(0.02);
        return new double[] {loss.certified(), loss.attained(), error.certified(), error.attained()};
    }

    /** In the table such a row is one whose cell is written: the mark that it was missing goes as well. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "linear", "softmax"})
    void aMissingCellMayBecomeACategory(String kind) {
        Laws.check(100, seed -> {
            Case drawn = Case.draw(seed, kind, 1, 2);
            Encoding encoding = drawn.model.encoding();
            double[] missing = new double[drawn.rows.columns()];
            int[] first = encoding.firstFeatures();
            int text = drawn.cost.changes().get(0).column().first();
            for (int c = 0; c < first.length; c++) {
                if (encoding.columns().get(c).isText()) {
                    encoding.columns().get(c).fillIn(missing, first[c]);
                }
            }
            Case c = drawn.with(missing);
            double price = c.cost.changes().get(0).price();
            double certified = ShiftCurve.of(c.model, c.rows, c.cost).at(price).certified();
            for (int k = 0; k < c.cost.changes().get(0).column().categories(); k++) {
                double[] written = missing.clone();
                Arrays.fill(written, text, c.cost.changes().get(0).column().end(), 0);
                written[text + k] = 1;
                double[] scaled = c.with(written).scaled(0);
                assertThat(c.paid(scaled, c.scaled(0))).isEqualTo(price);
                assertThat(c.loss(scaled, 0)).isLessThanOrEqualTo(certified * (1 + 1e-12));
                if (c.model.schema().classes().size() > 0) {
                    Predictions said = c.model.predict(c.with(written).rows);
                    double error = said.label(0) == c.rows.label(0) ? 0 : 1;
                    assertThat(MisclassificationCurve.of(c.model, c.rows, c.cost)
                                    .at(price)
                                    .certified())
                            .isGreaterThanOrEqualTo(error);
                }
            }
            ShiftCurve.of(c.model, c.rows, c.cost)
                    .worstRows(price)
                    .forEach(row -> row.changes().forEach(change -> {
                        CategoryColumn column = c.cost.changes().stream()
                                .map(MixedCost.Change::column)
                                .filter(own -> own.name().equals(change.column()))
                                .findFirst()
                                .orElseThrow();
                        assertThat(Arrays.stream(row.to(), column.first(), column.end())
                                        .sum())
                                .isEqualTo(1);
                        assertThat(change.from()).isEqualTo("(none)");
                    }));
        });
    }

    /** Then the best price is n itself, at which rows move as far as one likes for the same gain. */
    @Test
    void leastSquaresWithoutResidualsStillMove() {
        Encoding encoding = new Encoding(List.of(
                Encoding.Column.number("age"), new Encoding.Column("text", List.of("a", "b"), List.of(), false)));
        Schema schema = new Schema(encoding.features(), "y", List.of(), List.of());
        for (double w : new double[] {1e-3, 0.1, 1, 30}) {
            for (double gain : new double[] {1e-3, 1e-12, 1e-17, 1e-160}) {
                TrainedModel model = new TrainedModel(
                        Models.catalogue().choose("linear"),
                        true,
                        new double[] {w, gain, 0, 0},
                        Scaling.none(3),
                        LabelScaling.NONE,
                        schema,
                        0.5);
                DatasetBuilder builder = new DatasetBuilder(3);
                builder.add(new double[] {0, 1, 0}, gain, 0, 1);
                builder.add(new double[] {0, 0, 1}, 0, 0, 1);
                Dataset rows = builder.build(schema, DataSource.MEMORY);
                PricedCost cost = Prices.parse("text=whole(2)")
                        .scaled(encoding.categories(model.scaling()), schema.features())
                        .on(schema.features());
                for (double rho : new double[] {1e-6, 0.01, 1, 1e6}) {
                    ShiftCurve curve = ShiftCurve.of(model, rows, cost);
                    Point point = curve.at(rho);
                    assertThat(point.certified()).isGreaterThanOrEqualTo(rho * w * w);
                    assertThat(point.attained())
                            .as("w %s, gain %s, rho %s", w, gain, rho)
                            .isBetween(rho * w * w * (1 - 1e-9), point.certified());
                    double paid = curve.worstRows(rho).stream()
                            .mapToDouble(row -> row.share() * row.cost())
                            .sum();
                    assertThat(paid).isCloseTo(rho, within(1e-9 * rho));
                }
            }
        }
    }

    /** What rows pay to cross is another number than their distance, so it is an event of its own. */
    @Test
    void theSampleTermCountsTheCostOfCrossing() {
        Case drawn = Case.draw(Seed.of(4), "logistic", 1, 1);
        Case c = drawn.with(drawn.rows.row(0));
        assertThat(MisclassificationCurve.of(c.model, c.rows, c.cost).sampleTerm(0.05))
                .isCloseTo(Math.sqrt(Math.log(2 / 0.05) / 2), within(1e-15));
    }

    @Test
    void countsAreRefused() {
        ShiftCases.Case c = ShiftCases.random(Seed.of(3), "poisson", 3, 2, false);
        CategoryColumn text = new CategoryColumn("text", 0, List.of(0.0), List.of(1.0), false);
        MixedCost cost = MixedCost.of(new double[] {1, 1}, List.of(new MixedCost.Change(text, 2)));
        assertThatThrownBy(() -> ShiftCurve.of(c.model(), c.rows(), cost, new Box(3)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no certificate is known for categories that change as a whole");
    }
}
