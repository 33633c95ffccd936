package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.model.Target;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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
 * <p>A label that is missing, or not a number where labels are, is charged to its source; so are more different labels
 * than there can be classes, where labels are classes. If the plan lists the classes, these are the classes, and any other
 * label is charged to its source.
 */
final class SourceLabels implements Serializable {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger("holdfast.formats");
    /** How many ways to write a label are kept of each source: enough to exceed {@link Labels#MAX_CLASSES} alone. */
    private static final int MAX_SPELLINGS = Labels.MAX_CLASSES + 24;
    /** How many of them are numbers, if these may be numbers: enough to exceed {@link Labels#MAX_NUMBERED}. */
    private static final int MAX_NUMBERS = Labels.MAX_NUMBERED + 12;

    private static final int MAX_NAMED = 5;

    private final String column;
    /** Null unless the plan says what labels are. */
    private final Target declared;
    /** The classes that the plan lists; empty if it does not. */
    private final ArrayList<String> listed;

    private final HashSet<Object> keys;
    private final SourceFaults words = new SourceFaults();
    private final HashMap<String, Integer> codes = new HashMap<>();
    private final ArrayList<Own> sources = new ArrayList<>();

    /** The labels of one source. */
    private static final class Own implements Serializable {
        private static final long serialVersionUID = 1;

        /** How many rows have a number. */
        private long numbers;

        private final LinkedHashMap<String, Spelling> spellings = new LinkedHashMap<>();
        /** How many of the spellings are numbers. */
        private int different;

        private boolean tooMany;
    }

    /** How a source writes a label, and in how many rows. */
    private static final class Spelling implements Serializable {
        private static final long serialVersionUID = 1;

        private final int code;
        private long rows;

        Spelling(int code) {
            this.code = code;
        }
    }

    SourceLabels(String column, Target declared, List<String> listed) {
        this.column = column;
        this.declared = declared;
        this.listed = new ArrayList<>(listed);
        this.keys = new HashSet<>(keys(listed));
        Labels.requireDiffer(listed);
    }

    /**
     * Adds a label.
     *
     * @param number the label's number; NaN if it is none
     * @param text the label as it is written, without space around it
     * @return the index of its spelling; -1 if it is missing, or labels cannot be classes
     */
    int add(int source, double number, Supplier<String> text, long row, Supplier<String> at, SourceFaults faults) {
        Own own = own(source);
        boolean isNumber = !Double.isNaN(number);
        own.numbers += isNumber ? 1 : 0;
        boolean numeric = declared != null && !declared.isClass();
        if (isNumber && numeric) {
            requireAllowed(source, number, row, at, faults);
        }
        if (isNumber && (numeric || own.tooMany)) {
            return -1;
        }
        String cell = text.get();
        Spelling known = own.spellings.get(cell);
        if (known == null && Csv.isMissing(cell)) {
            faults.charge(source, row, "missing label", () -> Labels.missing(at.get(), cell));
            return -1;
        }
        if (!listed.isEmpty() && known == null && !keys.contains(Labels.key(cell))) {
            faults.charge(source, row, "class", () -> Labels.notListed(at.get(), cell, listed));
            return -1;
        }
        if (!isNumber && words.isFree(source)) {
            words.charge(source, row, "label", () -> Labels.notANumber(at.get(), cell, declared == null));
        }
        return numeric ? -1 : spell(own, cell, known, 1);
    }

    private Own own(int source) {
        while (source >= sources.size()) {
            sources.add(new Own());
        }
        return sources.get(source);
    }

    private void requireAllowed(int source, double number, long row, Supplier<String> at, SourceFaults faults) {
        try {
            declared.requireAllows(number, at);
        } catch (InputException e) {
            faults.charge(source, row, "refused label", e::getMessage);
        }
    }

