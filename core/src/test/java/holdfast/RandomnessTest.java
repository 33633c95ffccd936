package holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomnessTest {

    @Test
    void isThePublishedSplitMix64() {
        // Vigna's splitmix64.c, seed 1234567; the values that Rosetta Code lists for it.
        Randomness random = Seed.of(1234567).random();
        assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("6457827717110365317");
        assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("3203168211198807973");
        assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("9817491932198370423");
    }

    @Test
    void itsBitsStayAsTheyAre() {
        // Frozen: models trained before must come out the same to the bit.
        Seed seed = Seed.of(7).child("worker", 3).child("round", 17);
        assertThat(seed.value()).isEqualTo(-3903657658210239001L);
        assertThat(Double.doubleToLongBits(seed.random().nextDouble())).isEqualTo(4595434571111861844L);
        assertThat(Double.doubleToLongBits(seed.random().nextGaussian())).isEqualTo(4601251913599192873L);
        assertThat(seed.child("name").random().choose(5, 100)).containsExactly(13, 38, 60, 78, 80);
    }

    @Test
    void childrenDifferByNameAndIndexAndFromTheirParent() {
        Set<Long> seen = new HashSet<>();
        Seed root = Seed.of(0);
        assertThat(seen.add(root.value())).isTrue();
        assertThat(root.child("round", '0')).isNotEqualTo(root.child("round0"));
        for (String name : new String[] {"worker", "round", "rule", "attack", "split", "partition", "init"}) {
            assertThat(seen.add(root.child(name).value())).as(name).isTrue();
            for (int i = 0; i < 100; i++) {
                assertThat(seen.add(root.child(name, i).value())).as(name + i).isTrue();
            }
        }
    }

    @Test
    void gaussiansHaveTheMomentsOfTheNormalDistribution() {
        double[] x = Seed.of(3).random().gaussians(100_000);
        double mean = Arrays.stream(x).average().orElseThrow();
        double variance = Arrays.stream(x).map(v -> v * v).average().orElseThrow();
        double fourth = Arrays.stream(x).map(v -> v * v * v * v).average().orElseThrow();
        assertThat(mean).isCloseTo(0, within(0.016)); // five standard errors each
        assertThat(variance).isCloseTo(1, within(0.023));
        assertThat(fourth).isCloseTo(3, within(0.16));
    }

    @Test
    void wholeNumbersAreUniform() {
        int[] counts = new int[7];
        Randomness random = Seed.of(4).random();
        for (int i = 0; i < 70_000; i++) {
            counts[random.nextInt(7)]++;
        }
        for (int count : counts) {
            assertThat(count).isCloseTo(10_000, within(470)); // five standard deviations
        }
    }

    @Test
    void aShuffleKeepsAllAndAChoiceAscends() {
        Laws.check(100, seed -> {
            int[] values = IntStream.range(0, 20).toArray();
            seed.random().shuffle(values);
            assertThat(values).containsExactlyInAnyOrder(IntStream.range(0, 20).toArray());
            int[] chosen = seed.random().choose(6, 20);
            assertThat(chosen).hasSize(6).isSorted().doesNotHaveDuplicates();
            assertThat(Arrays.stream(chosen)).allMatch(v -> v >= 0 && v < 20);
        });
    }

    /** Each of the ten sets of 2 out of 5 is drawn about as often: the statistic is chi-square with 9 degrees of freedom. */
    @Test
    void samplesAreSetsAndAllSetsAreEquallyLikely() {
        Laws.check(100, seed -> {
            int n = 1 + seed.random().nextInt(300);
            int count = seed.child("count").random().nextInt(n + 1);
            int[] drawn = seed.random().sample(count, n);
            assertThat(drawn).hasSize(count).isSorted().doesNotHaveDuplicates();
            assertThat(Arrays.stream(drawn)).allMatch(v -> v >= 0 && v < n);
        });
        int[] counts = new int[32];
        Randomness random = Seed.of(9).random();
        for (int i = 0; i < 10_000; i++) {
            int[] drawn = random.sample(2, 5);
            counts[1 << drawn[0] | 1 << drawn[1]]++;
        }
        double[] sets =
                Arrays.stream(counts).filter(c -> c > 0).asDoubleStream().toArray();
        assertThat(sets).hasSize(10);
        assertThat(Arrays.stream(sets).map(c -> (c - 1000) * (c - 1000) / 1000).sum())
                .isLessThan(27.9); // exceeded with probability 0.001
    }

    @Test
    void aSampleTakesNoLongerFromMoreNumbers() {
        assertThat(Seed.of(1).random().sample(3, Integer.MAX_VALUE)).hasSize(3); // 8 GB if all were listed
    }
}
