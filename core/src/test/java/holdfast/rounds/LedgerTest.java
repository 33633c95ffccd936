package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static RoundRecord round(int number, double[] norms, int... kept) {
        return new RoundRecord(
                TrainingState.start(new double[1]), 1, norms, kept, List.of(), Double.NaN, 0, "round " + number);
    }

    @Test
    void countsScreenedAndFailedRoundsAndTheMedianNormRatio() {
        Ledger ledger = new Ledger(List.of("a", "b", "c"));
        ledger.finished(round(0, new double[] {1, 2, 8}, 0, 1));
        ledger.finished(round(1, new double[] {1, 2, Double.NaN}, 0, 1));
        ledger.finished(round(2, new double[] {1, 2, 12}, 1));
        assertThat(ledger.lines())
                .containsExactly(
                        new Ledger.Line("a", 3, 1, 0, 0.5),
                        new Ledger.Line("b", 3, 0, 0, 1),
                        new Ledger.Line("c", 3, 2, 1, 4));
    }

    @Test
    void aSnapshotGoesOnAsTheLedgerDoes() {
        for (int cut : new int[] {0, 1, 4095, 4096, 4097, 9000}) {
            Ledger whole = new Ledger(List.of("a", "b"));
            Ledger resumed = null;
            for (int r = 0; r < 10_000; r++) {
                if (r == cut) {
                    resumed = Ledger.of(whole.snapshot());
                }
                RoundRecord record = round(r, new double[] {1 + r % 7, 3}, r % 2);
                whole.finished(record);
                if (resumed != null) {
                    resumed.finished(record);
                }
            }
            assertThat(resumed.lines()).isEqualTo(whole.lines());
            assertThat(whole.snapshot().ratios()[0]).hasSizeLessThanOrEqualTo(4096);
            assertThat(whole.lines().get(1)).isEqualTo(new Ledger.Line("b", 10_000, 5_000, 0, 1));
        }
    }

    /** Short runs of many workers take little memory, and long ones no more than 64 numbers per worker. */
    @Test
    void aHundredThousandWorkersFitInLittleMemory() {
        List<String> workers =
                IntStream.range(0, 100_000).mapToObj(Integer::toString).toList();
        double[] norms = new double[workers.size()];
        Arrays.setAll(norms, w -> 1 + w % 3);
        Ledger ledger = new Ledger(workers);
        ledger.finished(round(0, norms, 1));
        assertThat(ledger.snapshot().ratios()[7]).hasSize(1);
        for (int r = 1; r < 200; r++) {
            ledger.finished(round(r, norms, 1));
        }
        assertThat(ledger.snapshot().ratios()[7]).hasSizeLessThan(64);
        assertThat(ledger.snapshot().stride()).isEqualTo(4);
        assertThat(ledger.lines().get(7)).isEqualTo(new Ledger.Line("7", 200, 200, 0, 1));
        assertThat(ledger.lines().get(8)).isEqualTo(new Ledger.Line("8", 200, 200, 0, 1.5));
    }

    @Test
    void aSnapshotRemembersWhoFailed() {
        Ledger ledger = new Ledger(List.of("a", "b"));
        ledger.finished(round(0, new double[] {1, Double.NaN}, 0));
        ledger.finished(round(1, new double[] {2, Double.NaN}, 0));
        ledger.finished(round(2, new double[] {2, 6}, 0));
        assertThat(Ledger.of(ledger.snapshot()).lines())
                .isEqualTo(ledger.lines())
                .containsExactly(new Ledger.Line("a", 3, 0, 0, 1), new Ledger.Line("b", 3, 1, 2, 3));
    }

    @Test
    void aLineReadsAsASentence() {
        assertThat(new Ledger.Line("Bern", 30, 12, 1, 2.5))
                .hasToString("Bern: screened in 12 of 30 rounds, failed in 1, norm 2.50 times the median's");
    }

    @Test
    void ofManyWorkersFewerRoundsAreRemembered() {
        int workers = 1 << 15;
        Ledger ledger =
                new Ledger(IntStream.range(0, workers).mapToObj(w -> "w").toList());
        double[] norms = new double[workers];
        Arrays.fill(norms, 1);
        for (int r = 0; r < 130; r++) {
            ledger.finished(round(r, norms, 0));
        }
        // 2^22 ratios in all are 128 rounds, at which every second one was forgotten.
        assertThat(ledger.snapshot().ratios()[0]).hasSize(65);
        assertThat(ledger.snapshot().stride()).isEqualTo(2);
    }
}
