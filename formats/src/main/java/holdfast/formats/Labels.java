package holdfast.formats;

import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.model.ModelFamily;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The labels of a file, in the order of its rows: classes by name, or numbers. If the plan does not say which (model
 * auto), words are classes, and so are two different numbers or up to {@value #MAX_NUMBERED} different whole numbers;
 * other numbers are numbers. A word among those is an error: a missing price must not turn the other prices into
 * classes.
 */
public final class Labels {
    static final int MAX_NUMBERED = 20;
    public static final int MAX_CLASSES = 1000;

    private final String file;
    private final String column;
    /** Null until the labels have shown it. */
    private Target target;

    private final boolean auto;
    private final boolean closed;
    /** Whether a plan lists the classes. */
    private final boolean listed;

    private final List<String> names = new ArrayList<>();
    /** The index of each class, by what identifies it and by every way it was written. */
    private final Map<Object, Integer> index = new HashMap<>();

    /** The first label that is not a number, as its location and its text; null while there is none. */
    private String[] word;

    private int numbers;
    private boolean whole = true;
    private double[] values = new double[256];
    private int rows;

    /** Creates labels to learn from, for the model that a plan names. */
    public Labels(String file, String column, Choice<ModelFamily> model) {
        this.file = file;
        this.column = column;
        this.target = model.value().target().orElse(null);
        this.auto = target == null;
        this.closed = false;
        this.listed = false;
    }

    /**
     * Creates labels to learn from, as a plan says what they are.
     *
     * @throws InputException if the plan lists a class twice, perhaps written in another way
     */
    public Labels(String file, String column, Plan plan) {
        this.file = file;
        this.column = column;
        this.target = plan.target().orElse(null);
        this.auto = target == null;
        this.listed = !plan.get(PlanKey.CLASSES).names().isEmpty();
        this.closed = listed;
        requireDiffer(plan.get(PlanKey.CLASSES).names());
        plan.get(PlanKey.CLASSES).names().forEach(this::name);
    }

    /** Creates more labels like those that were learnt from, with any kind of numbers. */
    Labels(String file, Schema schema) {
        this(file, schema, schema.classes().isEmpty() ? Target.NUMBER : Target.CLASSES);
    }

    /** Creates more labels like those that were learnt from, for a model of this kind. */
    public Labels(String file, Schema schema, Target target) {
        this.file = file;
        this.column = schema.label();
        this.target = target;
        schema.classes().forEach(this::name);
        this.auto = false;
        this.closed = true;
        this.listed = false;
    }

    /**
     * Adds a label.
     *
     * @param at describes where the cell is, for messages
     */
    public void add(String cell, Supplier<String> at) {
        double value = value(cell, at);
        if (rows == values.length) {
            values = Arrays.copyOf(values, 2 * rows);
        }
        values[rows++] = value;
    }

    /**
     * Returns the number, or the index of the class in order of first appearance. For labels like those learnt from,
     * classes keep the order of training.
     */
    public double value(String cell, Supplier<String> at) {
        Integer written = index.get(cell);
        if (written != null) {
            return written;
        }
        String text = cell.strip();
        requireBeThere(text, at);
        return target == null || target.isClass() ? classOf(text, at) : number(text, at);
    }

    /** Returns whether labels like those learnt from have this class. */
    public boolean knows(String cell) {
        return index.containsKey(cell) || index.containsKey(key(cell.strip()));
    }

    /**
     * Checks that a label is present.
     *
     * @throws InputException for a cell that stands for a missing value
     */
    public static void requireBeThere(String text, Supplier<String> at) {
        if (Csv.isMissing(text)) {
            throw new InputException(missing(at.get(), text));
        }
    }

    /** Says that a label is missing. */
    static String missing(String at, String text) {
        return at + " must be a label, got "
                + (text.isEmpty() ? "an empty cell" : "'" + text + "', which stands for a missing one");
    }

    private double number(String text, Supplier<String> at) {
        double value = Csv.number(text);
        if (Double.isNaN(value)) {
            throw new InputException(notANumber(at.get(), text, auto));
        }
        target.requireAllows(value, at);
        return value;
    }

    private double classOf(String text, Supplier<String> where) {
        Integer known = index.get(key(text));
        if (known != null) {
            index.put(text, known);
            return known;
        }
        String at = where.get();
        if (listed) {
            throw new InputException(notListed(at, text, names));
        }
        Check.that(
                !closed,
                "%s must be a class met in training, %s; got '%s'",
                at,
                String.join(names.size() == 2 ? " or " : ", ", names),
                text);
        Check.that(
                target != Target.TWO_CLASSES || names.size() < 2,
                "%s: a label must have two values, got a third: '%s' beside %s",
                at,
                text,
                String.join(" and ", names));
        double value = Csv.number(text);
        if (Double.isNaN(value)) {
            word = word == null ? new String[] {at, text} : word;
        } else {
            numbers++;
            whole &= value == Math.rint(value);
            if (target == null && numbers > MAX_NUMBERED) {
                becomeNumbers();
                return number(text, where);
            }
        }
        name(text);
        Check.that(
                names.size() <= MAX_CLASSES,
                "%s: %s has more than %d different values; is it the label?",
                file,
                column,
                MAX_CLASSES);
        return names.size() - 1;
    }

    /** Checks that no two classes are the same number. */
    static void requireDiffer(List<String> classes) {
        Check.that(
                classes.stream().map(Labels::key).distinct().count() == classes.size(),
                "--classes must list every class once, got %s, of which two are the same number",
                String.join(",", classes));
    }

    /** Says that a label is none of the classes that a plan lists. */
    static String notListed(String at, String text, List<String> classes) {
        return at + " must be one of --classes " + String.join(",", classes) + ", got '" + text + "'";
    }

    private void name(String text) {
        index.put(key(text), names.size());
        names.add(text);
    }

    /** Returns what identifies a class: numbers are the same class however they are written. */
    static Object key(String text) {
        double value = Csv.number(text);
        return Double.isNaN(value) ? text : (Object) (value == 0 ? 0.0 : value);
    }

    /** Says that a label is not a number. */
    static String notANumber(String at, String text, boolean auto) {
        return at + " must be a number"
                + (auto
                        ? " like other labels, got '" + CellReader.written(text)
                                + "'; use --model softmax if they are classes"
                        : ", got '" + CellReader.written(text) + "'"
                                + (CellReader.hasPoint(text) ? "; with --decimal comma, numbers have commas" : ""));
    }

    private void becomeNumbers() {
        if (word != null) {
            throw new InputException(notANumber(word[0], word[1], auto));
        }
        for (int r = 0; r < rows; r++) {
            values[r] = Csv.number(names.get((int) values[r]));
        }
        names.clear();
        index.clear();
        target = Target.NUMBER;
    }

    /**
     * Returns the classes in numerical or alphabetical order; empty if labels are numbers. Call this after all labels
     * are read.
     */
    List<String> finish() {
        return finish(rows);
    }

    /**
     * Returns the same as {@link #finish()} if equal labels were added only once.
     *
     * @param all the number of rows
     */
    public List<String> finish(long all) {
        if (target == null) {
            if (!whole && numbers > 2) {
                becomeNumbers();
            } else {
                target = Target.CLASSES;
            }
        }
        if (!target.isClass() || closed) {
            return names;
        }
        Check.that(
                !auto || names.size() <= MAX_NUMBERED || 2 * names.size() <= all,
                "%s: %s has %d different values in %d rows; is it the label? use --model softmax if they are classes",
                file,
                column,
                names.size(),
                all);
        Check.that(
                names.size() >= 2,
                "%s: there must be rows of %s, but every %s is %s",
                file,
                target == Target.TWO_CLASSES ? "both classes" : auto ? "different labels" : "several classes",
                column,
                names.get(0));
        int[] sorted = inOrder(names);
        int[] place = new int[sorted.length];
        for (int c = 0; c < sorted.length; c++) {
            place[sorted[c]] = c;
        }
        for (int r = 0; r < rows; r++) {
            values[r] = place[(int) values[r]];
        }
        return Arrays.stream(sorted).mapToObj(names::get).toList();
    }

    /** Returns the indices of classes in numerical order, or in alphabetical order if one is not a number. */
    static int[] inOrder(List<String> names) {
        boolean numbers = names.stream().noneMatch(name -> Double.isNaN(Csv.number(name)));
        Comparator<Integer> order =
                numbers ? Comparator.comparingDouble(c -> Csv.number(names.get(c))) : Comparator.comparing(names::get);
        return IntStream.range(0, names.size())
                .boxed()
                .sorted(order)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Checks that numbers are of the kind that these labels have.
     *
     * @throws InputException if they are not
     */
    void requireAllow(Dataset data) {
        for (int r = 0; r < data.rows(); r++) {
            target.requireAllows(data.label(r), () -> file);
        }
    }

    /** Returns these rows with the labels that were read, in order. */
    Dataset of(Dataset data) {
        int[] done = new int[1];
        return data.map(block -> {
            int from = done[0];
            done[0] += block.rows();
            return block.relabelled(Arrays.copyOfRange(values, from, done[0]));
        });
    }
}
