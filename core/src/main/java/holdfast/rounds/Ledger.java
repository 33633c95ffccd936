package holdfast.rounds;

import holdfast.sources.SourceVerdicts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What happened to each worker, counted over the rounds. Being screened is no accusation: even if nobody lies, some
 * honest workers are screened in nearly every round. {@link SourceVerdicts} decides statistically who is suspect.
 */
public final class Ledger implements RoundListener {
    /** Beyond this many remembered rounds every second one is forgotten, so that long runs stay small. */
    private static final int MAX_REMEMBERED = 4096;
    /** The maximum number of norm ratios in all: with many workers fewer rounds are remembered. */
    private static final int MAX_RATIOS = 1 << 22;
    /** The minimum number of remembered rounds before any is forgotten; enough for a median. */
    private static final int MIN_REMEMBERED = 64;

    private final List<String> workers;
    private final int[] screened;
    private final int[] failed;
    /** Norm ratios of the remembered rounds, one array per round, by worker. */
    private final List<float[]> ratios = new ArrayList<>();

    private final int maxRemembered;
    private int rounds;
    private int stride = 1;

    /**
     * One worker's line.
     *
     * @param screened rounds in which its update did not count
     * @param failed rounds in which it sent nothing usable
     * @param medianNormRatio median over rounds of its norm divided by the round's median norm; over evenly spaced
     *     rounds in runs of 4096 and more, or of 64 and more where there are thousands of workers
     */
    public record Line(String worker, int rounds, int screened, int failed, double medianNormRatio) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s: screened in %d of %d rounds, failed in %d, norm %.3g times the median's",
                    worker,
                    screened,
                    rounds,
                    failed,
                    medianNormRatio);
        }
    }

    public Ledger(List<String> workers) {
        this.workers = List.copyOf(workers);
        this.screened = new int[workers.size()];
        this.failed = new int[workers.size()];
        int affordable = Integer.highestOneBit(Math.max(1, MAX_RATIOS / Math.max(1, workers.size())));
        this.maxRemembered = Math.max(MIN_REMEMBERED, Math.min(MAX_REMEMBERED, affordable));
    }

    @Override
    public void finished(RoundRecord round) {
        double[] norms = round.norms();
        int[] kept = round.kept();
        for (int w = 0; w < norms.length; w++) {
            if (Double.isNaN(norms[w])) {
                failed[w]++;
            } else if (Arrays.binarySearch(kept, w) < 0) {
                screened[w]++;
            }
        }
        if (rounds % stride == 0) {
            double median = median(norms);
            float[] own = new float[norms.length];
            for (int w = 0; w < own.length; w++) {
                own[w] = (float) (norms[w] / median);
            }
            ratios.add(own);
        }
        rounds++;
        if (ratios.size() == maxRemembered) {
            forgetEverySecond();
        }
    }

    private void forgetEverySecond() {
        for (int i = ratios.size() - 1; i > 0; i -= 2) {
            ratios.remove(i);
        }
        stride *= 2;
    }

    public List<Line> lines() {
        return IntStream.range(0, workers.size())
                .mapToObj(w -> new Line(
                        workers.get(w),
                        rounds,
                        screened[w],
                        failed[w],
                        median(ratios.stream().mapToDouble(own -> own[w]).toArray())))
                .toList();
    }

    /** The counts as a value, for a checkpoint. */
    public Snapshot snapshot() {
        float[][] used = new float[workers.size()][ratios.size()];
        for (int r = 0; r < ratios.size(); r++) {
            for (int w = 0; w < used.length; w++) {
                used[w][r] = ratios.get(r)[w];
            }
        }
        return new Snapshot(workers, rounds, stride, screened.clone(), failed.clone(), used);
    }

    /**
     * A ledger as a value.
     *
     * @param stride one round in this many is remembered
     * @param ratios by worker, the remembered norm ratios
     */
    public record Snapshot(
            List<String> workers, int rounds, int stride, int[] screened, int[] failed, float[][] ratios) {

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

        /** A copy. */
        @Override
        public float[][] ratios() {
            return Arrays.stream(ratios).map(float[]::clone).toArray(float[][]::new);
        }
    }

    public static Ledger of(Snapshot snapshot) {
        Ledger ledger = new Ledger(snapshot.workers());
        ledger.rounds = snapshot.rounds();
        ledger.stride = snapshot.stride();
        int m = ledger.screened.length;
        System.arraycopy(snapshot.screened(), 0, ledger.screened, 0, m);
        System.arraycopy(snapshot.failed(), 0, ledger.failed, 0, m);
        for (int r = 0; r < snapshot.ratios[0].length; r++) {
            float[] round = new float[m];
            for (int w = 0; w < m; w++) {
                round[w] = snapshot.ratios[w][r];
            }
            ledger.ratios.add(round);
        }
        return ledger;
    }

    /** Returns the lower median of the values that are not NaN; NaN if there are none. */
    private static double median(double[] values) {
        double[] sorted =
                Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }
}
