package holdfast.formats;

import holdfast.data.UnusableSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** What is wrong with sources: for each, the first value that cannot be read or used, and where it is. */
final class SourceFaults {
    private final List<Fault> first = new ArrayList<>();

    private record Fault(int row, String reason) {}

    /**
     * Charges a source with a row.
     *
     * @param row counted from 0 over all rows of the table
     * @param reason one line with the place; used only if it is the source's first
     */
    void charge(int source, int row, Supplier<String> reason) {
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

    boolean isFree(int source) {
        return source >= first.size() || first.get(source) == null;
    }

    boolean isEmpty() {
        return first.stream().allMatch(Objects::isNull);
    }

    /** Returns the reason that is first in the table. */
    String firstReason() {
        return first.stream()
                .filter(Objects::nonNull)
                .min(Comparator.comparingInt(Fault::row))
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
