package holdfast.formats;

import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Statistics;
import holdfast.plan.Tolerated;
import holdfast.training.Training;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Collects rows of named sources into a table. A value that cannot be read or used is charged to its source, which
 * becomes unusable: none of its rows are in the table, and training counts it among the f sources that may lie. What is
 * decided about all rows (which columns are text, whether labels are classes, and which) cannot be changed by f sources,
 * see {@link SourceColumn} and {@link SourceLabels}. If f is 0, the first such value is an error.
 */
final class SourceTable {
    private final String file;
    private final Plan plan;
    private final IntFunction<DatasetBuilder> builders;
    private final String label;
    private final List<String> features;
    private final SourceColumn[] columns;
    private final SourceLabels labels;
    private final SourceFaults faults = new SourceFaults();
    private final Map<String, Integer> index = new HashMap<>();
    private final List<String> sources = new ArrayList<>();
    private final DatasetBuilder cells;
    private final double[] row;
    private int[] sourceOf = new int[256];

    /**
     * The columns of a file.
     *
     * @param features for each feature its column; -1 if the file lacks it
     * @param weight -1 if rows have no weights
     * @param place describes where a cell is
     */
    record Places(int[] features, int label, int weight, CsvRows.Place place) {}

    /**
     * Creates an empty table.
     *
     * @param features the names of the features
     * @param text for each feature, whether the plan says that it is text; null if it does not say
     */
    SourceTable(
            String file,
            Plan plan,
            List<String> features,
            IntFunction<Boolean> text,
            String label,
            IntFunction<DatasetBuilder> builders) {
        this.file = file;
        this.plan = plan;
        this.builders = builders;
        this.label = label;
        this.features = features;
        this.columns = IntStream.range(0, features.size())
                .mapToObj(i -> new SourceColumn(features.get(i), text.apply(i), plan.get(PlanKey.MISSING)))
                .toArray(SourceColumn[]::new);
        this.labels = new SourceLabels(file, label, plan.get(PlanKey.MODEL));
        this.cells = builders.apply(features.size());
        this.row = new double[features.size()];
    }

    /** Returns whether a plan wants rows to be read by source, because some sources may be unusable. */
    static boolean suits(Plan plan) {
        Tolerated f = plan.get(PlanKey.TOLERATED);
        return plan.bySource()
                && plan.get(PlanKey.STATISTICS) == Statistics.ROBUST
                && !(f.equals(Tolerated.count(0))
                        && plan.get(PlanKey.RULE).value().tolerating(0).tolerated() == 0);
    }

    /** Returns the number of a source, which it gets when it is first asked for. */
    int source(String name) {
        return index.computeIfAbsent(name, n -> {
            sources.add(n);
            return sources.size() - 1;
        });
    }

    /** Makes a source unusable. */
    void charge(int source, String reason) {
        faults.charge(source, cells.rows(), () -> reason);
    }

    /** Adds a row. */
    void add(CsvRows.Row record, Places places, int source) {
        int at = cells.rows();
        for (int i = 0; i < row.length; i++) {
            row[i] = columns[i].add(record, places.features[i], at, source, places.place, faults);
        }
        labels.add(record, places.label, source, places.place, faults);
        double weight = places.weight < 0 ? 1 : record.number(places.weight);
        if (!(weight > 0)) {
            faults.charge(
                    source,
                    at,
                    () -> Csv.notAWeight(places.place.of(record, places.weight), record.cell(places.weight)));
        }
        if (at == sourceOf.length) {
            sourceOf = Arrays.copyOf(sourceOf, 2 * at);
        }
        sourceOf[at] = source;
        cells.add(row, 0, source, weight);
    }

