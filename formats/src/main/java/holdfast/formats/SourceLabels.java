package holdfast.formats;

import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.model.ModelFamily;
import holdfast.model.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The labels of a table with several sources, f of which may contain anything without deciding for the others. They are
 * what {@link Labels} would say about the labels that the others know:
 *
 * <ul>
 *   <li>A class is a label that more than f sources know. Rows with other labels are left out.
 *   <li>If the plan does not say whether labels are classes or numbers (model auto), they are numbers if, whichever f
 *       sources go, more than {@value Labels#MAX_NUMBERED} different numbers are left, or more than two of which one is
 *       not whole ({@link KnownValues#certain}). They also are if the classes so found cover half of the rows of only
 *       half of the sources or fewer, and most sources have numbers.
 * </ul>
 *
 * <p>A label that is missing, or not a number where labels are, is charged to its source.
 */
final class SourceLabels {
    private static final System.Logger LOG = System.getLogger("holdfast.formats");
    /** How many labels nobody wrote before a source may add: enough to exceed {@link Labels#MAX_CLASSES} alone. */
    private static final int MAX_NEW = Labels.MAX_CLASSES + 24;

    private static final int MAX_NAMED = 5;

    private final String file;
    private final String column;
    private final Target declared;
    private final SourceFaults words = new SourceFaults();
    /** The index of every way to write a label, and how many of them each source was the first to write. */
    private final Map<String, Integer> spellings = new HashMap<>();

    private int[] added = {};
    private final List<String> texts = new ArrayList<>();
    private final KnownValues writers = new KnownValues();
    private int rows;
    private Values values;
    /** For each row its spelling, -1 if that has no index; and its number, NaN for a word or a missing label. */
    private int[] codes = new int[256];

    private double[] numbers = new double[256];

    /**
     * The labels of a table.
     *
     * @param classes empty if labels are numbers
     * @param values the number or the index of the class of each row; NaN for rows that have none
     */
    record Decided(List<String> classes, double[] values) {}

    SourceLabels(String file, String column, Choice<ModelFamily> model) {
        this.file = file;
        this.column = column;
        this.declared = model.value().target().orElse(null);
    }

    /** Adds the label of the next row. */
    void add(CsvRows.Row row, int c, int source, CsvRows.Place place, SourceFaults faults) {
        if (rows == codes.length) {
            codes = Arrays.copyOf(codes, 2 * rows);
            numbers = Arrays.copyOf(numbers, 2 * rows);
        }
        int at = rows++;
        numbers[at] = row.number(c);
        codes[at] = -1;
        Supplier<String> where = () -> place.of(row, c);
        if (declared != null && !declared.isClass() && !Double.isNaN(numbers[at])) {
            requireAllowed(source, at, where, faults);
            return;
        }
        if (!Double.isNaN(numbers[at]) && !maySpell(source)) {
            return;
        }
        String text = row.cell(c).strip();
        Integer code = spellings.get(text);
        if (code == null) {
            if (Csv.isMissing(text)) {
                faults.charge(source, at, () -> Labels.missing(where.get(), text));
                return;
            }
            if (Double.isNaN(numbers[at])) {
                words.charge(source, at, () -> Labels.notANumber(where.get(), text, declared == null));
            }
            if (!maySpell(source)) {
                return;
            }
            added[source]++;
            code = texts.size();
            spellings.put(text, code);
            texts.add(text);
        } else if (Double.isNaN(numbers[at]) && words.isFree(source)) {
            words.charge(source, at, () -> Labels.notANumber(where.get(), text, declared == null));
        }
        codes[at] = code;
        writers.add(code, source);
    }

    private boolean maySpell(int source) {
        if (source >= added.length) {
            added = Arrays.copyOf(added, 2 * source + 16);
        }
        return added[source] < MAX_NEW;
    }

    private void requireAllowed(int source, int at, Supplier<String> where, SourceFaults faults) {
        try {
            declared.requireAllows(numbers[at], where);
        } catch (InputException e) {
            faults.charge(source, at, e::getMessage);
        }
    }

    /**
     * Decides what the labels are, and charges sources whose labels are not.
     *
     * @param sourceOf the source of each row
     */
    Decided decide(int[] sourceOf, List<String> sources, int f, SourceFaults faults) {
        values = new Values();
        boolean numeric = declared == null ? values.areNumbers(f, sourceOf, sources.size()) : !declared.isClass();
        if (numeric) {
            faults.chargeAll(words);
            return new Decided(List.of(), Arrays.copyOf(numbers, rows));
        }
        List<String> names = new ArrayList<>();
        int[] classOf = values.classes(f, names);
        requireBeClasses(names, f, sources.size());
        int[] sorted = Labels.inOrder(names);
        double[] place = new double[sorted.length];
        for (int c = 0; c < sorted.length; c++) {
            place[sorted[c]] = c;
        }
        double[] labels = new double[rows];
        for (int r = 0; r < rows; r++) {
            int value = values.of(r);
            labels[r] = value < 0 || classOf[value] < 0 ? Double.NaN : place[classOf[value]];
        }
        return new Decided(Arrays.stream(sorted).mapToObj(names::get).toList(), labels);
    }

    private void requireBeClasses(List<String> names, int f, int sources) {
        int different = names.size() >= 2 ? names.size() : values.count();
        Check.that(
                declared != null || different <= Labels.MAX_NUMBERED || 2 * different <= rows,
                "%s: %s has %d different values in %d rows; is it the label? use --model softmax if they are classes",
                file,
                column,
                different,
                rows);
        Check.that(
                names.size() >= 2,
                "%s: there must be two classes that more than %d of %d sources have, got %s in %s; --statistics pooled"
                        + " also counts classes of fewer sources",
                file,
                f,
                sources,
                names.isEmpty() ? "none" : "only " + names.get(0),
                column);
        Check.that(
                declared != Target.TWO_CLASSES || names.size() == 2,
                "%s: a label must have two values, got %d that more than %d sources have: %s",
                file,
                names.size(),
                f,
                names.stream().limit(MAX_NAMED).collect(Collectors.joining(", ")));
        Check.that(
                names.size() <= Labels.MAX_CLASSES,
                "%s: %s has more than %d different values; is it the label?",
                file,
                column,
                Labels.MAX_CLASSES);
    }

    /** Says that rows of usable sources are left out because their labels are no classes. */
    void warnOf(int[] leftOut, int[] sourceOf, List<String> sources, int f) {
        if (leftOut.length == 0) {
            return;
        }
        Set<String> labels = new TreeSet<>();
        Set<String> owners = new TreeSet<>();
        for (int r : leftOut) {
            labels.add(values.of(r) < 0 ? "others" : "'" + values.name(values.of(r)) + "'");
            owners.add(sources.get(sourceOf[r]));
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: {1} of {2} left out, because at most {3} of {4} sources have this {5}: {6} from {7}",
                file,
                leftOut.length == 1 ? "1 row" : leftOut.length + " rows",
                Integer.toString(rows),
                Integer.toString(f),
                Integer.toString(sources.size()),
                column,
                listed(labels),
                listed(owners));
    }

    private static String listed(Set<String> names) {
        return names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "");
    }

    /** The different labels: numbers are the same label however they are written. */
    private final class Values {
        private final Map<Object, Integer> index = new HashMap<>();
        private final int[] ofSpelling = new int[texts.size()];
        /** The spelling that most sources use; of several, the shortest, and then the first in the alphabet. */
        private final List<Integer> best = new ArrayList<>();

        private final KnownValues known = new KnownValues();

        Values() {
            Comparator<Integer> better = Comparator.<Integer>comparingInt(
                            s -> -writers.sources(s).cardinality())
                    .thenComparing(s -> texts.get(s).length())
                    .thenComparing(texts::get);
            for (int s = 0; s < texts.size(); s++) {
                int value = index.computeIfAbsent(Labels.key(texts.get(s)), key -> index.size());
                ofSpelling[s] = value;
                if (value == best.size()) {
                    best.add(s);
                } else if (better.compare(s, best.get(value)) < 0) {
                    best.set(value, s);
                }
                writers.sources(s).stream().forEach(source -> known.add(value, source));
            }
        }

        int count() {
            return best.size();
        }

        String name(int value) {
            return texts.get(best.get(value));
        }

        private double number(int value) {
            return Csv.number(name(value));
        }

        /** Returns the label of a row; -1 if it is missing or one of too many. */
        int of(int r) {
            return codes[r] >= 0
                    ? ofSpelling[codes[r]]
                    : Double.isNaN(numbers[r]) ? -1 : index.getOrDefault(numbers[r] == 0 ? 0.0 : numbers[r], -1);
        }

        boolean areNumbers(int f, int[] sourceOf, int sources) {
            int certain = known.certain(f, v -> !Double.isNaN(number(v)));
            int fractions = known.certain(f, v -> !Double.isNaN(number(v)) && number(v) != Math.rint(number(v)));
            return certain > Labels.MAX_NUMBERED
                    || fractions > 0 && certain > 2
                    || !classesCoverMost(f, sourceOf, sources) && mostHaveNumbers(sourceOf, sources);
        }

        private boolean classesCoverMost(int f, int[] sourceOf, int sources) {
            return most(sourceOf, sources, r -> of(r) >= 0 && known.isKnown(of(r), f));
        }

        private boolean mostHaveNumbers(int[] sourceOf, int sources) {
            return most(sourceOf, sources, r -> !Double.isNaN(numbers[r]));
        }

        /** Returns whether more than half of the sources have it in at least half of their rows. */
        private boolean most(int[] sourceOf, int sources, IntPredicate has) {
            int[] all = new int[sources];
            int[] having = new int[sources];
            for (int r = 0; r < rows; r++) {
                all[sourceOf[r]]++;
                having[sourceOf[r]] += has.test(r) ? 1 : 0;
            }
            long voters = Arrays.stream(all).filter(n -> n > 0).count();
            return 2
                            * IntStream.range(0, sources)
                                    .filter(s -> all[s] > 0 && 2L * having[s] >= all[s])
                                    .count()
                    > voters;
        }

        /** Adds the names of the classes and returns the class of each label, -1 if it is none. */
        int[] classes(int f, List<String> names) {
            return IntStream.range(0, count())
                    .map(v -> {
                        if (!known.isKnown(v, f)) {
                            return -1;
                        }
                        names.add(name(v));
                        return names.size() - 1;
                    })
                    .toArray();
        }
    }
}
