package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static RoundRecord round(int number, double[] norms, int... kept) {
        return new RoundRecord(
                TrainingState.start(new double[1]), norms, kept, List.of(), Double.NaN, 0, true, "round " + number);
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
}
