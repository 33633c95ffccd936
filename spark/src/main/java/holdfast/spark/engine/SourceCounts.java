package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many rows each source has; sources are numbered in the order of their first rows. */
@DefaultSerializer(JavaSerializer.class)
final class SourceCounts implements Serializable {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> names = new ArrayList<>();
    private long[] rows = new long[16];
    private transient Map<String, Integer> index = new HashMap<>();

    /** Counts rows of a source and returns its number. */
    int add(String name, long more) {
        if (index == null) {
            index = new HashMap<>();
            names.forEach(known -> index.put(known, index.size()));
        }
        Integer known = index.get(name);
        int source = known == null ? names.size() : known;
        if (known == null) {
            index.put(name, source);
            names.add(name);
            rows = source < rows.length ? rows : Arrays.copyOf(rows, 2 * source);
        }
        rows[source] += more;
        return source;
    }

    /** Adds the counts of the rows that come next and returns the numbers that their sources have here. */
    int[] addAll(SourceCounts next) {
        int[] numbers = new int[next.size()];
        for (int s = 0; s < numbers.length; s++) {
            numbers[s] = add(next.names.get(s), next.rows[s]);
        }
        return numbers;
    }

    int size() {
        return names.size();
    }

    List<String> names() {
        return Collections.unmodifiableList(names);
    }

    /** Returns the number of rows by name, in the order of the sources. */
    Map<String, Long> byName() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int s = 0; s < size(); s++) {
            counts.put(names.get(s), rows[s]);
        }
        return counts;
    }
}
