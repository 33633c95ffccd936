package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.plan.Plan;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.SourceProbe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is named, by sources whose agreement is chosen. */
class SuspicionRuleTest {
    private static final int ROWS = 100;

    /** Sources of 100 rows, 50 of each class. A source with a right labels has z = (a/50 - 1) sqrt(99). */
    private static final class Chosen implements SourceProbe {
        private final int sources;
        private final IntBinaryOperator rightly;
        private final Set<Integer> seen = new HashSet<>();
        private final List<double[]> models = new ArrayList<>();
        private int pass;

        /** @param rightly how many rows, by source and by how many were named before */
        Chosen(int sources, IntBinaryOperator rightly) {
            this.sources = sources;
            this.rightly = rightly;
        }

        @Override
        public double curvature() {
            return 2;
        }

        /** Every worker always sends the same. */
        @Override
        public WorkerPool plain() {
            return new WorkerPool() {
                @Override
                public int workers() {
                    return sources;
                }

                @Override
                public List<WorkerReply> ask(RoundRequest request) {
                    return IntStream.range(0, sources)
                            .<WorkerReply>mapToObj(
                                    w -> new WorkerReply.Update(w, new double[] {3, -1, 5}, Double.NaN, 0))
                            .toList();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public List<Scored> scored(double[] theta, List<Integer> workers) {
            models.add(theta);
            if (!seen.add(workers.get(0))) {
                pass++;
                seen.clear();
                seen.add(workers.get(0));
            }
            return workers.stream().map(w -> rows(rightly.applyAsInt(w, pass))).toList();
        }

        private static Scored rows(int rightly) {
            double[] labels = new double[ROWS];
            double[] scores = new double[ROWS];
            for (int r = 0; r < ROWS; r++) {
                labels[r] = r % 2;
                scores[r] = r < rightly ? labels[r] : 1 - labels[r];
            }
            return new Scored(scores, labels);
        }

        List<Integer> named() {
            long[] sizes = new long[sources];
            Arrays.fill(sizes, ROWS);
            Plan plan = Plan.defaults().with("learning-rate", "1");
            PreparedRun prepared = new PreparedRun(
                    plan,
                    plain(),
                    IntStream.range(0, sources).mapToObj(w -> "s" + w).toList(),
                    sizes,
                    null,
                    Samples.schema(2),
                    ROWS * sources,
                    null,
                    null,
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    this);
            List<SuspicionTest.Finding> findings = SuspicionTest.run(prepared);
            return IntStream.range(0, sources)
                    .filter(w -> findings.get(w).suspect() > 0)
                    .boxed()
                    .toList();
        }
    }

    /** Of ten sources: 40 of 100 rows have a p-value of 0.023, 36 one of 0.0027. */
    @Test
    void theLevelIsSharedByTheSources() {
        assertThat(new Chosen(10, (w, pass) -> w == 4 ? 40 : 60).named()).isEmpty();
        assertThat(new Chosen(10, (w, pass) -> w == 4 ? 36 : 60).named()).containsExactly(4);
    }

    /** 54 of 100 rows are z = 0.8, 56 z = 1.2. */
    @Test
    void theTypicalOtherSourceMustHaveSomethingToSay() {
        assertThat(new Chosen(10, (w, pass) -> w == 4 ? 36 : 54).named()).isEmpty();
        assertThat(new Chosen(10, (w, pass) -> w == 4 ? 36 : 56).named()).containsExactly(4);
    }

    /** The one in the middle of the nine others, the judged one not among them. */
    @Test
    void typicalIsTheMedianOfTheOthers() {
        assertThat(new Chosen(10, (w, pass) -> w == 9 ? 36 : w < 5 ? 54 : 60).named())
                .isEmpty();
        assertThat(new Chosen(10, (w, pass) -> w == 9 ? 36 : w < 4 ? 54 : 60).named())
                .containsExactly(9);
    }

    /** Each time another one contradicts the rest, however many were named. */
    @Test
    void neverIsAMajorityNamed() {
        assertThat(new Chosen(5, (w, pass) -> w == pass ? 20 : 70).named()).containsExactly(0, 1);
        assertThat(new Chosen(6, (w, pass) -> w == pass ? 20 : 70).named()).containsExactly(0, 1);
        assertThat(new Chosen(7, (w, pass) -> w == pass ? 20 : 70).named()).containsExactly(0, 1, 2);
    }

    /** Along a constant gradient g: theta = -(g/l2)(1 - (1 - rate l2)^30), the intercept without penalty. */
    @Test
    void theModelThatJudgesIsThirtyStepsWithASmallPenalty() {
        Chosen chosen = new Chosen(5, (w, pass) -> 60);
        chosen.named();
        double rate = 1 / (1.1 * 2 + 1e-3);
        double shrunk = (1 - Math.pow(1 - rate * 1e-3, 30)) / 1e-3;
        assertThat(chosen.models).hasSize(5);
        for (double[] theta : chosen.models) {
            assertThat(theta).containsExactly(new double[] {-3 * shrunk, 1 * shrunk, -5 * 30 * rate}, within(1e-10));
        }
    }

    @Test
    void moreThanTwentySourcesAreJudgedInTwentyParts() {
        Chosen chosen = new Chosen(45, (w, pass) -> 60);
        assertThat(chosen.named()).isEmpty();
        assertThat(chosen.models).hasSize(20);
    }

    @Test
    void whoSaysTheSameOfEveryRowNeitherAgreesNorContradicts() {
        double[] labels = {0, 1, 0, 1};
        assertThat(SuspicionTest.oneScore(new double[4], labels, true).z()).isZero();
        assertThat(SuspicionTest.classes(new double[12], labels, 3).z()).isZero();
    }

    /** The third class has no row; the two others are told apart. */
    @Test
    void aClassWithoutRowsDoesNotCount() {
        double[] scores = {5, 0, 0, 0, 5, 0, 5, 0, 0, 0, 5, 0};
        assertThat(SuspicionTest.classes(scores, new double[] {0, 1, 0, 1}, 3).agreement())
                .isEqualTo(1);
    }

    /** The lower tail of the normal distribution: 1.644853627 cuts off a twentieth. */
    @Test
    void aStatisticHasThePValueOfItsLowerTail() {
        assertThat(new SuspicionTest.Ranking(-1.6448536269514722, 0.4).pValue()).isCloseTo(0.05, within(1e-12));
        assertThat(new SuspicionTest.Ranking(0, 0.5).pValue()).isEqualTo(0.5);
        assertThat(new SuspicionTest.Ranking(1, Double.NaN).pValue()).isNaN();
    }
}
