package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.preparation.HoldOut.Rounding;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SplitTest {
    private static HoldOut holdOut(double share, Rounding rounding) {
        return new HoldOut(share, rounding, Set.of(), Optional.empty());
    }

    /** Rows of sources s0, s1, ... of these sizes, with labels that are drawn. */
    private static Dataset outline(int[] sizes, double prevalence, boolean classes, Seed seed) {
        Randomness random = seed.random();
        int[] groups = IntStream.range(0, sizes.length)
                .flatMap(s -> IntStream.range(0, sizes[s]).map(i -> s))
                .toArray();
        random.shuffle(groups);
        return Dataset.outline(
                new Schema(
                        List.of("x"),
                        "y",
                        classes ? List.of("no", "yes") : List.of(),
                        IntStream.range(0, sizes.length).mapToObj(s -> "s" + s).toList()),
                Arrays.stream(groups)
                        .mapToDouble(g -> random.nextDouble() < prevalence ? 1 : 0)
                        .toArray(),
                null,
                groups,
                new DataSource("outline", "none"));
    }

    @ParameterizedTest
    @EnumSource
    void everyRowIsOnOneSideAscending(Rounding rounding) {
        Laws.check(50, seed -> {
            Dataset data = Samples.dataset(seed, 1 + seed.random().nextInt(600), 2, 3);
            Split split = holdOut(0.9 * seed.random().nextDouble(), rounding).of(data, seed);
            assertThat(IntStream.concat(Arrays.stream(split.training()), Arrays.stream(split.heldOut()))
                            .sorted()
                            .toArray())
                    .isEqualTo(IntStream.range(0, data.rows()).toArray());
            assertThat(split.training()).isSorted();
            assertThat(split.heldOut()).isSorted();
        });
    }

    /** The share of the whole class is rounded to half a row, and that of each source up or down. */
    @Test
    void everyClassOfEverySourceGivesItsShare() {
        Laws.check(100, seed -> {
            Dataset data = Samples.dataset(seed, 500, 2, 4);
            double share = 0.05 + 0.8 * seed.random().nextDouble();
            Split split = Split.stratified(data, share, seed);
            int[] every = IntStream.range(0, 500).toArray();
            for (int label = 0; label < 2; label++) {
                int c = label;
                double all =
                        Arrays.stream(every).filter(r -> data.label(r) == c).count();
                assertThat((double) Arrays.stream(split.heldOut())
                                .filter(r -> data.label(r) == c)
                                .count())
                        .isCloseTo(share * all, within(0.5));
                for (int group = 0; group < 4; group++) {
                    double own = count(data, every, group, label);
                    assertThat((double) count(data, split.heldOut(), group, label))
                            .isCloseTo(share * own, within(1 + 0.5 * own / all));
                }
            }
        });
    }

    private static long count(Dataset data, int[] rows, int group, int label) {
        return Arrays.stream(rows)
                .filter(r -> data.group(r) == group && data.label(r) == label)
                .count();
    }

    /**
     * A thousand sources of four rows, 4.6 % of class 1: at least one row of every class on either side would make that
     * 1.1 % of the held-out rows.
     */
    @Test
    void heldOutRowsHaveThePrevalenceOfAll() {
        int[] sizes = new int[1000];
        Arrays.fill(sizes, 4);
        Laws.check(20, seed -> {
            Dataset data = outline(sizes, 0.046, true, seed.child("data"));
            int[] out = Split.stratified(data, 0.3, seed).heldOut();
            double all =
                    IntStream.range(0, data.rows()).mapToDouble(data::label).sum() / data.rows();
            double held = Arrays.stream(out).mapToDouble(data::label).sum() / out.length;
            assertThat(held).isCloseTo(all, within(0.001));
            assertThat(out.length / 4000.0).isCloseTo(0.3, within(0.001));
            int[] before = holdOut(0.3, Rounding.AT_LEAST_ONE).of(data, seed).heldOut();
            assertThat(Arrays.stream(before).mapToDouble(data::label).sum() / before.length)
                    .isLessThan(all / 2);
        });
    }

    /** 4000 splits: a frequency of 0.3 has a standard error of 0.0072. */
    @Test
    void everyRowHasTheSameChanceHoweverSmallItsSource() {
        int[] sizes = {1, 2, 2, 3, 4, 5, 9, 40, 1, 3};
        Dataset data = outline(sizes, 0.5, false, Seed.of(1));
        int[] times = new int[data.rows()];
        for (int i = 0; i < 4000; i++) {
            for (int r :
                    Split.stratified(data, 0.3, Seed.of(5).child("split", i)).heldOut()) {
                times[r]++;
            }
        }
        // 68 rows are in sources of two or more: 20 of them are held out.
        for (int r = 0; r < times.length; r++) {
            if (sizes[data.group(r)] == 1) {
                assertThat(times[r]).isZero();
            } else {
                assertThat(times[r] / 4000.0)
                        .as("row %d of a source of %d, Seed.of(5)", r, sizes[data.group(r)])
                        .isCloseTo(20 / 68.0, within(0.03));
            }
        }
    }

    /** A pair of different classes is drawn whole in 9 % of splits and then takes one row back. */
    @Test
    void whatSourcesTakeBackLowersTheChanceOfTheirRowsALittle() {
        int[] sizes = new int[300];
        Arrays.fill(sizes, 2);
        Dataset data = outline(sizes, 0.5, true, Seed.of(2));
        double pairs = 0;
        double mixed = 0;
        for (int i = 0; i < 300; i++) {
            boolean[] out = new boolean[data.rows()];
            for (int r :
                    Split.stratified(data, 0.3, Seed.of(6).child("split", i)).heldOut()) {
                out[r] = true;
            }
            for (int[] own : data.rowsBySource()) {
                assertThat(out[own[0]] && out[own[1]]).isFalse();
                if (data.label(own[0]) != data.label(own[1])) {
                    mixed += 2;
                    pairs += (out[own[0]] ? 1 : 0) + (out[own[1]] ? 1 : 0);
                }
            }
        }
        assertThat(pairs / mixed).isCloseTo(0.255, within(0.01));
    }

    @Test
    void everySourceAndEveryClassKeepsARow() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int[] sizes = IntStream.range(0, 1 + random.nextInt(12))
                    .map(s -> 1 + random.nextInt(1 + random.nextInt(8)))
                    .toArray();
            Dataset data = outline(sizes, random.nextDouble(), random.nextInt(2) == 0, seed);
            int[] training =
                    Split.stratified(data, 0.99 * random.nextDouble(), seed).training();
            assertThat(Arrays.stream(training).map(data::group).distinct().count())
                    .isEqualTo(sizes.length);
            if (!data.schema().classes().isEmpty()) {
                assertThat(Arrays.stream(training)
                                .mapToDouble(data::label)
                                .distinct()
                                .count())
                        .isEqualTo(IntStream.range(0, data.rows())
                                .mapToDouble(data::label)
                                .distinct()
                                .count());
            }
        });
    }

    /** So that plans without sources, those of the paper among them, keep their bits. */
    @Test
    void withoutSourcesRoundingMakesNoDifference() {
        Laws.check(100, seed -> {
            Dataset data = Samples.dataset(seed, 40 + seed.random().nextInt(600), 2);
            double share = 0.1 + 0.8 * seed.random().nextDouble();
            assertThat(Split.stratified(data, share, seed).heldOut())
                    .isEqualTo(
                            holdOut(share, Rounding.AT_LEAST_ONE).of(data, seed).heldOut());
        });
    }

    /** What version 0.1.0 did, line by line. */
    @Test
    void atLeastOneIsTheSplitOfEarlierVersions() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int[] sizes = IntStream.range(0, 1 + random.nextInt(12))
                    .map(s -> 1 + random.nextInt(30))
                    .toArray();
            Dataset data = outline(sizes, random.nextDouble(), random.nextInt(2) == 0, seed);
            double share = random.nextInt(5) == 0 ? 0 : 0.99 * random.nextDouble();
            int classes = data.schema().classes().size();
            boolean[] out = new boolean[data.rows()];
            for (int key = 0; key < Math.max(1, classes) * sizes.length; key++) {
                int stratum = key;
                int[] rows = IntStream.range(0, data.rows())
                        .filter(r -> stratum
                                == (classes == 0 ? data.group(r) : classes * data.group(r) + (int) data.label(r)))
                        .toArray();
                seed.child("split", key).random().shuffle(rows);
                int count = (int) Math.rint(share * rows.length);
                if (rows.length > 1 && share > 0) {
                    count = Math.max(1, Math.min(rows.length - 1, count));
                }
                Arrays.stream(rows).limit(count).forEach(r -> out[r] = true);
            }
            assertThat(holdOut(share, Rounding.AT_LEAST_ONE).of(data, seed).heldOut())
                    .isEqualTo(
                            IntStream.range(0, out.length).filter(r -> out[r]).toArray());
        });
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

    /** Whole sources are held out beside the share of the others, which they do not change. */
    @Test
    void wholeSourcesAreHeldOutAndTheOthersGiveTheirShare() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int[] sizes = IntStream.range(0, 6).map(s -> 1 + random.nextInt(20)).toArray();
            Dataset data = outline(sizes, 0.4, random.nextInt(2) == 0, seed);
            double share = random.nextInt(2) == 0 ? 0 : 0.3;
            int[] out = new HoldOut(share, Rounding.FAIR, Set.of("s1", "s4"), Optional.empty())
                    .of(data, seed)
                    .heldOut();
            int[] bySource = new int[6];
            Arrays.stream(out).forEach(r -> bySource[data.group(r)]++);
            for (int s = 0; s < 6; s++) {
                if (s == 1 || s == 4) {
                    assertThat(bySource[s]).isEqualTo(sizes[s]);
                } else {
                    assertThat((double) bySource[s]).isCloseTo(share * sizes[s], within(share == 0 ? 0 : 3.0));
                }
            }
        });
    }

    /** The latest rows of each source, of equal ones the last. */
    @Test
    void withAnOrderTheLatestRowsOfEachSourceAreHeldOut() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int[] sizes = IntStream.range(0, 5).map(s -> 1 + random.nextInt(20)).toArray();
            Dataset data = outline(sizes, 0.4, random.nextInt(2) == 0, seed);
            double[] order = IntStream.range(0, data.rows())
                    .mapToDouble(r -> random.nextInt(10))
                    .toArray();
            double share = 0.9 * random.nextDouble();
            Split split = new HoldOut(share, Rounding.FAIR, Set.of(), Optional.of(order)).of(data, seed);
            for (int early : split.training()) {
                for (int late : split.heldOut()) {
                    if (data.group(early) == data.group(late)) {
                        assertThat(order[late] > order[early] || order[late] == order[early] && late > early)
                                .isTrue();
                    }
                }
            }
            int usable = Arrays.stream(sizes).filter(n -> n > 1).sum();
            assertThat((double) split.heldOut().length).isBetween(share * usable - 0.5 - 5, share * usable + 0.5);
            assertThat(Arrays.stream(split.training())
                            .map(data::group)
                            .distinct()
                            .count())
                    .isEqualTo(5);
        });
    }
}
