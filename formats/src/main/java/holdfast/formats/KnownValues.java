package holdfast.formats;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Which sources know which values, numbered from 0: tells what is common from what a few sources may have made up. */
public final class KnownValues {
    private final List<BitSet> sources = new ArrayList<>();

    /** Creates an empty list. */
    public KnownValues() {}

    /** Says that a source knows a value. */
    public void add(int value, int source) {
        while (value >= sources.size()) {
            sources.add(new BitSet());
        }
        sources.get(value).set(source);
    }

    /** Returns how many values there are. */
    int size() {
        return sources.size();
    }

    /** Returns whether more than f sources know a value, so that an honest one does. */
    boolean isKnown(int value, int f) {
        return sources.get(value).cardinality() > f;
    }

    /**
     * Returns how many of the chosen values are left at least, whichever f sources go. A value goes only with all its
     * sources, so it has at most f; each source is charged with all its values that at most f sources know:
     *
     * <pre>values - (sum of the f largest charges)</pre>
     *
     * <p>So f sources that add any values cannot raise the result above the number of values that the others know.
     */
    int certain(int f, IntPredicate chosen) {
        int[] values = IntStream.range(0, sources.size()).filter(chosen).toArray();
        int most = sources.stream().mapToInt(BitSet::length).max().orElse(0);
        int[] charges = new int[most];
        for (int value : values) {
            if (!isKnown(value, f)) {
                sources.get(value).stream().forEach(s -> charges[s]++);
            }
        }
        int sum = IntStream.of(charges).sorted().skip(Math.max(0, most - f)).sum();
        return Math.max(0, values.length - sum);
    }
}
