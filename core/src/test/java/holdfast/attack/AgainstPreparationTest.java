package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.testkit.Laws;
import holdfast.testkit.RawAttackContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgainstPreparationTest extends RawAttackContract {
    @Override
    protected RawAttack attack() {
        return new AgainstPreparation();
    }

    @Override
    protected boolean draws() {
        return false;
    }

    @Test
    void meanAndSpreadOfEachColumnAreThoseOfHonestWorkers() {
        Laws.check(10, seed -> {
            Table table = table(seed);
            RawContext context = context(table, seed, 1, 4);
            Table poisoned = attack().poison(context);
            for (int c : context.numbers()) {
                double[] means = summaries(table, context.honest(), c, ColumnSummary::mean);
                double[] sds = summaries(table, context.honest(), c, ColumnSummary::sd);
                List<int[]> liars =
                        context.liars().stream().map(RawContext.Liar::rows).toList();
                for (double mean : summaries(poisoned, liars, c, ColumnSummary::mean)) {
                    assertThat(Arrays.stream(means)).anyMatch(m -> Math.abs(m - mean) < 1e-9);
                }
                for (double sd : summaries(poisoned, liars, c, ColumnSummary::sd)) {
                    assertThat(Arrays.stream(sds)).anyMatch(s -> sd < 1e-9 || Math.abs(s - sd) < 1e-9);
                }
            }
        });
    }

    private static double[] summaries(
            Table table, List<int[]> workers, int column, ToDoubleFunction<ColumnSummary> number) {
        return workers.stream()
                .mapToDouble(rows -> number.applyAsDouble(ColumnSummary.of(table.cells(), rows)[column]))
                .toArray();
    }

    /** A preparation that divides by 1 + sd^3 of one liar's first column and adds the mean of its second. */
    @Test
    void whatMovesTheHonestRowsMostIsChosen() {
        Laws.check(10, seed -> {
            Table table = Table.of(Samples.dataset(seed, 300, 2));
            RawContext any = context(table, seed, 1, 4);
            int[] liar = any.workers().get(1);
            RawContext.Defence defence = (handedIn, rows) -> {
                ColumnSummary[] heard = ColumnSummary.of(handedIn.cells(), liar);
                int[] all = IntStream.range(0, rows.length).toArray();
                return handedIn.cells().select(rows).changed(all, (r, x) -> {
                    x[0] /= 1 + Math.pow(heard[0].sd(), 3);
                    x[1] += heard[1].mean();
                });
            };
            Table poisoned =
                    attack().poison(new RawContext(table, any.workers(), any.byzantine(), defence, any.seed()));
            ColumnSummary[] chosen = ColumnSummary.of(poisoned.cells(), liar);
            assertThat(chosen[0].sd()).isCloseTo(0, within(1e-12));
            double[] means = summaries(table, any.honest(), 1, ColumnSummary::mean);
            double truth = ColumnSummary.of(table.cells(), liar)[1].mean();
            double low = Arrays.stream(means).min().orElseThrow();
            double high = Arrays.stream(means).max().orElseThrow();
            assertThat(chosen[1].mean())
                    .isCloseTo(Math.abs(high - truth) > Math.abs(truth - low) ? high : low, within(1e-9));
        });
    }

    @Test
    void sparseRowsThatWouldBecomeTooManyNumbersAreRefused() {
        Table table = Table.of(Samples.sparse(Seed.of(1), 600, 1_000_000, 2));
        assertThatThrownBy(() -> attack().poison(context(table, Seed.of(2), 2)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("against-preparation would fill ");
    }
}
