package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitTest {

    @Test
    void everyRowIsOnOneSideAscending() {
        Laws.check(50, seed -> {
            Dataset data = Samples.dataset(seed, 1 + seed.random().nextInt(600), 2, 3);
            Split split = Split.stratified(data, 0.9 * seed.random().nextDouble(), seed);
            assertThat(IntStream.concat(Arrays.stream(split.training()), Arrays.stream(split.heldOut()))
                            .sorted()
                            .toArray())
                    .isEqualTo(IntStream.range(0, data.rows()).toArray());
            assertThat(split.training()).isSorted();
            assertThat(split.heldOut()).isSorted();
        });
    }

    @Test
    void everyClassOfEverySourceGivesItsShare() {
        Laws.check(30, seed -> {
            Dataset data = Samples.dataset(seed, 500, 2, 4);
            double share = 0.05 + 0.9 * seed.random().nextDouble();
            Split split = Split.stratified(data, share, seed);
            for (int group = 0; group < 4; group++) {
                for (int label = 0; label < 2; label++) {
                    double all = count(data, IntStream.range(0, 500).toArray(), group, label);
                    double out = count(data, split.heldOut(), group, label);
                    assertThat(out).isCloseTo(Math.max(1, Math.min(Math.max(1, all - 1), share * all)), within(0.5));
                }
            }
        });
    }

    private static long count(Dataset data, int[] rows, int group, int label) {
        return Arrays.stream(rows)
                .filter(r -> data.group(r) == group && data.label(r) == label)
                .count();
    }

    @Test
    void theSeedDecides() {
        Dataset data = Samples.dataset(Seed.of(1), 300, 2);
        int[] once = Split.stratified(data, 0.3, Seed.of(5)).heldOut();
        assertThat(Split.stratified(data, 0.3, Seed.of(5)).heldOut()).isEqualTo(once);
        assertThat(Split.stratified(data, 0.3, Seed.of(6)).heldOut()).isNotEqualTo(once);
    }

    @Test
    void aShareOfZeroHoldsNothingOutAndAShareOfOneIsRefused() {
        Dataset data = Samples.dataset(Seed.of(1), 50, 2);
        assertThat(Split.stratified(data, 0, Seed.of(1)).heldOut()).isEmpty();
        for (double share : new double[] {1, -0.1, Double.NaN}) {
            assertThatThrownBy(() -> Split.stratified(data, share, Seed.of(1)))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("--test-share must be at least 0 and below 1");
        }
    }
}
