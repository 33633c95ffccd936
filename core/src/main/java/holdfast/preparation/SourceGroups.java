package holdfast.preparation;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which sources are measured together before training. A source with few rows says little by itself, so small sources
 * are pooled, in their order, until a group has R rows. R is the largest of {@value #MAX_ROWS}, {@value #MAX_ROWS}/2,
 * ..., 1 that leaves at least 4f+1 groups, or as many as there are sources. A source is in one group, so f sources
 * spoil at most f groups.
 *
 * @param groupOf the group of each source, counted from 0; 0 for a source without rows
 * @param count how many groups there are
 * @param tolerated how many of them may be spoilt: f, but less than half
 */
public record SourceGroups(int[] groupOf, int count, int tolerated) {
    private static final int MAX_ROWS = 64;

    public SourceGroups {
        groupOf = groupOf.clone();
    }

    /** Returns a copy. */
    @Override
    public int[] groupOf() {
        return groupOf.clone();
    }

    /**
     * Groups sources.
     *
     * @param sizes how many rows each source has
     * @param tolerated f
     */
    public static SourceGroups of(long[] sizes, int tolerated) {
        Check.that(sizes.length > 0, "there must be a source");
        long wanted = Math.min(Arrays.stream(sizes).filter(rows -> rows > 0).count(), 4L * tolerated + 1);
        int rows = MAX_ROWS;
        int[] groupOf = group(sizes, rows);
        while (count(groupOf) < wanted) {
            rows /= 2;
            groupOf = group(sizes, rows);
        }
        int count = count(groupOf);
        return new SourceGroups(groupOf, count, Math.min(tolerated, (count - 1) / 2));
    }

    private static int[] group(long[] sizes, int rows) {
        int[] groupOf = new int[sizes.length];
        int next = 0;
        int open = -1;
        long held = 0;
        for (int s = 0; s < sizes.length; s++) {
            if (sizes[s] == 0) {
                continue;
            }
            if (sizes[s] >= rows) {
                groupOf[s] = next++;
                continue;
            }
            open = open < 0 ? next++ : open;
            groupOf[s] = open;
            held += sizes[s];
            if (held >= rows) {
                open = -1;
                held = 0;
            }
        }
        return groupOf;
    }

    private static int count(int[] groupOf) {
        return Arrays.stream(groupOf).max().orElse(0) + 1;
    }

    /** Returns how the groups' numbers are combined. */
    public AcrossSources across() {
        return new AcrossSources(tolerated);
    }

    /** Returns names for the groups, which are never shown. */
    public List<String> names() {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
}
