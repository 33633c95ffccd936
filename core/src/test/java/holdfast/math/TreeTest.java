package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0",
        "2, (0+1)",
        "3, ((0+1)+2)",
        "4, ((0+1)+(2+3))",
        "5, (((0+1)+(2+3))+4)",
        "6, (((0+1)+(2+3))+(4+5))",
        "7, (((0+1)+(2+3))+((4+5)+6))",
        "8, (((0+1)+(2+3))+((4+5)+(6+7)))",
        "9, ((((0+1)+(2+3))+((4+5)+(6+7)))+8)"
    })
    void everyLeftSubtreeIsTheLargestFullOne(int leaves, String shape) {
        String made = Tree.reduce(leaves, Integer::toString, (a, b) -> "(" + a + "+" + b + ")");
        assertThat(made).isEqualTo(shape);
    }

    @Test
    void nodesThatOthersHaveComputedMakeTheSameTree() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(300);
            BinaryOperator<String> combine = (a, b) -> "(" + a + "+" + b + ")";
            Map<Tree.Node, String> known = new HashMap<>();
            for (int from = 0; from < n; ) {
                int to = Math.min(n, from + 1 + random.nextInt(60));
                List<Tree.Node> nodes = Tree.nodes(n, from, to);
                assertThat(nodes.get(0).from()).isEqualTo(from);
                assertThat(nodes.get(nodes.size() - 1).to()).isEqualTo(to);
                nodes.forEach(node -> known.put(node, Tree.reduce(node, Integer::toString, combine)));
                from = to;
            }
            String made = Tree.complete(n, (from, to) -> known.get(new Tree.Node(from, to)), combine);
            assertThat(made).isEqualTo(Tree.reduce(n, Integer::toString, combine));
            known.remove(known.keySet().iterator().next());
            assertThatThrownBy(() -> Tree.complete(n, (from, to) -> known.get(new Tree.Node(from, to)), combine))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void theTreeIsTheSameOnAnyNumberOfThreads() {
        BinaryOperator<String> combine = (a, b) -> "(" + a + "+" + b + ")";
        for (int n = 1; n <= 70; n++) {
            int leaves = n;
            String expected = Tree.reduce(n, Integer::toString, combine);
            for (int count = 2; count <= 4; count++) {
                try (Threads threads = Threads.of(count)) {
                    assertThat(threads.call(() -> Tree.reduce(leaves, Integer::toString, combine)))
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void theMeansOfMakingLeavesServeOneThreadFromLeftToRight() {
        try (Threads threads = Threads.of(3)) {
            int sum = threads.call(() -> Tree.reduce(
                    1000,
                    () -> {
                        Thread owner = Thread.currentThread();
                        int[] last = {-1};
                        return i -> {
                            assertThat(Thread.currentThread()).isSameAs(owner);
                            assertThat(i).isGreaterThan(last[0]);
                            last[0] = i;
                            return i;
                        };
                    },
                    Integer::sum));
            assertThat(sum).isEqualTo(999 * 1000 / 2);
        }
    }

    @Test
    void whatTheFirstBrokenLeafThrowsReachesTheCallerAsItIs() {
        RuntimeException[] thrown = new RuntimeException[100];
        Arrays.setAll(thrown, i -> new IllegalStateException("leaf " + i));
        for (int count = 1; count <= 3; count++) {
            try (Threads threads = Threads.of(count)) {
                assertThatThrownBy(() -> threads.call(() -> Tree.reduce(
                                100,
                                i -> {
                                    if (i >= 41) {
                                        throw thrown[i];
                                    }
                                    return i;
                                },
                                Integer::sum)))
                        .isSameAs(thrown[41]);
            }
        }
    }

    @Test
    void sumsByPiecesAreThoseOfWholeVectorsToTheBitThoughEightAreReadAtOnce() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(40);
            double[] weights = random.gaussians(n);
            double[][] x = new double[n + 1][];
            int length = 1 + random.nextInt(2500);
            Arrays.setAll(x, i -> random.gaussians(length));
            double[][] sums = new double[2][length];
            Tree.sum(sums, n, Threads.ONE, new Shifted(x, weights));
            double[][] oneByOne = new double[2][length];
            Tree.sum(oneByOne, n, Threads.ONE, (sum, i, from, out) -> Vectors.scale(weights[i], x[sum + i], from, out));
            for (int s = 0; s < sums.length; s++) {
                int sum = s;
                double[] expected = Tree.reduce(n, i -> Vectors.scaled(weights[i], x[sum + i]), Vectors::add);
                assertThat(Laws.bits(sums[s])).isEqualTo(Laws.bits(expected));
                assertThat(Laws.bits(oneByOne[s])).isEqualTo(Laws.bits(expected));
            }
        });
    }

    /** Vector i of sum s is that of row s + i. */
    private record Shifted(double[][] x, double[] w) implements Tree.Terms {
        @Override
        public void write(int s, int i, int from, double[] out) {
            Vectors.scale(w[i], x[s + i], from, out);
        }

        @Override
        public boolean writeEight(int s, int i, int from, double[] out) {
            Kernels.CHOSEN.sumEight(Arrays.copyOfRange(x, s, x.length), i, w, from, out);
            return true;
        }
    }
}
