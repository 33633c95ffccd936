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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** How often bad sources are named, and honest ones: the verdicts on generated and on real sources. */
final class Sources {
    private static final int RUNS = Integer.getInteger("holdfast.bench.seeds", 200);
    private static final String ONLY = System.getProperty("holdfast.bench.only", "");
    private static final double HONEST = 0.05;

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

    /**
     * Sources of which the first ones are bad.
     *
     * @param bars how often, of 20 runs, each of them must be named, and perhaps how often all
     */
    private record Scenario(
            String name,
            Function<Seed, List<SourceGenerator.Rows>> draw,
            Kind kind,
            List<Poison> poisons,
            int... bars) {}

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
            String name, SourceGenerator generator, int rowsOfBad, List<Poison> bad, int... bars) {
        return new Scenario(
                String.format(
                        Locale.ROOT,
                        "%d sources, %s, %s: %s",
                        generator.sources(),
                        generator.strength() == 1 ? "mild" : "strong",
                        generator.prevalence() == 0 ? "numbers" : Math.round(100 * generator.prevalence()) + " %",
                        name),
                seed -> generator.draw(seed, bad.size(), rowsOfBad),
                generator.prevalence() == 0 ? Kind.NUMBER : Kind.TWO,
                bad,
                bars);
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
        List<Scenario> all = new ArrayList<>();
        for (int sources : new int[] {6, 14, 60}) {
            for (double strength : new double[] {1, 2}) {
                for (double prevalence : new double[] {0.4, 0.05}) {
                    all.add(generated("clean", new SourceGenerator(sources, strength, prevalence), 0, List.of()));
                }
            }
        }
        SourceGenerator mild = new SourceGenerator(14, 1, 0.4);
        SourceGenerator strong = new SourceGenerator(14, 2, 0.4);
        SourceGenerator rare = new SourceGenerator(14, 1, 0.05);
        SourceGenerator numbers = new SourceGenerator(14, 1, 0);
        all.add(generated("clean", numbers, 0, List.of()));
        all.add(generated("clean", new SourceGenerator(14, 2, 0), 0, List.of()));
        all.add(generated("flips", mild, 0, List.of(flips(1)), 19));
        all.add(generated("flips", strong, 0, List.of(flips(1)), 19));
        all.add(generated("flips", rare, 0, List.of(flips(1)), 19));
        all.add(generated("flips", new SourceGenerator(14, 2, 0.05), 0, List.of(flips(1)), 19));
        all.add(generated("two columns x1000", mild, 0, List.of(units()), 19));
        all.add(generated("two columns x1000", strong, 0, List.of(units()), 19));
        all.add(generated("random labels", mild, 0, List.of(random(1)), 19));
        all.add(generated("random labels", strong, 0, List.of(random(1)), 19));
        all.add(generated("40 % random, 400 rows", mild, 400, List.of(random(0.4)), 18));
        all.add(generated("30 % flips, 400 rows", mild, 400, List.of(flips(0.3)), 18));
        all.add(generated("numbers + 3 sd", numbers, 0, List.of(shifted(3)), 19));
        all.add(generated("numbers x10", numbers, 0, List.of(times(10)), 19));
        all.add(generated("flips", new SourceGenerator(6, 1, 0.4), 0, List.of(flips(1)), 19));
        all.add(generated(
                "flips, random, x1000, 40 % random",
                mild, 400, List.of(flips(1), random(1), units(), random(0.4)), 19, 19, 19, 0, 14));
        all.add(generated("four flips", mild, 0, Collections.nCopies(4, flips(1)), 19, 19, 19, 19));
        Table spam = DataFile.read("builtin:spambase", Plan.defaults());
        all.add(dealt("Spambase", "clean", spam, Kind.TWO, List.of()));
        all.add(dealt("Spambase", "flips", spam, Kind.TWO, List.of(flips(1)), 19));
        all.add(dealt("Spambase", "two columns x1000", spam, Kind.TWO, List.of(units()), 19));
        all.add(dealt("Spambase", "random labels", spam, Kind.TWO, List.of(random(1)), 19));
        all.add(dealt("Spambase", "40 % random", spam, Kind.TWO, List.of(random(0.4)), 19));
        all.add(dealt("Spambase", "30 % flips", spam, Kind.TWO, List.of(flips(0.3)), 19));
        Table digits = DataFile.read("builtin:digits", Plan.defaults());
        all.add(dealt("Digits", "clean", digits, Kind.TEN, List.of()));
        all.add(dealt("Digits", "two classes swapped", digits, Kind.TEN, List.of(swapped()), 18));
        List<Measured> lines = new ArrayList<>();
        all.stream().filter(s -> s.name.contains(ONLY)).forEach(s -> run(s, lines));
        return lines;
    }

    private static Scenario dealt(String data, String name, Table table, Kind kind, List<Poison> bad, int... bars) {
        return new Scenario(data + ", 10 sources: " + name, seed -> dealt(table, 10, seed), kind, bad, bars);
    }

    private static void run(Scenario scenario, List<Measured> lines) {
        int bad = scenario.poisons.size();
        boolean[][] named = new boolean[RUNS][];
        IntStream.range(0, RUNS)
                .parallel()
                .forEach(run -> named[run] = named(scenario, Seed.of(1 + run).child(scenario.name)));
        String name = scenario.name;
        if (bad > 0) {
            for (int s = 0; s < bad; s++) {
                int source = s;
                String which = bad == 1 ? "" : ", source " + (s + 1);
                add(
                        lines,
                        Measured.atLeast(
                                name + which + " named, of 20", of20(named, n -> n[source]), scenario.bars[s]));
            }
            if (scenario.bars.length > bad) {
                add(
                        lines,
                        Measured.atLeast(
                                name + ", all named, of 20",
                                of20(named, n -> IntStream.range(0, bad).allMatch(s -> n[s])),
                                scenario.bars[bad]));
            }
        }
        double honest = Arrays.stream(named)
                .filter(n -> IntStream.range(bad, n.length).anyMatch(s -> n[s]))
                .count();
        add(lines, Measured.atMost(name + ", an honest one named, share", honest / RUNS, HONEST));
    }

    private static void add(List<Measured> lines, Measured line) {
        lines.add(line);
        System.err.printf(Locale.ROOT, "%-80s %.3f %s%n", line.what(), line.value(), line.met() ? "" : "missed");
    }

    private static double of20(boolean[][] named, Predicate<boolean[]> which) {
        return 20.0 * Arrays.stream(named).filter(which).count() / RUNS;
    }

    private static boolean[] named(Scenario scenario, Seed seed) {
        List<SourceGenerator.Rows> rows = scenario.draw.apply(seed);
        for (int s = 0; s < scenario.poisons.size(); s++) {
            scenario.poisons.get(s).apply(rows.get(s), seed.child("poison", s).random());
        }
        List<Verdict> verdicts =
                SourceVerdicts.of(SourceGenerator.table(rows, scenario.kind.classes), scenario.kind.target, seed);
        boolean[] named = new boolean[verdicts.size()];
        for (int s = 0; s < named.length; s++) {
            named[s] = verdicts.get(s).named();
        }
        return named;
    }
}
