package holdfast.benchmarks;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.RowRoles;
import holdfast.rounds.TrainingException;
import holdfast.shift.Shift;
import holdfast.training.DealtTable;
import holdfast.training.Training;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What sources can do to a model before its first round: the error on clean held-out rows if two of ten sources poison
 * the rows they hand in and the rule tolerates two, compared with the error if nobody does. Means of ten seeds, which
 * also decide which rows are in which source. Categories are flooded in copies of the data in which one column is text,
 * and weights in copies whose rows weigh from 1/2 to 3/2. For comparison, the two sources are also left out.
 */
final class RawAttacks {
    private static final int SOURCES = 10;
    private static final int LIARS = 2;
    /** The last sources. */
    private static final List<Integer> BYZANTINE =
            IntStream.range(SOURCES - LIARS, SOURCES).boxed().toList();

    private static final int EIGHTHS = 8;
    private static final String LEFT_OUT = "left out";
    private static final int SEEDS = Integer.getInteger("holdfast.bench.seeds", 10);
    private static final double MORE_ERROR = 0.02;
    private static final double RMSE_RATIO = 1.05;

    private static final List<String> RULES =
            List.of("norm-screening", "norm-clipping", "median", "trimmed-mean", "geometric-median");

    private static final List<String> ATTACKS = List.of(
            "units",
            "wild-row",
            "sentinel",
            "category-flood",
            "wild-weights",
            "wild-weights(rows=all)",
            "label-noise",
            "label-shift",
            "against-preparation",
            LEFT_OUT);

    private static final Plan PLAN =
            Plan.defaults().with("workers-by", "source").with("tolerated", "" + LIARS);

    /** One line: the rows that are handed in, how they are trained on, and what the last sources do. */
    private record Cell(String data, Table table, Plan plan, String attack) {
        Cell clean() {
            return new Cell(data, table, plan, "none");
        }
    }

    private RawAttacks() {}

    /** Returns the lines, each of which is measured when it is asked for. */
    static Iterable<Measured> measure() {
        Map<String, Table> data = new LinkedHashMap<>();
        data.put("spambase", DataFile.read("builtin:spambase", Plan.defaults()));
        data.put("digits", DataFile.read("builtin:digits", Plan.defaults()));
        data.put("numbers", numbers());
        List<Cell> cells = new ArrayList<>();
        data.forEach((name, table) -> {
            Table text = withText(table);
            Table weighted = withWeights(table);
            for (String rule : RULES) {
                for (String attack : ATTACKS) {
                    Table served = attack.equals("category-flood")
                            ? text
                            : attack.startsWith("wild-weights") ? weighted : table;
                    cells.add(new Cell(name, served, PLAN.with("rule", rule), attack));
                }
            }
        });
        Map<Cell, Double> clean = new HashMap<>();
        return () -> cells.stream()
                .map(cell -> line(cell, clean.computeIfAbsent(cell.clean(), RawAttacks::error), error(cell)))
                .iterator();
    }

    private static Measured line(Cell cell, double before, double after) {
        boolean classes = !cell.table.schema().classes().isEmpty();
        String what = String.format(
                Locale.ROOT,
                classes ? "%s, %s, %s: %.4f, %.4f" : "%s, %s, %s: %.1f, %.1f",
                cell.data,
                cell.plan.get(PlanKey.RULE),
                cell.attack,
                before,
                after);
        double more = classes ? after - before : after / before;
        return cell.attack.equals(LEFT_OUT)
                ? Measured.only(what, more)
                : Measured.atMost(what, more, classes ? MORE_ERROR : RMSE_RATIO);
    }

    /** Returns the mean error over seeds; infinite if a training has to stop. */
    private static double error(Cell cell) {
        return LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToDouble(seed -> {
                    Table table = inSources(cell.table, seed);
                    Plan plan = cell.plan.with(PlanKey.SEED, seed);
                    try {
                        return switch (cell.attack) {
                            case "none" -> heldOutError(table, plan);
                            case LEFT_OUT -> errorWithoutLiars(table, plan);
                            default ->
                                heldOutError(
                                        table, plan.with("attack", cell.attack).with(PlanKey.BYZANTINE, BYZANTINE));
                        };
                    } catch (TrainingException e) {
                        return Double.POSITIVE_INFINITY;
                    }
                })
                .average()
                .orElseThrow();
    }

