package holdfast.sources;

import java.util.List;

/** A question that is asked about every source. To add one, add it to a list in {@link SourceVerdicts}. */
interface SourceTest {
    /** Returns the test's share of the level, relative to the other tests. */
    int share();

    /** Returns whether there is anything to ask. */
    default boolean applies(SourceComparison sources) {
        return true;
    }

    /**
     * Returns the sources that stand out.
     *
     * @param level the probability that any honest source is among them
     */
    List<Finding> find(SourceComparison sources, double level);
}