    private int spell(Own own, String text, Spelling known, long rows) {
        Spelling spelling = known;
        if (spelling == null) {
            boolean number = declared == null && !Double.isNaN(Csv.number(text));
            if (own.spellings.size() == MAX_SPELLINGS || number && own.different == MAX_NUMBERS) {
                own.tooMany = true;
                return -1;
            }
            own.different += number ? 1 : 0;
            spelling = new Spelling(codes.computeIfAbsent(text, t -> codes.size()));
            own.spellings.put(text, spelling);
        }
        spelling.rows += rows;
        return spelling.code;
    }

    /** Adds the labels of rows that come next; see {@link SourceFacts#merge}. */
    void merge(SourceLabels next, int[] sourceOf, long before) {
        words.merge(next.words, sourceOf, before);
        for (int s = 0; s < next.sources.size(); s++) {
            Own own = own(sourceOf[s]);
            Own more = next.sources.get(s);
            own.numbers += more.numbers;
            more.spellings.forEach((text, spelling) -> spell(own, text, own.spellings.get(text), spelling.rows));
            own.tooMany |= more.tooMany;
        }
    }

    /**
     * Decides what the labels are, and charges sources whose labels are not.
     *
     * @param rows how many rows each source has
     * @param f how many sources may contain anything
     * @return the classes in their order; empty if labels are numbers
     */
    List<String> decide(String file, long[] rows, int f, SourceFaults faults) {
        own(rows.length - 1);
        if (!listed.isEmpty()) {
            return List.copyOf(listed);
        }
        Values values = new Values();
        if (declared == null ? values.areNumbers(f, rows) : !declared.isClass()) {
            faults.chargeAll(words);
            return List.of();
        }
        List<String> known = IntStream.range(0, values.count())
                .filter(v -> values.known.isKnown(v, f))
                .mapToObj(values::name)
                .toList();
        List<String> names =
                IntStream.of(Labels.inOrder(known)).mapToObj(known::get).toList();
        long all = LongStream.of(rows).sum();
        requireBeClasses(file, names, values.count(), f, rows.length, all);
        Set<Object> keys = keys(names);
        for (int s = 0; s < rows.length; s++) {
            if (faults.isFree(s)) {
                requireHaveClasses(file, s, keys, f, all, faults);
            }
        }
        return names;
    }

    private void requireBeClasses(String file, List<String> names, int values, int f, int sources, long rows) {
        int different = names.size() >= 2 ? names.size() : values;
        Check.that(
                declared != null || different <= Labels.MAX_NUMBERED || 2L * different <= rows,
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

    /** Charges a source that has too many labels, or none that is a class. */
    private void requireHaveClasses(
            String file, int source, Set<Object> classes, int f, long row, SourceFaults faults) {
        if (sources.get(source).tooMany) {
            faults.charge(
                    source, row, "labels", () -> file + ": too many different labels (" + column + ") to be classes");
        } else if (unknown(source, classes).size()
                == sources.get(source).spellings.size()) {
            faults.charge(
                    source,
                    row,
                    null,
                    () -> file + ": no row has a label (" + column + ") that more than " + f + " sources have");
        }
    }

    private static Set<Object> keys(List<String> classes) {
        return classes.stream().map(Labels::key).collect(Collectors.toSet());
    }

    /** Returns the labels of a source that are no classes. */
    private List<String> unknown(int source, Set<Object> classes) {
        return sources.get(source).spellings.keySet().stream()
                .filter(text -> !classes.contains(Labels.key(text)))
                .toList();
    }

    /** Returns for each spelling the index of its class; -1 if it is none. */
    int[] classOf(List<String> classes) {
        Map<Object, Integer> place = new HashMap<>();
        classes.forEach(name -> place.put(Labels.key(name), place.size()));
        int[] classOf = new int[codes.size()];
        codes.forEach((text, code) -> classOf[code] = place.getOrDefault(Labels.key(text), -1));
        return classOf;
    }

    /**
     * Says that rows of usable sources are left out because their labels are no classes.
     *
     * @param classes empty if labels are numbers
     * @return how many there are
     */
    long warnOf(String file, List<String> classes, List<String> names, long rows, int f, SourceFaults faults) {
        Set<Object> known = keys(classes);
        Set<String> labels = new TreeSet<>();
        Set<String> owners = new TreeSet<>();
        long leftOut = 0;
        for (int s = 0; s < sources.size() && !classes.isEmpty(); s++) {
            for (String text : faults.isFree(s) ? unknown(s, known) : List.<String>of()) {
                leftOut += sources.get(s).spellings.get(text).rows;
                labels.add("'" + text + "'");
                owners.add(names.get(s));
            }
        }
        if (leftOut > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} of {2} left out, because at most {3} of {4} sources have this {5}: {6} from {7}",
                    file,
                    leftOut == 1 ? "1 row" : leftOut + " rows",
                    Long.toString(rows),
                    Integer.toString(f),
                    Integer.toString(names.size()),
                    column,
                    listed(labels),
                    listed(owners));
        }
        return leftOut;
    }

