package holdfast.benchmarks;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of sources that differ from each other as honest sources do. A source has 100 to 2,000 rows (uniform in the
 * logarithm) of ten normal features. With strength 1, its means differ with sd 0.5, the logit of its prevalence with sd
 * 0.7, each coefficient by 20 %, and up to 10 % of its labels are exchanged among its rows. Strength multiplies all of
 * these.
 *
 * @param strength 1 is mild, 2 is strong
 * @param prevalence the share of the second class in a typical source; 0 for labels that are numbers
 */
record SourceGenerator(int sources, double strength, double prevalence) {
    private static final int FEATURES = 10;
    private static final double SIGNAL = 3;

    /** One source: its rows and labels, which poisons overwrite. */
    record Rows(double[][] x, double[] y) {}

    List<Rows> draw(Seed seed, int poisoned, int rowsOfPoisoned) {
        Randomness random = seed.child("truth").random();
        double[] truth = random.gaussians(FEATURES);
        double norm = Math.sqrt(Arrays.stream(truth).map(w -> w * w).sum());
        List<Rows> all = new ArrayList<>();
        for (int s = 0; s < sources; s++) {
            Randomness own = seed.child("source", s).random();
            int n = (int) Math.rint(100 * Math.pow(20, own.nextDouble()));
            n = s < poisoned && rowsOfPoisoned > 0 ? rowsOfPoisoned : n;
            double[] w = new double[FEATURES];
            double[] mean = new double[FEATURES];
            for (int i = 0; i < FEATURES; i++) {
                w[i] = SIGNAL * truth[i] / norm * (1 + 0.2 * strength * own.nextGaussian());
                mean[i] = 0.5 * strength * own.nextGaussian();
            }
            double[][] x = new double[n][FEATURES];
            double[] u = new double[n];
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < FEATURES; i++) {
                    x[j][i] = mean[i] + own.nextGaussian();
                    u[j] += w[i] * x[j][i];
                }
            }
            double[] y = prevalence > 0 ? classes(u, own) : numbers(u, own);
            exchange(y, 0.1 * strength * own.nextDouble(), own);
            all.add(new Rows(x, y));
        }
        return all;
    }

    private double[] classes(double[] u, Randomness random) {
        double wanted = sigmoid(Math.log(prevalence / (1 - prevalence)) + 0.7 * strength * random.nextGaussian());
        double low = -50;
        double high = 50;
        for (int step = 0; step < 60; step++) {
            double middle = (low + high) / 2;
            double share =
                    Arrays.stream(u).map(v -> sigmoid(v + middle)).average().orElseThrow();
            low = share < wanted ? middle : low;
            high = share < wanted ? high : middle;
        }
        double intercept = low;
        return Arrays.stream(u)
                .map(v -> random.nextDouble() < sigmoid(v + intercept) ? 1 : 0)
                .toArray();
    }

    private double[] numbers(double[] u, Randomness random) {
        double shift = 0.7 * strength * random.nextGaussian();
        return Arrays.stream(u)
                .map(v -> 50 + 4 * (v + shift + 2 * random.nextGaussian()))
                .toArray();
    }

    private static double sigmoid(double u) {
        return 1 / (1 + Math.exp(-u));
    }

    /** Exchanges a share of the labels among their rows. */
    static void exchange(double[] y, double share, Randomness random) {
        int[] chosen = random.choose((int) Math.rint(share * y.length), y.length);
        int[] order = chosen.clone();
        random.shuffle(order);
        double[] before = y.clone();
        for (int i = 0; i < chosen.length; i++) {
            y[chosen[i]] = before[order[i]];
        }
    }

    static Table table(List<Rows> all, List<String> classes) {
        int features = all.get(0).x[0].length;
        DatasetBuilder builder = new DatasetBuilder(features);
        for (Rows rows : all) {
            for (int j = 0; j < rows.y.length; j++) {
                builder.add(rows.x[j], rows.y[j]);
            }
        }
        List<String> names =
                IntStream.range(0, all.size()).mapToObj(s -> "s" + s).toList();
        int[] groups = IntStream.range(0, all.size())
                .flatMap(s -> IntStream.generate(() -> s).limit(all.get(s).y.length))
                .toArray();
        return Table.of(builder.build(
                        new Schema(
                                IntStream.range(0, features)
                                        .mapToObj(i -> "x" + i)
                                        .toList(),
                                "y",
                                classes,
                                List.of()),
                        DataSource.MEMORY)
                .grouped(names, groups));
    }
}
