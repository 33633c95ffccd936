package holdfast.training;

import holdfast.Check;
import holdfast.CloseNames;
import holdfast.data.SourceNames;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.HoldOut;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Finds which rows of a table a plan holds out. */
final class PlannedHoldOut {
    private PlannedHoldOut() {}

    /**
     * Returns what the plan holds out. No value of the table is read, unless the plan splits by a column.
     *
     * @throws holdfast.InputException if a source or column that the plan names is not in the table
     */
    static HoldOut of(Table table, Plan plan) {
        List<String> sources = plan.get(PlanKey.TEST_SOURCES);
        requireSources(table, sources);
        return new HoldOut(
                plan.get(PlanKey.TEST_SHARE),
                plan.get(PlanKey.TEST_ROUNDING),
                Set.copyOf(sources),
                plan.get(PlanKey.SPLIT_BY).map(column -> order(table, column, plan)));
    }

    /** Checks that the sources to hold out exist, and that others are left. */
    private static void requireSources(Table table, List<String> held) {
        List<String> known = table.schema().groups();
        Check.that(
                held.isEmpty() || table.cells().hasGroups(),
                "--test-sources needs --workers-by, the column that names the source of each row");
        for (UnusableSource source : table.unusable()) {
            Check.that(
                    !held.contains(source.name()),
                    "--test-sources: %s cannot be used: %s",
                    source.name(),
                    source.reason());
        }
        SourceNames.require("--test-sources", held, known);
    }

    /** Returns a number for each row that orders it by a column. */
    private static double[] order(Table table, String column, Plan plan) {
        Check.that(
                plan.get(PlanKey.TEST_SHARE) > 0,
                "--split-by needs --test-share above 0, the share of rows to hold out");
        List<String> columns = table.schema().features();
        int at = columns.indexOf(column);
        Check.that(
                at >= 0,
                "%s: --split-by must name a column other than label, source and weight, got '%s'; the closest: %s",
                table.source().name(),
                column,
                String.join(", ", CloseNames.of(column, columns)));
        List<String> values = table.columns().get(at).categories();
        List<String> sorted = values.stream().sorted().toList();
        double[] places = values.stream()
                .mapToDouble(value -> Collections.binarySearch(sorted, value))
                .toArray();
        double[] order = new double[table.rows()];
        double[] row = new double[columns.size()];
        for (int r = 0; r < order.length; r++) {
            table.cells().copyRow(r, row);
            Check.that(
                    !Double.isNaN(row[at]),
                    "%s: row %d: --split-by needs a value in column %s",
                    table.source().name(),
                    r + 1,
                    column);
            order[r] = places.length == 0 ? row[at] : places[(int) row[at]];
        }
        return order;
    }
}
