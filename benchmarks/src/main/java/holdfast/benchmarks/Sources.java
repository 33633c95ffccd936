package holdfast.benchmarks;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/** How often bad sources are named, and honest ones: the verdicts on generated and on real sources. */
final class Sources {
    private static final int RUNS = Integer.getInteger("holdfast.bench.runs", 20);
    private static final int CLEAN_RUNS = Integer.getInteger("holdfast.bench.clean", 200);
    private static final String ONLY = System.getProperty("holdfast.bench.only", "");

    private Sources() {}

    /** What a bad source does to its rows. */
    interface Poison {
        void apply(SourceGenerator.Rows rows, Randomness random);
    }

    static Poison flips(double share) {
        return (rows, random) -> {
            for (int j : random.choose((int) Math.rint(share * rows.y().length), rows.y().length)) {
                rows.y()[j] = 1 - rows.y()[j];
            }
        };
    }

    static Poison random(double share) {
        return (rows, random) -> SourceGenerator.exchange(rows.y(), share, random);
    }

    static Poison units() {
        return (rows, random) -> {
            int[] columns = random.choose(2, rows.x()[0].length);
            for (double[] x : rows.x()) {
                for (int c : columns) {
                    x[c] *= 1000;
                }
            }
        };
    }

    static Poison swapped() {
        return (rows, random) -> {
            int[] pair = random.choose(2, 10);
            for (int j = 0; j < rows.y().length; j++) {
                double y = rows.y()[j];
                rows.y()[j] = y == pair[0] ? pair[1] : y == pair[1] ? pair[0] : y;
            }
        };
    }

    /** Adds to labels that are numbers, in their standard deviations. */
    static Poison shifted(double sds) {
        return (rows, random) -> {
            double mean = Arrays.stream(rows.y()).average().orElseThrow();
            double sd = Math.sqrt(Arrays.stream(rows.y())
                    .map(y -> (y - mean) * (y - mean))
                    .average()
                    .orElseThrow());
            Arrays.setAll(rows.y(), j -> rows.y()[j] + sds * sd);
        };
    }

    static Poison times(double factor) {
        return (rows, random) -> Arrays.setAll(rows.y(), j -> rows.y()[j] * factor);
    }

    /** Sources of which the first ones are bad. */
    private record Scenario(
            String name, Function<Seed, List<SourceGenerator.Rows>> draw, Kind kind, List<Poison> poisons) {}

    private enum Kind {
        TWO(List.of("no", "yes"), Target.TWO_CLASSES),
        TEN(IntStream.range(0, 10).mapToObj(Integer::toString).toList(), Target.CLASSES),
        NUMBER(List.of(), Target.NUMBER);

        private final List<String> classes;
        private final Target target;

        Kind(List<String> classes, Target target) {
            this.classes = classes;
            this.target = target;
        }
    }

    private static Scenario generated(
            String name, int sources, double strength, double prevalence, int rows, Poison... bad) {
        return new Scenario(
                String.format(
                        Locale.ROOT,
                        "%d sources, %s, %s: %s",
                        sources,
                        strength == 1 ? "mild" : "strong",
                        prevalence == 0 ? "numbers" : Math.round(100 * prevalence) + " %",
                        name),
                seed -> new SourceGenerator(sources, strength, prevalence).draw(seed, bad.length, rows),
                prevalence == 0 ? Kind.NUMBER : Kind.TWO,
                List.of(bad));
    }

    private static List<SourceGenerator.Rows> dealt(Table table, int sources, Seed seed) {
        int[] of = IntStream.range(0, table.rows()).map(r -> r % sources).toArray();
        seed.child("deal").random().shuffle(of);
        Dataset cells = table.cells();
        return IntStream.range(0, sources)
                .mapToObj(s -> {
                    int[] rows = IntStream.range(0, of.length)
                            .filter(r -> of[r] == s)
                            .toArray();
                    return new SourceGenerator.Rows(
                            Arrays.stream(rows).mapToObj(cells::row).toArray(double[][]::new),
                            Arrays.stream(rows).mapToDouble(cells::label).toArray());
                })
                .toList();
    }

