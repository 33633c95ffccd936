package holdfast.training;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What happened to each worker, counted over the rounds. Being screened accuses nobody: with nobody lying, some honest
 * workers are screened in nearly every round. Who is suspect is a statistical question, see {@link SuspicionTest}.
 */
public final class Ledger implements RoundListener {
    private final List<String> workers;
    private final int[] screened;
    private final int[] failed;
    private float[][] ratios;
    private int rounds;

    /**
     * One worker's line.
     *
     * @param screened rounds in which its update did not count
     * @param failed rounds in which it sent nothing usable
     * @param medianNormRatio median over rounds of its norm divided by the round's median norm
     */
    public record Line(String worker, int rounds, int screened, int failed, double medianNormRatio) {}

    public Ledger(List<String> workers) {
        this.workers = List.copyOf(workers);
        this.screened = new int[workers.size()];
        this.failed = new int[workers.size()];
        this.ratios = new float[workers.size()][64];
    }

    @Override
    public void finished(RoundRecord round) {
        int m = workers.size();
        if (rounds == ratios[0].length) {
            for (int w = 0; w < m; w++) {
                ratios[w] = Arrays.copyOf(ratios[w], 2 * rounds);
            }
        }
        double median = median(round.norms());
        for (int w = 0; w < m; w++) {
            ratios[w][rounds] = (float) (round.norms()[w] / median);
            if (Double.isNaN(round.norms()[w])) {
                failed[w]++;
            } else if (Arrays.binarySearch(round.kept(), w) < 0) {
                screened[w]++;
            }
        }
        rounds++;
    }

    public List<Line> lines() {
        return IntStream.range(0, workers.size())
                .mapToObj(w -> {
                    double[] own = new double[rounds];
                    for (int r = 0; r < rounds; r++) {
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
            used[w] = Arrays.copyOf(ratios[w], rounds);
        }
        return new Snapshot(workers, screened.clone(), failed.clone(), used);
    }

    public record Snapshot(List<String> workers, int[] screened, int[] failed, float[][] ratios) {}

    public static Ledger of(Snapshot snapshot) {
        Ledger ledger = new Ledger(snapshot.workers());
        System.arraycopy(snapshot.screened(), 0, ledger.screened, 0, ledger.screened.length);
        System.arraycopy(snapshot.failed(), 0, ledger.failed, 0, ledger.failed.length);
        ledger.rounds = snapshot.ratios()[0].length;
        for (int w = 0; w < ledger.ratios.length; w++) {
            ledger.ratios[w] = Arrays.copyOf(snapshot.ratios()[w], Math.max(64, ledger.rounds));
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
