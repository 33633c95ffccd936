package holdfast.formats;

import holdfast.data.UnusableSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** What is wrong with sources: for each, the first value that cannot be read or used, and where it is. */
final class SourceFaults implements Serializable {
    private static final long serialVersionUID = 1;

    private final ArrayList<Fault> first = new ArrayList<>();

    /** What is wrong in a row; faults of the same cause, which is null if there is no name for it, have equal ones. */
    private record Fault(long row, String cause, String reason) implements Serializable {}

    /**
     * Charges a source with a row.
     *
     * @param row counted from 0 over all rows of the table
     * @param cause what kind of value is wrong in which column; null if that cannot be compared
     * @param reason one line with the place; used only if it is the source's first
     */
    void charge(int source, long row, String cause, Supplier<String> reason) {
        while (source >= first.size()) {
            first.add(null);
        }
        Fault before = first.get(source);
        if (before == null || row < before.row) {
            first.set(source, new Fault(row, cause, reason.get()));
        }
    }

    void chargeAll(SourceFaults others) {
        for (int s = 0; s < others.first.size(); s++) {
            Fault fault = others.first.get(s);
            if (fault != null) {
                charge(s, fault.row, fault.cause, fault::reason);
            }
        }
    }

    /** Adds the faults of rows that come next; see {@link SourceFacts#merge}. */
    void merge(SourceFaults next, int[] sourceOf, long before) {
        for (int s = 0; s < next.first.size(); s++) {
            Fault fault = next.first.get(s);
            if (fault != null) {
                long row = before + fault.row;
                charge(
                        sourceOf[s],
                        row,
                        fault.cause,
                        () -> fault.reason.replaceFirst(SourceFacts.ROW, Long.toString(row + 1)));
            }
        }
    }

    boolean isFree(int source) {
        return source >= first.size() || first.get(source) == null;
    }

    /** Returns the reason that is first in the table. */
    String firstReason() {
        return first.stream()
                .filter(Objects::nonNull)
                .min(Comparator.comparingLong(Fault::row))
                .orElseThrow()
                .reason();
    }

    /** Returns the reason that is first in the table among those of one cause, if that one charges more than half of the sources. */
    Optional<String> common(int sources) {
        Map<String, List<Fault>> byCause = new LinkedHashMap<>();
        first.stream()
                .filter(fault -> fault != null && fault.cause != null)
                .forEach(fault -> byCause.computeIfAbsent(fault.cause, cause -> new ArrayList<>())
                        .add(fault));
        return byCause.values().stream()
                .filter(faults -> 2 * faults.size() > sources)
                .flatMap(List::stream)
                .min(Comparator.comparingLong(Fault::row))
                .map(Fault::reason);
    }

    /** Returns the sources that are charged, in their order. */
    List<UnusableSource> unusable(List<String> names) {
        List<UnusableSource> unusable = new ArrayList<>();
        for (int s = 0; s < first.size(); s++) {
            if (first.get(s) != null) {
                unusable.add(new UnusableSource(names.get(s), first.get(s).reason));
            }
        }
        return unusable;
    }
}
