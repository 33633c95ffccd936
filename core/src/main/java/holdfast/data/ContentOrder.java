package holdfast.data;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The order of rows that depends on nothing but what they hold: by the name of their source, then by {@link RowHash} as
 * an unsigned number. Rows with the same hash are interchangeable. Training on a Spark DataFrame, whose rows have no
 * order of their own, puts them in this order; so the same rows give the same bits, however they are stored.
 */
public final class ContentOrder {
    private ContentOrder() {}

    /** Returns the same rows in this order, their sources by name; sources without rows are gone. */
    public static Dataset sorted(Dataset rows) {
        long[] high = new long[rows.rows()];
        long[] low = new long[rows.rows()];
        RowHash hash = new RowHash();
        for (int r = 0; r < high.length; r++) {
            hash.start(source(rows, r), rows.label(r), rows.weight(r));
            rows.block(r).nonZeros(r % rows.blockRows(), hash::add);
            hash.end();
            high[r] = hash.high();
            low[r] = hash.low();
        }
        Dataset sorted = rows.select(IntStream.range(0, high.length)
                .boxed()
                .sorted(Comparator.<Integer, String>comparing(r -> source(rows, r))
                        .thenComparing((a, b) -> Long.compareUnsigned(high[a], high[b]))
                        .thenComparing((a, b) -> Long.compareUnsigned(low[a], low[b])))
                .mapToInt(Integer::intValue)
                .toArray());
        return rows.hasGroups() ? regrouped(sorted) : sorted;
    }

    private static String source(Dataset rows, int row) {
        return rows.hasGroups() ? rows.schema().groups().get(rows.group(row)) : "";
    }

    private static Dataset regrouped(Dataset sorted) {
        Map<String, Integer> index = new HashMap<>();
        int[] groups = IntStream.range(0, sorted.rows())
                .map(r -> {
                    Integer known = index.putIfAbsent(source(sorted, r), index.size());
                    return known == null ? index.size() - 1 : known;
                })
                .toArray();
        List<String> names = index.keySet().stream().sorted().toList();
        return sorted.grouped(names, groups);
    }
}
