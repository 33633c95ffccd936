package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ContentOrderTest {
    private static Dataset rows(Randomness random, int count, boolean sparse) {
        DatasetBuilder rows = sparse ? DatasetBuilder.sparse(3) : new DatasetBuilder(3);
        for (int r = 0; r < count; r++) {
            double[] x = {random.nextInt(3), random.nextInt(2) == 0 ? -0.0 : 0.0, random.nextInt(4) - 1.5};
            rows.add(x, random.nextInt(2) == 0 ? -0.0 : 1, random.nextInt(3), 1 + random.nextInt(2));
        }
        return rows.build(
                new Schema(List.of("a", "b", "c"), "y", List.of("0", "1"), List.of("z", "x", "y")), DataSource.MEMORY);
    }

    private static List<String> texts(Dataset data) {
        return IntStream.range(0, data.rows())
                .mapToObj(r -> data.schema().groups().get(data.group(r)) + " " + (data.label(r) + 0.0) + " "
                        + data.weight(r) + " " + (data.row(r)[0] + 0.0) + " " + (data.row(r)[1] + 0.0) + " "
                        + (data.row(r)[2] + 0.0))
                .toList();
    }

    /** Whether zeros are stored, and which sign they have, does not matter either. */
    @Test
    void theOrderDependsOnNothingButWhatRowsHold() {
        Laws.check(20, seed -> {
            Dataset data = rows(seed.random(), 200, false);
            int[] shuffled = IntStream.range(0, 200).toArray();
            seed.child("order").random().shuffle(shuffled);
            List<String> expected = texts(ContentOrder.sorted(data));
            assertThat(texts(ContentOrder.sorted(data.select(shuffled)))).isEqualTo(expected);
            assertThat(texts(ContentOrder.sorted(rows(seed.random(), 200, true))))
                    .isEqualTo(expected);
            assertThat(expected).containsExactlyInAnyOrderElementsOf(texts(data));
            assertThat(ContentOrder.sorted(data).schema().groups()).containsExactly("x", "y", "z");
        });
    }

    @Test
    void everythingThatARowHoldsChangesItsHash() {
        Set<String> seen = new HashSet<>();
        RowHash hash = new RowHash();
        for (String source : List.of("", "a", "b", "aa")) {
            for (double label : new double[] {0, 1}) {
                for (double weight : new double[] {1, 2}) {
                    for (int column = 0; column < 3; column++) {
                        for (double value : new double[] {1, -1, 0.5}) {
                            hash.start(source, label, weight);
                            hash.add(column, value);
                            hash.end();
                            seen.add(hash.high() + " " + hash.low());
                        }
                    }
                }
            }
        }
        assertThat(seen).hasSize(4 * 2 * 2 * 3 * 3);
    }

    /** The ranges of keys that Spark sorts are as large as each other only if hashes are spread evenly. */
    @Test
    void hashesAreSpreadEvenly() {
        int[] counts = new int[64];
        RowHash hash = new RowHash();
        for (int r = 0; r < 64_000; r++) {
            hash.start("s", r % 2, 1);
            hash.add(0, r);
            hash.end();
            counts[(int) (hash.high() >>> 58)]++;
        }
        assertThat(Arrays.stream(counts)).allMatch(count -> count > 850 && count < 1150);
    }
}
