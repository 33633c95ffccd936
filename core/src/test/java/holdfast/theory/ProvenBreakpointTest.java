package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.UpdateAttack;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProvenBreakpointTest {
    private static final int MANY = 1000;

    /** Where they are not one half, which no rule without rows of its own can pass. */
    private static final Map<String, Double> OTHERS = Map.of(
            "mean", 0.0, "norm-screening", 1.0 / 3, "adaptive-screening", 1.0 / 8, "bulyan", 1.0 / 4, "fltrust", 1.0);

    private static final List<String> ATTACKS =
            List.of("strongest", "huge", "below-cut", "below-cut-optimised", "optimised-ipm", "alie(tau=-50)", "fang");

    static List<String> proven() {
        return Aggregators.rules().names().stream()
                .filter(rule -> ProvenBreakpoint.of(rule).isPresent())
                .toList();
    }

    @Test
    void nothingIsProvenForTheRest() {
        assertThat(Aggregators.rules().names().stream()
                        .filter(rule -> ProvenBreakpoint.of(rule).isEmpty())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("centered-clipping", "monna", "iterative-filtering", "dnc", "signguard");
        assertThat(Stream.of("norm-screening(f=2)", "nnm + median", "unheard-of"))
                .allSatisfy(text -> assertThat(ProvenBreakpoint.of(text)).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("proven")
    void theSharesAreThoseOfTheProofs(String rule) {
        ProvenBreakpoint proven = ProvenBreakpoint.of(rule).orElseThrow();
        assertThat(proven.share()).isEqualTo(OTHERS.getOrDefault(rule, 0.5));
        assertThat(proven.source()).isNotBlank();
    }

    /** Few workers may need a little room between, as krum's 2f + 2 below m does; it vanishes against many. */
    @ParameterizedTest
    @MethodSource("proven")
    void manyWorkersCanBeSetUpForAlmostTheShare(String rule) {
        int f = Math.max(0, (int) (ProvenBreakpoint.of(rule).orElseThrow().share() * MANY) - 2);
        assertThat(Aggregators.create(rule, f).minWorkers()).isLessThanOrEqualTo(MANY);
    }

    /** Honest updates that differ by a millionth of their length, against the attacks that go farthest. */
    @ParameterizedTest
    @MethodSource("proven")
    void theStepDescendsBelowTheShareWhateverTheLiarsSend(String rule) {
        double share = ProvenBreakpoint.of(rule).orElseThrow().share();
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            int m = 3 + random.nextInt(12);
            int liars = most(rule, share, m);
            double[] g = random.gaussians(4);
            List<WorkerUpdate> votes = IntStream.range(0, m)
                    .mapToObj(w -> new WorkerUpdate(w, Vectors.add(Vectors.scaled(1e-6, random.gaussians(4)), g)))
                    .toList();
            Round truth = new Round(0, m, votes, new double[4], seed, Carry.NONE, g);
            AttackContext now =
                    new AttackContext(truth, random.choose(liars, m), Aggregators.create(rule, liars), seed);
            for (String attack : ATTACKS) {
                UpdateAttack lie = (UpdateAttack) Attacks.catalogue().create(Spec.parse(attack));
                double[] direction = now.attempt(lie.forge(now)).direction();
                assertThat(Vectors.dot(direction, g, 4))
                        .as("%d of %d by %s", liars, m, attack)
                        .isPositive();
            }
        });
    }

    /** The most liars below the share for whom the rule can be set up. */
    private static int most(String rule, double share, int workers) {
        int most = 0;
        for (int b = 1; b < share * workers; b++) {
            most = Aggregators.create(rule, b).minWorkers() <= workers ? b : most;
        }
        return most;
    }

    @Test
    void bulyanCannotBeSetUpForMore() {
        assertThat(Aggregators.create("bulyan", MANY / 4).minWorkers()).isGreaterThan(MANY);
    }

    @Test
    void thatOfScreeningIsWhereTheTheoremEnds() {
        for (int m = 2; m <= 60; m++) {
            for (int b = 0; b < m; b++) {
                assertThat(ProvenBreakpoint.of("norm-screening").orElseThrow().withstands(b, m))
                        .as("%d of %d", b, m)
                        .isEqualTo(ScreeningBound.converges(m, b, b));
            }
        }
    }

    @Test
    void aShareIsNotWithstoodAnyMore() {
        ProvenBreakpoint half = new ProvenBreakpoint(0.5, "a proof");
        assertThat(half.withstands(4, 10)).isTrue();
        assertThat(half.withstands(5, 10)).isFalse();
        assertThat(half.withstands(5, 11)).isTrue();
    }
}
