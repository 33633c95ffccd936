package holdfast.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What happened to each worker, counted over the rounds. Being screened accuses nobody: with nobody lying, some honest
 * workers are screened in nearly every round. Who is suspect is a statistical question, see {@link SuspicionTest}.
 */
public final class Ledger implements RoundListener {
    /** Beyond so many remembered rounds every second one is forgotten, so that long runs stay small. */
    private static final int MOST_REMEMBERED = 4096;

    private final List<String> workers;
    private final int[] screened;
    private final int[] failed;
    private final float[][] ratios;
    private int rounds;
    private int withoutGuarantee;
    private int remembered;
    private int stride = 1;

    /**
     * One worker's line.
     *
     * @param screened rounds in which its update did not count
     * @param failed rounds in which it sent nothing usable
     * @param medianNormRatio median over rounds of its norm divided by the round's median norm (in runs of more than 4096
     *     rounds over evenly spaced ones)
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
        this.ratios = new float[workers.size()][MOST_REMEMBERED];
    }

    @Override
    public void finished(RoundRecord round) {
        double median = median(round.norms());
        for (int w = 0; w < workers.size(); w++) {
            if (rounds % stride == 0) {
                ratios[w][remembered] = (float) (round.norms()[w] / median);
            }
            if (Double.isNaN(round.norms()[w])) {
                failed[w]++;
            } else if (Arrays.binarySearch(round.kept(), w) < 0) {
                screened[w]++;
            }
        }
        remembered += rounds % stride == 0 ? 1 : 0;
        rounds++;
        withoutGuarantee += round.assumption3() ? 0 : 1;
        if (remembered == MOST_REMEMBERED) {
            forgetEverySecond();
        }
    }

    private void forgetEverySecond() {
        for (float[] own : ratios) {
            for (int i = 0; i < MOST_REMEMBERED / 2; i++) {
                own[i] = own[2 * i];
            }
        }
        remembered /= 2;
        stride *= 2;
    }

    public List<Line> lines() {
        return IntStream.range(0, workers.size())
                .mapToObj(w -> {
                    double[] own = new double[remembered];
                    for (int r = 0; r < remembered; r++) {
                        own[r] = ratios[w][r];
                    }
                    return new Line(workers.get(w), rounds, screened[w], failed[w], median(own));
                })
                .toList();
    }

    /** The counts as a value, for a checkpoint. */
    public Snapshot snapshot() {
        float[][] used = new float[ratios.length][];
        for (int w = 0; w < used.length; w++) {
            used[w] = Arrays.copyOf(ratios[w], remembered);
        }
        return new Snapshot(workers, rounds, withoutGuarantee, stride, screened.clone(), failed.clone(), used);
    }

    /** Rounds in which Assumption 3, and with it the convergence theorems, did not hold. */
    public int withoutGuarantee() {
        return withoutGuarantee;
    }

    /**
     * A ledger as a value.
     *
     * @param stride every so many rounds one norm ratio is remembered
     * @param ratios by worker, the remembered norm ratios
     */
    public record Snapshot(
            List<String> workers,
            int rounds,
            int withoutGuarantee,
            int stride,
            int[] screened,
            int[] failed,
            float[][] ratios) {}

    public static Ledger of(Snapshot snapshot) {
        Ledger ledger = new Ledger(snapshot.workers());
        ledger.rounds = snapshot.rounds();
        ledger.withoutGuarantee = snapshot.withoutGuarantee();
        ledger.stride = snapshot.stride();
        ledger.remembered = snapshot.ratios()[0].length;
        for (int w = 0; w < ledger.ratios.length; w++) {
            ledger.screened[w] = snapshot.screened()[w];
            ledger.failed[w] = snapshot.failed()[w];
            System.arraycopy(snapshot.ratios()[w], 0, ledger.ratios[w], 0, ledger.remembered);
        }
        return ledger;
    }

    /** The lower median of the numbers that are numbers; NaN if there are none. */
    private static double median(double[] values) {
        double[] sorted =
                Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }
}
