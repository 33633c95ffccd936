package holdfast.formats;

import holdfast.data.UnusableSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** What is wrong with sources: for each, the first value that cannot be read or used, and where it is. */
final class SourceFaults implements Serializable {
    private static final long serialVersionUID = 1;

    private final ArrayList<Fault> first = new ArrayList<>();

    private record Fault(long row, String reason) implements Serializable {}

    /**
     * Charges a source with a row.
     *
     * @param row counted from 0 over all rows of the table
     * @param reason one line with the place; used only if it is the source's first
     */
    void charge(int source, long row, Supplier<String> reason) {
        while (source >= first.size()) {
            first.add(null);
        }
        Fault before = first.get(source);
        if (before == null || row < before.row) {
            first.set(source, new Fault(row, reason.get()));
        }
    }

    void chargeAll(SourceFaults others) {
        for (int s = 0; s < others.first.size(); s++) {
            Fault fault = others.first.get(s);
            if (fault != null) {
                charge(s, fault.row, fault::reason);
            }
        }
    }

    /** Adds the faults of rows that come next; see {@link SourceFacts#merge}. */
    void merge(SourceFaults next, int[] sourceOf, long before) {
        for (int s = 0; s < next.first.size(); s++) {
            Fault fault = next.first.get(s);
            if (fault != null) {
                long row = before + fault.row;
                charge(sourceOf[s], row, () -> fault.reason.replaceFirst(SourceFacts.ROW, Long.toString(row + 1)));
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