    private static double heldOutError(Table table, Plan plan) {
        return Training.of(table, plan).threads(1).run().evaluate(Shift.NONE).headline();
    }

    /** Trains without the training rows of the liars, and tests on the same rows as with them. */
    private static double errorWithoutLiars(Table table, Plan plan) {
        Dataset cells = table.cells();
        RowRoles roles = DealtTable.of(table, plan).roles();
        int[] honest = Arrays.stream(roles.learning())
                .filter(r -> !BYZANTINE.contains(cells.group(r)))
                .toArray();
        Dataset training = cells.select(honest)
                .grouped(
                        names(SOURCES - LIARS),
                        Arrays.stream(honest).map(cells::group).toArray());
        TrainedModel model = Training.of(table.with(table.columns(), training), plan.with(PlanKey.TEST_SHARE, 0.0))
                .threads(1)
                .run()
                .model();
        Table heldOut = table.with(table.columns(), cells.select(roles.heldOut()));
        return Evaluation.of(model, model.features(heldOut), Shift.NONE).headline();
    }

    private static List<String> names(int sources) {
        return IntStream.range(0, sources).mapToObj(s -> "s" + s).toList();
    }

    private static Table inSources(Table table, long seed) {
        int[] sources = IntStream.range(0, table.rows()).map(r -> r % SOURCES).toArray();
        Seed.of(seed).child("sources").random().shuffle(sources);
        return table.with(table.columns(), table.cells().grouped(names(SOURCES), sources));
    }

    private static Table withWeights(Table table) {
        Randomness random = Seed.of(1).child("weights").random();
        return table.with(table.columns(), table.cells().reweigh(r -> 0.5 + random.nextDouble()));
    }

    /** Turns the column with the most values into text: which eighth of the rows has smaller numbers. */
    private static Table withText(Table table) {
        Dataset cells = table.cells();
        double[][] sorted = new double[cells.columns()][cells.rows()];
        for (int r = 0; r < cells.rows(); r++) {
            double[] row = cells.row(r);
            for (int c = 0; c < row.length; c++) {
                sorted[c][r] = row[c];
            }
        }
        int most = 0;
        for (int c = 0; c < sorted.length; c++) {
            Arrays.sort(sorted[c]);
            most = distinct(sorted[c]) > distinct(sorted[most]) ? c : most;
        }
        int column = most;
        double[] limits = IntStream.range(1, EIGHTHS)
                .mapToDouble(i -> sorted[column][i * cells.rows() / EIGHTHS])
                .toArray();
        List<TableColumn> columns = new ArrayList<>(table.columns());
        List<String> categories =
                IntStream.range(0, EIGHTHS).mapToObj(i -> "eighth " + i).toList();
        columns.set(column, new TableColumn(columns.get(column).name(), categories, TableColumn.Missing.FAIL));
        return table.with(
                columns,
                cells.changed(
                        IntStream.range(0, cells.rows()).toArray(),
                        (r, row) -> row[column] = Arrays.stream(limits)
                                .filter(limit -> limit <= row[column])
                                .count()));
    }

    private static long distinct(double[] values) {
        return Arrays.stream(values).distinct().count();
    }

    /** Numbers to predict from features in different units, some of them with long tails. */
    private static Table numbers() {
        int columns = 20;
        Randomness random = Seed.of(1).child("numbers").random();
        double[] truth = random.gaussians(columns);
        DatasetBuilder builder = new DatasetBuilder(columns);
        for (int r = 0; r < 3000; r++) {
            double[] x = random.gaussians(columns);
            double y = 2 * random.nextGaussian();
            for (int i = 0; i < columns; i++) {
                y += truth[i] * x[i];
                x[i] = (i % 3 == 0 ? Math.exp(x[i]) : x[i]) * Math.pow(10, i % 5 - 2);
            }
            builder.add(x, 1000 + 50 * y);
        }
        return Table.of(builder.build(
                new Schema(IntStream.range(0, columns).mapToObj(i -> "x" + i).toList(), "y", List.of(), List.of()),
                DataSource.MEMORY));
    }
}