    static List<Measured> measure() {
        List<Scenario> clean = new ArrayList<>();
        for (int sources : new int[] {6, 14, 60}) {
            for (double strength : new double[] {1, 2}) {
                for (double prevalence : new double[] {0.4, 0.05}) {
                    clean.add(generated("clean", sources, strength, prevalence, 0));
                }
            }
        }
        clean.add(generated("clean", 14, 1, 0, 0));
        clean.add(generated("clean", 14, 2, 0, 0));
        Table spam = DataFile.read("builtin:spambase", Plan.defaults());
        Table digits = DataFile.read("builtin:digits", Plan.defaults());
        clean.add(new Scenario("Spambase, 10 sources: clean", seed -> dealt(spam, 10, seed), Kind.TWO, List.of()));
        clean.add(new Scenario("Digits, 10 sources: clean", seed -> dealt(digits, 10, seed), Kind.TEN, List.of()));
        List<Scenario> bad = new ArrayList<>();
        bad.add(generated("flips", 14, 1, 0.4, 0, flips(1)));
        bad.add(generated("flips", 14, 2, 0.4, 0, flips(1)));
        bad.add(generated("flips", 14, 1, 0.05, 0, flips(1)));
        bad.add(generated("flips", 14, 2, 0.05, 0, flips(1)));
        bad.add(generated("two columns x1000", 14, 1, 0.4, 0, units()));
        bad.add(generated("two columns x1000", 14, 2, 0.4, 0, units()));
        bad.add(generated("random labels", 14, 1, 0.4, 0, random(1)));
        bad.add(generated("random labels", 14, 2, 0.4, 0, random(1)));
        bad.add(generated("40 % random, 400 rows", 14, 1, 0.4, 400, random(0.4)));
        bad.add(generated("30 % flips, 400 rows", 14, 1, 0.4, 400, flips(0.3)));
        bad.add(generated("labels + 3 sd", 14, 1, 0, 0, shifted(3)));
        bad.add(generated("labels x10", 14, 1, 0, 0, times(10)));
        bad.add(generated("flips", 6, 1, 0.4, 0, flips(1)));
        bad.add(generated("random labels", 6, 1, 0.4, 0, random(1)));
        bad.add(generated("four poisons", 14, 1, 0.4, 400, flips(1), random(1), units(), random(0.4)));
        bad.add(generated("four poisons", 14, 2, 0.4, 400, flips(1), random(1), units(), random(0.4)));
        bad.add(generated("four flips", 14, 1, 0.4, 0, flips(1), flips(1), flips(1), flips(1)));
        bad.add(generated("four flips", 14, 2, 0.4, 0, flips(1), flips(1), flips(1), flips(1)));
        List<Poison> each = List.of(flips(1), units(), random(1), random(0.4), flips(0.3));
        List<String> names = List.of("flips", "two columns x1000", "random labels", "40 % random", "30 % flips");
        for (int i = 0; i < each.size(); i++) {
            Poison one = each.get(i);
            bad.add(new Scenario(
                    "Spambase, 10 sources: " + names.get(i), seed -> dealt(spam, 10, seed), Kind.TWO, List.of(one)));
        }
        bad.add(new Scenario(
                "Digits, 10 sources: two classes swapped",
                seed -> dealt(digits, 10, seed),
                Kind.TEN,
                List.of(swapped())));
        List<Measured> lines = new ArrayList<>();
        clean.stream().filter(s -> s.name.contains(ONLY)).forEach(s -> run(s, CLEAN_RUNS, lines));
        bad.stream().filter(s -> s.name.contains(ONLY)).forEach(s -> run(s, RUNS, lines));
        return lines;
    }

    private static void run(Scenario scenario, int runs, List<Measured> lines) {
        int bad = scenario.poisons.size();
        boolean[][] named = new boolean[runs][];
        String[] why = new String[runs];
        long start = System.nanoTime();
        IntStream.range(0, runs).parallel().forEach(run -> {
            Seed seed = Seed.of(1 + run).child(scenario.name);
            List<SourceGenerator.Rows> rows = scenario.draw.apply(seed);
            for (int s = 0; s < bad; s++) {
                scenario.poisons
                        .get(s)
                        .apply(rows.get(s), seed.child("poison", s).random());
            }
            List<Verdict> verdicts =
                    SourceVerdicts.of(SourceGenerator.table(rows, scenario.kind.classes), scenario.kind.target, seed);
            named[run] = new boolean[verdicts.size()];
            StringBuilder words = new StringBuilder();
            for (int s = 0; s < verdicts.size(); s++) {
                named[run][s] = verdicts.get(s).named();
                if (named[run][s]) {
                    verdicts.get(s)
                            .findings()
                            .forEach(f -> words.append(f.source())
                                    .append(' ')
                                    .append(f.kind())
                                    .append(' ')
                                    .append(f.words())
                                    .append(' ')
                                    .append(f.pValue())
                                    .append("; "));
                }
            }
            why[run] = words.toString();
        });
        StringBuilder each = new StringBuilder();
        for (int s = 0; s < bad; s++) {
            int source = s;
            each.append(' ').append(Arrays.stream(named).filter(n -> n[source]).count());
        }
        long all = Arrays.stream(named)
                .filter(n -> IntStream.range(0, bad).allMatch(s -> n[s]))
                .count();
        long honest = Arrays.stream(named)
                .filter(n -> IntStream.range(bad, n.length).anyMatch(s -> n[s]))
                .count();
        System.out.printf(
                Locale.ROOT,
                "%-55s runs %d named%s all %d, honest %d  %.1f s%n",
                scenario.name,
                runs,
                each,
                all,
                honest,
                (System.nanoTime() - start) / 1e9);
        if (Boolean.getBoolean("holdfast.bench.why")) {
            for (int r = 0; r < runs; r++) {
                int run = r;
                boolean fine = IntStream.range(0, named[r].length).allMatch(s -> named[run][s] == s < bad);
                if (!fine) {
                    System.out.println("   " + r + ": " + why[r]);
                }
            }
        }
    }
}
