package holdfast.sources;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.model.Target;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Small sources that differ as honest ones do: in the means of their features, in how common a class is, and by a tenth
 * in their coefficients. Poisons overwrite rows and labels.
 */
final class GeneratedSources {
    static final int FEATURES = 5;

    /** The rows of one source. */
    record Source(double[][] x, double[] y) {
        int rows() {
            return y.length;
        }
    }

    final Target target;
    final List<Source> sources = new ArrayList<>();
    final List<TableColumn> columns = new ArrayList<>(IntStream.range(0, FEATURES)
            .mapToObj(i -> TableColumn.number("x" + i))
            .toList());
    private final Seed seed;

    /** @param rows of each source */
    GeneratedSources(Seed seed, Target target, int... rows) {
        this.seed = seed;
        this.target = target;
        Randomness shared = seed.child("truth").random();
        int scores = target == Target.CLASSES ? 3 : 1;
        double[][] truth = new double[scores][];
        for (int c = 0; c < scores; c++) {
            double[] w = shared.gaussians(FEATURES);
            double norm = Math.sqrt(Arrays.stream(w).map(v -> v * v).sum());
            truth[c] = Arrays.stream(w).map(v -> 3 * v / norm).toArray();
        }
        for (int s = 0; s < rows.length; s++) {
            sources.add(source(truth, seed.child("source", s).random(), rows[s]));
        }
    }

    /** Twelve sources of 200 rows. */
    static GeneratedSources of(Seed seed, Target target) {
        return new GeneratedSources(seed, target, equal(12, 200));
    }

    static int[] equal(int sources, int rows) {
        return IntStream.generate(() -> rows).limit(sources).toArray();
    }

    private Source source(double[][] truth, Randomness random, int rows) {
        double[] mean =
                Arrays.stream(random.gaussians(FEATURES)).map(z -> 0.15 * z).toArray();
        double[][] w = Arrays.stream(truth)
                .map(t -> Arrays.stream(t)
                        .map(v -> v * (1 + 0.1 * random.nextGaussian()))
                        .toArray())
                .toArray(double[][]::new);
        double intercept = 0.15 * random.nextGaussian();
        double[][] x = new double[rows][];
        double[] y = new double[rows];
        for (int j = 0; j < rows; j++) {
            x[j] = random.gaussians(FEATURES);
            double[] u = new double[w.length];
            for (int i = 0; i < FEATURES; i++) {
                x[j][i] += mean[i];
                for (int c = 0; c < u.length; c++) {
                    u[c] += w[c][i] * (x[j][i] - mean[i]);
                }
            }
            y[j] = label(u, intercept, random);
        }
        return new Source(x, y);
    }

    private double label(double[] u, double intercept, Randomness random) {
        return switch (target) {
            case TWO_CLASSES -> random.nextDouble() < 1 / (1 + Math.exp(-u[0] - intercept)) ? 1 : 0;
            case NUMBER -> 50 + 4 * (u[0] + intercept + random.nextGaussian());
            case COUNT -> Samples.count(5 * Math.exp(0.25 * (u[0] + intercept)), random);
            case CLASSES -> {
                double[] noisy = new double[3];
                Arrays.setAll(noisy, c -> u[c] + random.nextGaussian());
                yield IntStream.range(0, 3)
                        .boxed()
                        .max((a, b) -> Double.compare(noisy[a], noisy[b]))
                        .orElseThrow();
            }
        };
    }

    GeneratedSources labels(int source, UnaryOperator<double[]> change) {
        double[] y = sources.get(source).y;
        System.arraycopy(change.apply(y.clone()), 0, y, 0, y.length);
        return this;
    }

    GeneratedSources flipped(int... chosen) {
        for (int s : chosen) {
            labels(s, y -> Arrays.stream(y).map(v -> 1 - v).toArray());
        }
        return this;
    }

    /** Exchanges a share of the labels of a source among its rows. */
    GeneratedSources random(int source, double share) {
        Randomness random = seed.child("exchange", source).random();
        return labels(source, y -> {
            int[] chosen = random.choose((int) Math.rint(share * y.length), y.length);
            int[] order = chosen.clone();
            random.shuffle(order);
            double[] changed = y.clone();
            for (int i = 0; i < chosen.length; i++) {
                changed[chosen[i]] = y[order[i]];
            }
            return changed;
        });
    }

    /** Changes a column of one source. */
    GeneratedSources cells(int source, int column, UnaryOperator<double[]> change) {
        Source own = sources.get(source);
        double[] before = Arrays.stream(own.x).mapToDouble(row -> row[column]).toArray();
        double[] after = change.apply(before);
        IntStream.range(0, own.rows()).forEach(j -> own.x[j][column] = after[j]);
        return this;
    }

    /** Changes a column of all sources. */
    GeneratedSources cells(int column, UnaryOperator<double[]> change) {
        IntStream.range(0, sources.size()).forEach(s -> cells(s, column, change));
        return this;
    }

    GeneratedSources times(int source, int column, double factor) {
        return cells(source, column, x -> Arrays.stream(x).map(v -> v * factor).toArray());
    }

    /** Turns a column into text: the categories are "a" and "b" by the sign, "c" never occurs in an honest source. */
    GeneratedSources text(int column) {
        columns.set(column, new TableColumn("x" + column, List.of("a", "b", "c"), TableColumn.Missing.FAIL));
        return cells(column, x -> Arrays.stream(x).map(v -> v > 0 ? 1 : 0).toArray());
    }

    /** Allows missing cells in a column and removes a tenth of them. */
    GeneratedSources missing(int column) {
        columns.set(column, new TableColumn("x" + column, List.of(), TableColumn.Missing.INDICATOR));
        return cells(column, x -> {
            double[] changed = x.clone();
            IntStream.range(0, x.length).filter(j -> j % 10 == 3).forEach(j -> changed[j] = Double.NaN);
            return changed;
        });
    }

    List<String> classes() {
        return switch (target) {
            case TWO_CLASSES -> List.of("no", "yes");
            case CLASSES -> List.of("red", "green", "blue");
            case NUMBER, COUNT -> List.of();
        };
    }

    Table table() {
        return table(IntStream.range(0, sources.size()).toArray(), false);
    }

    Table sparse() {
        return table(IntStream.range(0, sources.size()).toArray(), true);
    }

    /** Returns the table of the sources in this order; they keep their names. */
    Table table(int[] order, boolean sparse) {
        DatasetBuilder builder = sparse ? DatasetBuilder.sparse(FEATURES) : new DatasetBuilder(FEATURES);
        for (int i = 0; i < order.length; i++) {
            Source own = sources.get(order[i]);
            for (int j = 0; j < own.rows(); j++) {
                builder.add(own.x[j], own.y[j], i, 1);
            }
        }
        return Table.of(
                columns,
                builder.build(
                        new Schema(
                                columns.stream().map(TableColumn::name).toList(),
                                "y",
                                classes(),
                                Arrays.stream(order).mapToObj(s -> "s" + s).toList()),
                        DataSource.MEMORY));
    }

    List<Verdict> verdicts() {
        return SourceVerdicts.of(table(), target, seed);
    }
}
