package holdfast.spark.io;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.InputException;
import holdfast.data.UnusableSource;
import holdfast.formats.ColumnSettings;
import holdfast.formats.Csv;
import holdfast.formats.DecidedColumn;
import holdfast.formats.KnownValues;
import holdfast.formats.LeftOutColumns;
import holdfast.formats.RowNumbers;
import holdfast.formats.SourceFacts;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.spark.engine.SeenSources;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;

/**
 * The rows of a file whose sources may be unusable. One look at all rows gathers what must be known to decide what they
 * mean, by the code that also decides it in one process ({@link SourceFacts}); another one gathers the categories of
 * text columns, if there are any.
 *
 * @param layout with the categories
 * @param width the size of vectors; -1 if there are none
 * @param first the number of the first row of each partition
 */
record SourceRows(
        JavaRDD<Row> rows,
        RowLayout layout,
        SourceFacts.Decision decided,
        int width,
        WrittenNumbers written,
        long[] first) {
    /**
     * Looks at rows.
     *
     * @param open the layout without categories
     * @param settings what the plan and the columns' types say about the features
     */
    static SourceRows of(JavaRDD<Row> rows, RowLayout open, ColumnSettings[] settings, Plan plan) {
        Look look = new Look(
                open,
                open.form() == RowLayout.Form.CELLS ? settings : new ColumnSettings[0],
                plan.get(PlanKey.MODEL).value().target().orElse(null));
        List<Looked> looked =
                rows.mapPartitions(part -> List.of(look.at(part)).iterator()).collect();
        SeenSources seen = look.none();
        long[] first = new long[looked.size()];
        for (int p = 0; p < first.length; p++) {
            first[p] = seen.facts().rows();
            seen.merge(looked.get(p).seen);
            if (looked.get(p).complaint != null) {
                throw RowLayout.complaint(looked.get(p).complaint, seen.facts().rows() + 1);
            }
        }
        SourceFacts.Decision decided = seen.decide(open.file(), plan, open.featuresName(), open.atRow());
        SourceFacts facts = seen.facts();
        WrittenNumbers written = new WrittenNumbers(IntStream.range(0, look.settings.length)
                .mapToLong(i -> look.settings[i].text() == null ? facts.firstWord(i) : 0)
                .toArray());
        SourceRows read = new SourceRows(rows, open, decided, seen.width(), written, first);
        return open.form() == RowLayout.Form.CELLS ? read.withColumns(facts, look.settings, plan) : read;
    }

    /** Returns the same rows with the columns of the table, and says which are left out. */
    private SourceRows withColumns(SourceFacts facts, ColumnSettings[] settings, Plan plan) {
        Words words = new Words(layout, textColumns(decided), written);
        List<TreeMap<String, BitSet>> known = words.all(rows, facts.names(), first);
        String[][] categories = new String[settings.length][];
        String[] leftOut = new String[categories.length];
        Arrays.setAll(leftOut, i -> decided.rowNumbers().get(i) ? RowNumbers.reason() : null);
        for (int t = 0; t < words.columns.length; t++) {
            int i = words.columns[t];
            categories[i] = known.get(t).keySet().toArray(String[]::new);
            if (settings[i].text() == null) {
                leftOut[i] =
                        facts.identifiers(i, knownValues(known.get(t)), List.of(categories[i]), decided.tolerated());
            }
        }
        List<DecidedColumn> columns = IntStream.range(0, leftOut.length)
                .mapToObj(i -> new DecidedColumn(
                        settings[i].name(), leftOut[i], decided.dates().get(i)))
                .toList();
        LeftOutColumns.warn(layout.file(), columns);
        return new SourceRows(
                rows,
                layout.decided(columns, categories, plan),
                decided,
                width,
                written.in(DecidedColumn.table(columns, plan.get(PlanKey.DATES).parts())),
                first);
    }

    /** Returns the columns of words that are categories. */
    private static int[] textColumns(SourceFacts.Decision decided) {
        return IntStream.range(0, decided.text().size())
                .filter(i -> decided.text().get(i) && !decided.dates().get(i))
                .toArray();
    }

    private static KnownValues knownValues(TreeMap<String, BitSet> words) {
        KnownValues known = new KnownValues();
        int[] value = new int[1];
        words.values().forEach(owners -> {
            owners.stream().forEach(source -> known.add(value[0], source));
            value[0]++;
        });
        return known;
    }

    /** Returns the rows that count, converted. */
    JavaRDD<Row> converted(RowConverter converter) {
        Set<String> unusable =
                decided.unusable().stream().map(UnusableSource::name).collect(Collectors.toSet());
        WrittenNumbers named = written;
        long[] starts = first;
        return rows.mapPartitionsWithIndex((p, part) -> converter.each(part, unusable, named, starts[p]), true);
    }

    /** What was seen in a partition, up to a row that is no row. */
    @DefaultSerializer(JavaSerializer.class)
    private record Looked(SeenSources seen, String complaint) implements Serializable {}

    /**
     * Looks at rows.
     *
     * @param settings what is said about each column of cells
     * @param labels what the plan says that labels are; null if it does not say
     */
    private record Look(RowLayout layout, ColumnSettings[] settings, Target labels) implements Serializable {
        SeenSources none() {
            return new SeenSources(
                    new SourceFacts(List.of(settings), layout.labelName(), labels), layout.names()[layout.source()]);
        }

        Looked at(Iterator<Row> part) {
            SeenSources seen = none();
            try {
                while (part.hasNext()) {
                    add(part.next(), seen);
                }
                return new Looked(seen, null);
            } catch (InputException e) {
                return new Looked(seen, e.getMessage());
            }
        }

        private void add(Row row, SeenSources seen) {
            layout.requireBeWhole(row);
            SourceFacts facts = seen.facts();
            String name = layout.anySourceOf(row);
            int source = seen.source(name);
            if (RowLayout.text(row.get(layout.source())).isEmpty()) {
                facts.chargeUnnamed(source, () -> layout.at(layout.source()));
            }
            for (int i = 0; i < settings.length; i++) {
                int column = layout.features()[i];
                Object cell = row.get(column);
                double number = RowLayout.number(cell);
                if (!Double.isNaN(number)) {
                    facts.addNumber(i, source, number);
                } else {
                    String word = RowLayout.text(cell);
                    Supplier<String> at = () -> layout.at(column);
                    if (Csv.isMissing(word)) {
                        facts.addMissing(i, source, at);
                    } else {
                        facts.addWord(i, source, word, at);
                    }
                }
            }
            if (layout.form() == RowLayout.Form.VECTOR) {
                seen.addVector(name, row.get(layout.features()[0]), layout.featuresName(), layout.atRow());
            }
            Object label = row.get(layout.label());
            facts.addLabel(source, RowLayout.number(label), () -> RowLayout.text(label), layout::atLabel);
            int weight = layout.weight();
            if (weight >= 0 && !(RowLayout.number(row.get(weight)) > 0)) {
                facts.chargeWeight(source, RowLayout.text(row.get(weight)), () -> layout.at(weight));
            }
            facts.endRow(source);
        }
    }

    /**
     * Gathers the categories of text columns.
     *
     * @param columns their numbers among the features
     */
    private record Words(RowLayout layout, int[] columns, WrittenNumbers written) implements Serializable {
        /**
         * Returns, for each of the columns, the sources of every word.
         *
         * @param names of the sources
         * @param starts the number of the first row of each partition
         */
        List<TreeMap<String, BitSet>> all(JavaRDD<Row> rows, List<String> names, long[] starts) {
            List<TreeMap<String, BitSet>> words = IntStream.of(columns)
                    .mapToObj(c -> new TreeMap<String, BitSet>())
                    .collect(Collectors.toList());
            if (columns.length == 0) {
                return words;
            }
            HashMap<String, Integer> sources = new HashMap<>();
            names.forEach(name -> sources.put(name, sources.size()));
            rows.mapPartitionsWithIndex(
                            (p, part) -> List.of(at(part, sources, starts[p])).iterator(), false)
                    .collect()
                    .forEach(here -> {
                        for (int t = 0; t < columns.length; t++) {
                            TreeMap<String, BitSet> all = words.get(t);
                            here.get(t)
                                    .forEach((word, owners) -> all.computeIfAbsent(word, w -> new BitSet())
                                            .or(owners));
                            requireBeFew(t, all.size());
                        }
                    });
            return words;
        }

        private ArrayList<HashMap<String, BitSet>> at(Iterator<Row> part, Map<String, Integer> sources, long first) {
            ArrayList<HashMap<String, BitSet>> words = new ArrayList<>();
            Arrays.stream(columns).forEach(c -> words.add(new HashMap<>()));
            for (long number = first; part.hasNext(); number++) {
                Row row = part.next();
                int source = sources.get(layout.anySourceOf(row));
                for (int t = 0; t < columns.length; t++) {
                    Object cell = row.get(layout.features()[columns[t]]);
                    if (!RowLayout.isMissing(cell)) {
                        words.get(t)
                                .computeIfAbsent(written.name(columns[t], cell, number), w -> new BitSet())
                                .set(source);
                        requireBeFew(t, words.get(t).size());
                    }
                }
            }
            return words;
        }

        private void requireBeFew(int t, int categories) {
            if (categories > SeenRows.MAX_CATEGORIES) {
                throw new InputException(layout.tooManyCategories(layout.features()[columns[t]]));
            }
        }
    }
}
