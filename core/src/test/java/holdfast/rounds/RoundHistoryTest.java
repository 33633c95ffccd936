package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundHistoryTest {
    private static final int WORKERS = 5;

    private static RoundRecord round(int number, boolean[] failed, int[] kept, double objective) {
        double[] norms = IntStream.range(0, WORKERS)
                .mapToDouble(w -> failed[w] ? Double.NaN : 1)
                .toArray();
        TrainingState start = TrainingState.start(new double[] {1});
        TrainingState after = new TrainingState(
                number + 1,
                start.theta(),
                start.duals(),
                start.velocity(),
                start.momenta(),
                start.carry(),
                Double.NaN,
                Double.NaN,
                start.step(),
                start.best(),
                start.stage(),
                false);
        return new RoundRecord(after, 0.1, norms, kept, List.of(), objective, 0, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 59, 60, 61, 119, 120, 121, 240, 241, 1000, 4097})
    void everyRoundIsCountedOnceInFewBinsOfTheSameWidth(int rounds) {
        Randomness random = Seed.of(rounds).child("history").random();
        // A resumed run does not begin at round 0.
        int from = random.nextInt(50);
        RoundHistory history = new RoundHistory();
        int[] screened = new int[WORKERS];
        int[] failed = new int[WORKERS];
        double last = Double.NaN;
        for (int r = from; r < from + rounds; r++) {
            boolean[] fails = new boolean[WORKERS];
            boolean[] out = new boolean[WORKERS];
            for (int w = 0; w < WORKERS; w++) {
                fails[w] = random.nextInt(4) == 0;
                out[w] = !fails[w] && random.nextInt(w + 2) == 0;
                failed[w] += fails[w] ? 1 : 0;
                screened[w] += out[w] ? 1 : 0;
            }
            double objective = r % 10 == 0 ? random.nextDouble() : Double.NaN;
            last = Double.isNaN(objective) ? last : objective;
            int[] kept = IntStream.range(0, WORKERS)
                    .filter(w -> !fails[w] && !out[w])
                    .toArray();
            history.finished(round(r, fails, kept, objective));
        }

        List<RoundHistory.Bin> bins = history.bins();
        assertThat(bins).hasSizeBetween(Math.min(rounds, RoundHistory.MAX_BINS / 2), RoundHistory.MAX_BINS);
        int next = from;
        for (RoundHistory.Bin bin : bins) {
            assertThat(bin.first()).isEqualTo(next);
            next += bin.rounds();
        }
        assertThat(next).isEqualTo(from + rounds);
        if (bins.size() > 1) {
            assertThat(bins.subList(0, bins.size() - 1))
                    .allSatisfy(bin ->
                            assertThat(bin.rounds()).isEqualTo(bins.get(0).rounds()));
            assertThat(bins.get(bins.size() - 1).rounds())
                    .isBetween(1, bins.get(0).rounds());
        }
        for (int w = 0; w < WORKERS; w++) {
            int worker = w;
            assertThat(bins.stream().mapToInt(b -> b.screened()[worker]).sum()).isEqualTo(screened[w]);
            assertThat(bins.stream().mapToInt(b -> b.failed()[worker]).sum()).isEqualTo(failed[w]);
        }
        assertThat(bins.stream()
                        .mapToDouble(RoundHistory.Bin::objective)
                        .filter(o -> !Double.isNaN(o))
                        .reduce(Double.NaN, (a, b) -> b))
                .isEqualTo(Double.valueOf(last));
    }
}
