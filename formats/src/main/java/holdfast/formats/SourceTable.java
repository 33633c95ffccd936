package holdfast.formats;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Collects rows of named sources into a table. None of the rows of an unusable source are in it; see
 * {@link SourceFacts}, which decides what the rows mean.
 */
final class SourceTable {
    private final String file;
    private final Plan plan;
    private final IntFunction<DatasetBuilder> builders;
    private final String label;
    private final SourceFacts facts;
    private final SourceColumn[] columns;
    private final DatasetBuilder cells;
    private final double[] row;
    /** For each row its source, the spelling of its label (-1 if it has none), and its label as a number. */
    private int[] sourceOf = new int[256];

    private int[] spellings = new int[256];
    private double[] numbers = new double[256];

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
     * @param features what the plan says about the features
     */
    SourceTable(
            String file, Plan plan, List<ColumnSettings> features, String label, IntFunction<DatasetBuilder> builders) {
        this.file = file;
        this.plan = plan;
        this.builders = builders;
        this.label = label;
        this.facts = new SourceFacts(
                features,
                label,
                plan.target().orElse(null),
                plan.get(PlanKey.CLASSES).names());
        this.columns = IntStream.range(0, features.size())
                .mapToObj(i -> new SourceColumn(i, facts))
                .toArray(SourceColumn[]::new);
        this.cells = builders.apply(features.size());
        this.row = new double[features.size()];
    }

    /** Returns the number of a source, which it gets when it is first asked for. */
    int source(String name) {
        return facts.source(name);
    }

    /** Makes a source unusable. */
    void charge(int source, String reason) {
        facts.charge(source, () -> reason);
    }

    /** Adds a row. */
    void add(CsvRows.Row record, Places places, int source) {
        int at = cells.rows();
        if (at == sourceOf.length) {
            sourceOf = Arrays.copyOf(sourceOf, 2 * at);
            spellings = Arrays.copyOf(spellings, 2 * at);
            numbers = Arrays.copyOf(numbers, 2 * at);
        }
        for (int i = 0; i < row.length; i++) {
            row[i] = columns[i].add(record, places.features[i], at, source, places.place);
        }
        int c = places.label;
        numbers[at] = record.number(c);
        spellings[at] =
                facts.addLabel(source, numbers[at], () -> record.cell(c).strip(), () -> places.place.of(record, c));
        int w = places.weight;
        double weight = w < 0 ? 1 : record.number(w);
        if (!(weight > 0)) {
            facts.chargeWeight(source, record.cell(w), () -> places.place.of(record, w));
        }
        sourceOf[at] = source;
        cells.add(row, 0, source, weight);
        facts.endRow(source);
    }

    /** Decides what the rows mean and returns those of usable sources. */
    Table finish(DataSource from) {
        SourceFacts.Decision decided = facts.decide(file, plan);
        List<String> names =
                List.of(columns).stream().map(column -> column.decided().name()).toList();
        Dataset all = cells.build(new Schema(names, label, decided.classes(), facts.names()), from);
        for (int c = 0; c < columns.length; c++) {
            columns[c].decide(decided.text().get(c), decided.dates().get(c));
            columns[c].leaveOut(decided.rowNumbers().get(c) ? RowNumbers.reason() : null);
        }
        leaveOutIdentifiers(all, decided.tolerated());
        LeftOutColumns.warn(file, ReadColumn.decided(List.of(columns)));
        List<ReadColumn.Output> outputs =
                ReadColumn.outputs(List.of(columns), plan.get(PlanKey.DATES).parts());
        int[] classOf = facts.classOf(decided.classes());
        IntToDoubleFunction labels = decided.classes().isEmpty()
                ? r -> numbers[r]
                : r -> spellings[r] < 0 || classOf[spellings[r]] < 0 ? Double.NaN : classOf[spellings[r]];
        boolean changed = !decided.unusable().isEmpty()
                || decided.leftOut() > 0
                || outputs.size() != columns.length
                || !outputs.stream().allMatch(ReadColumn.Output::isPlain);
        Dataset rows = changed ? usable(all, outputs, decided.usable(), labels) : all.relabel(labels::applyAsDouble);
        return Table.of(outputs.stream().map(ReadColumn.Output::finish).toList(), rows)
                .without(decided.unusable());
    }

    private void leaveOutIdentifiers(Dataset all, int f) {
        int[] suspicious = chosen(SourceColumn::mayBeIdentifier);
        KnownValues[] known = new KnownValues[columns.length];
        Arrays.setAll(known, c -> new KnownValues());
        for (int r = 0; suspicious.length > 0 && r < all.rows(); r++) {
            all.copyRow(r, row);
            for (int c : suspicious) {
                if (!Double.isNaN(row[c])) {
                    known[c].add((int) columns[c].convert(r, row[c]), sourceOf[r]);
                }
            }
        }
        for (int c : suspicious) {
            columns[c].leaveOut(facts.identifiers(c, known[c], columns[c].texts(), f));
        }
    }

    private int[] chosen(Predicate<SourceColumn> which) {
        return IntStream.range(0, columns.length)
                .filter(c -> which.test(columns[c]))
                .toArray();
    }

    /** Copies the rows of usable sources with their labels, and cells as a table has them. */
    private Dataset usable(
            Dataset all, List<ReadColumn.Output> outputs, List<String> kept, IntToDoubleFunction labels) {
        int[] groupOf = new int[facts.sources()];
        Arrays.fill(groupOf, -1);
        for (int k = 0; k < kept.size(); k++) {
            groupOf[facts.source(kept.get(k))] = k;
        }
        DatasetBuilder builder = builders.apply(outputs.size());
        double[] made = new double[outputs.size()];
        for (int r = 0; r < all.rows(); r++) {
            int group = groupOf[sourceOf[r]];
            double value = labels.applyAsDouble(r);
            if (group >= 0 && !Double.isNaN(value)) {
                all.copyRow(r, row);
                for (int i = 0; i < made.length; i++) {
                    made[i] = outputs.get(i).of(r, row);
                }
                builder.add(made, value, group, all.weight(r));
            }
        }
        return builder.build(
                all.schema()
                        .withFeatures(
                                outputs.stream().map(ReadColumn.Output::name).toList())
                        .withGroups(kept),
                all.source());
    }
}
