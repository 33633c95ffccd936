package holdfast.certificate;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Which sources count if some of them may lie: the mean of the m - b largest values of m sources is not below the mean over the
 * honest ones, whichever b lie and whatever they say.
 */
final class LargestSources {
    private LargestSources() {}

    /** Returns how many sources are kept. */
    static int kept(int sources, int tolerated) {
        Check.that(
                tolerated >= 0 && tolerated < sources,
                "the number of sources that may lie must be from 0 to %d, got %d",
                sources - 1,
                tolerated);
        return sources - tolerated;
    }

    /** Returns the sources with the largest values, ascending by index; the first of equal ones. */
    static int[] of(double[] values, int[] among, int kept) {
        if (kept == among.length) {
            return among;
        }
        return IntStream.of(among)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer g) -> -values[g]).thenComparingInt(g -> g))
                .limit(kept)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    static double mean(double[] values, int[] sources) {
        return Vectors.sum(Arrays.stream(sources).mapToDouble(g -> values[g]).toArray(), sources.length)
                / sources.length;
    }
}
