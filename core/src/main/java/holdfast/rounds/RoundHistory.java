package holdfast.rounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who was screened when, and how the objective went: rounds counted in bins of equally many. There are never more than
 * {@value #MAX_BINS} bins, because two neighbours become one whenever there would be, so long runs stay small. The
 * {@link Ledger} has the sums over all rounds.
 */
public final class RoundHistory implements RoundListener {
    public static final int MAX_BINS = 60;

    private final List<Bin> bins = new ArrayList<>();
    private int width = 1;

    /** Creates a history without rounds. */
    public RoundHistory() {}

    /**
     * Neighbouring rounds.
     *
     * @param first the first of them, from 0
     * @param rounds how many there are
     * @param screened by worker, the rounds in which its update did not count
     * @param failed by worker, the rounds in which it sent nothing usable
     * @param objective the last one that was asked for in these rounds, NaN if none was
     */
    public record Bin(int first, int rounds, int[] screened, int[] failed, double objective) {
        private static Bin of(RoundRecord round) {
            double[] norms = round.norms();
            int[] kept = round.kept();
            int[] screened = new int[norms.length];
            int[] failed = new int[norms.length];
            for (int w = 0; w < norms.length; w++) {
                failed[w] = Double.isNaN(norms[w]) ? 1 : 0;
                screened[w] = failed[w] == 0 && Arrays.binarySearch(kept, w) < 0 ? 1 : 0;
            }
            return new Bin(round.round(), 1, screened, failed, round.objective());
        }

        private Bin and(Bin next) {
            return new Bin(
                    first,
                    rounds + next.rounds,
                    sum(screened, next.screened),
                    sum(failed, next.failed),
                    Double.isNaN(next.objective) ? objective : next.objective);
        }

        private static int[] sum(int[] a, int[] b) {
            int[] sum = a.clone();
            Arrays.setAll(sum, w -> a[w] + b[w]);
            return sum;
        }

        /** A copy. */
        @Override
        public int[] screened() {
            return screened.clone();
        }

        /** A copy. */
        @Override
        public int[] failed() {
            return failed.clone();
        }
    }

    @Override
    public void finished(RoundRecord round) {
        Bin next = Bin.of(round);
        int last = bins.size() - 1;
        if (last >= 0 && bins.get(last).rounds < width) {
            bins.set(last, bins.get(last).and(next));
            return;
        }
        if (bins.size() == MAX_BINS) {
            mergePairs();
        }
        bins.add(next);
    }

    private void mergePairs() {
        for (int i = 0; i < MAX_BINS / 2; i++) {
            bins.set(i, bins.get(2 * i).and(bins.get(2 * i + 1)));
        }
        bins.subList(MAX_BINS / 2, MAX_BINS).clear();
        width *= 2;
    }

    /** Returns the bins in order; the last one may have fewer rounds than the others. */
    public List<Bin> bins() {
        return List.copyOf(bins);
    }
}
