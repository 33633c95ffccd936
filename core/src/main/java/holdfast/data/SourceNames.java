package holdfast.data;

import holdfast.Check;
import holdfast.CloseNames;
import java.util.Collection;

/** Checks names of sources that a user gives. */
public final class SourceNames {
    private SourceNames() {}

    /**
     * Checks that there are sources of these names, and others beside them.
     *
     * @param setting that has the names, such as {@code --without}
     * @param known all sources
     * @throws holdfast.InputException that lists the closest names
     */
    public static void require(String setting, Collection<String> given, Collection<String> known) {
        for (String name : given) {
            Check.that(
                    known.contains(name),
                    "%s: there is no source '%s' among %d; the closest: %s",
                    setting,
                    name,
                    known.size(),
                    String.join(", ", CloseNames.of(name, known)));
        }
        Check.that(
                given.isEmpty() || !given.containsAll(known),
                "%s must leave a source for training, got all %d",
                setting,
                known.size());
    }
}