    /** Decides what the rows mean and returns those of usable sources. */
    Table finish(DataSource from) {
        int f = ResolvedPlan.toleratedSources(plan, sources.size());
        if (cells.rows() == 0) {
            requireFewFaults(f);
            throw new InputException(file + ": no data rows");
        }
        SourceLabels.Decided decided = labels.decide(sourceOf, sources, f, faults);
        Dataset all = cells.build(new Schema(features, label, decided.classes(), sources), from);
        decideColumns(all, f);
        chargeWithoutRows(decided.values(), f);
        requireFewFaults(f);
        int[] leftOut = IntStream.range(0, all.rows())
                .filter(r -> Double.isNaN(decided.values()[r]) && faults.isFree(sourceOf[r]))
                .toArray();
        labels.warnOf(leftOut, sourceOf, sources, f);
        boolean changed = !faults.isEmpty() || leftOut.length > 0 || chosen(SourceColumn::isToBeConverted).length > 0;
        Dataset rows = changed ? usable(all, decided.values()) : all.relabel(r -> decided.values()[r]);
        return Table.of(
                        Arrays.stream(columns)
                                .map(c -> c.finish(file, all.rows()))
                                .toList(),
                        rows)
                .without(faults.unusable(sources));
    }

    private void requireFewFaults(int f) {
        List<UnusableSource> unusable = faults.unusable(sources);
        if (f == 0 && !unusable.isEmpty()) {
            throw new InputException(faults.firstReason());
        }
        Training.requireEnoughUsable(unusable, f, null);
    }

    private void decideColumns(Dataset all, int f) {
        int[] voted = chosen(SourceColumn::needsVotes);
        forEachCell(all, voted, (c, r, cell) -> columns[c].vote(sourceOf[r], r, cell));
        for (SourceColumn column : columns) {
            column.decide(faults);
        }
        int[] suspicious = chosen(SourceColumn::mayBeIdentifier);
        KnownValues[] known = new KnownValues[columns.length];
        Arrays.setAll(known, c -> new KnownValues());
        forEachCell(all, suspicious, (c, r, cell) -> known[c].add((int) columns[c].convert(r, cell), sourceOf[r]));
        for (int c : suspicious) {
            columns[c].requireBeCategories(known[c], f, all.rows(), file);
        }
    }

    private interface Cell {
        void accept(int column, int row, double cell);
    }

    private int[] chosen(Predicate<SourceColumn> which) {
        return IntStream.range(0, columns.length)
                .filter(c -> which.test(columns[c]))
                .toArray();
    }

    /** Goes through the cells of some columns that are not missing. */
    private void forEachCell(Dataset all, int[] chosen, Cell action) {
        for (int r = 0; chosen.length > 0 && r < all.rows(); r++) {
            all.copyRow(r, row);
            for (int c : chosen) {
                if (!Double.isNaN(row[c])) {
                    action.accept(c, r, row[c]);
                }
            }
        }
    }

    /** Charges the sources that have rows, but none with a label that counts. */
    private void chargeWithoutRows(double[] values, int f) {
        BitSet labelled = new BitSet();
        for (int r = 0; r < values.length; r++) {
            if (!Double.isNaN(values[r])) {
                labelled.set(sourceOf[r]);
            }
        }
        for (int s = labelled.nextClearBit(0); s < sources.size(); s = labelled.nextClearBit(s + 1)) {
            if (faults.isFree(s)) {
                charge(s, file + ": no row has a label (" + label + ") that more than " + f + " sources have");
            }
        }
    }

    /** Copies the rows of usable sources with their labels, and cells as a table has them. */
    private Dataset usable(Dataset all, double[] values) {
        int[] kept = IntStream.range(0, sources.size()).filter(faults::isFree).toArray();
        int[] groupOf = new int[sources.size()];
        Arrays.fill(groupOf, -1);
        for (int k = 0; k < kept.length; k++) {
            groupOf[kept[k]] = k;
        }
        int[] converted = chosen(SourceColumn::isToBeConverted);
        DatasetBuilder builder = builders.apply(columns.length);
        for (int r = 0; r < all.rows(); r++) {
            int group = groupOf[sourceOf[r]];
            if (group >= 0 && !Double.isNaN(values[r])) {
                all.copyRow(r, row);
                for (int c : converted) {
                    row[c] = Double.isNaN(row[c]) ? row[c] : columns[c].convert(r, row[c]);
                }
                builder.add(row, values[r], group, all.weight(r));
            }
        }
        List<String> names = Arrays.stream(kept).mapToObj(sources::get).toList();
        return builder.build(all.schema().withGroups(names), all.source());
    }
}