    private static String listed(Set<String> names) {
        return names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "");
    }

    /** The different labels: numbers are the same label however they are written. */
    private final class Values {
        private final String[] texts = new String[codes.size()];
        private final int[] ofSpelling = new int[texts.length];
        /** The spelling that most sources use; of several, the shortest, and then the first in the alphabet. */
        private final List<Integer> best = new ArrayList<>();

        private final KnownValues known = new KnownValues();

        Values() {
            int[] writers = new int[texts.length];
            codes.forEach((text, code) -> texts[code] = text);
            sources.forEach(own -> own.spellings.values().forEach(spelling -> writers[spelling.code]++));
            Comparator<Integer> better = Comparator.<Integer>comparingInt(s -> -writers[s])
                    .thenComparing(s -> texts[s].length())
                    .thenComparing(s -> texts[s]);
            Map<Object, Integer> index = new HashMap<>();
            for (int s = 0; s < texts.length; s++) {
                int value = index.computeIfAbsent(Labels.key(texts[s]), key -> index.size());
                ofSpelling[s] = value;
                if (value == best.size()) {
                    best.add(s);
                } else if (better.compare(s, best.get(value)) < 0) {
                    best.set(value, s);
                }
            }
            for (int s = 0; s < sources.size(); s++) {
                int source = s;
                sources.get(s).spellings.values().forEach(spelling -> known.add(ofSpelling[spelling.code], source));
            }
        }

        int count() {
            return best.size();
        }

        String name(int value) {
            return texts[best.get(value)];
        }

        private double number(int value) {
            return Csv.number(name(value));
        }

        boolean areNumbers(int f, long[] rows) {
            int certain = known.certain(f, v -> !Double.isNaN(number(v)));
            int fractions = known.certain(f, v -> !Double.isNaN(number(v)) && number(v) != Math.rint(number(v)));
            return certain > Labels.MAX_NUMBERED
                    || fractions > 0 && certain > 2
                    || !most(rows, s -> 2 * inClasses(s, f) >= rows[s])
                            && most(rows, s -> 2 * sources.get(s).numbers >= rows[s]);
        }

        /** Returns how many rows of a source are in classes; none are if it has too many labels to be classes. */
        private long inClasses(int source, int f) {
            Own own = sources.get(source);
            return own.tooMany
                    ? 0
                    : own.spellings.values().stream()
                            .filter(spelling -> known.isKnown(ofSpelling[spelling.code], f))
                            .mapToLong(spelling -> spelling.rows)
                            .sum();
        }

        /** Returns whether more than half of the sources that have rows have it. */
        private boolean most(long[] rows, IntPredicate has) {
            int[] voters =
                    IntStream.range(0, rows.length).filter(s -> rows[s] > 0).toArray();
            return 2 * IntStream.of(voters).filter(has).count() > voters.length;
        }
    }
}
