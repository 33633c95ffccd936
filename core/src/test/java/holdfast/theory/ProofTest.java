package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProofTest {
    private static final int MANY = 1000;

    /** Where they are not one half, which no rule without rows of its own can pass. */
    private static final Map<String, Double> OTHERS = Map.of(
            "mean",
            0.0,
            "norm-screening",
            1.0 / 3,
            "adaptive-screening",
            1.0 / 8,
            "bulyan",
            1.0 / 4,
            "geometric-median",
            0.4483,
            "fltrust",
            1.0);

    private static final List<String> ATTACKS =
            List.of("strongest", "huge", "below-cut", "below-cut-optimised", "optimised-ipm", "alie(tau=-50)", "fang");

    static List<String> proven() {
        return Aggregators.rules().names().stream()
                .filter(rule -> of(rule, 0, MANY).isPresent())
                .toList();
    }

    private static Optional<Proof> of(String rule, int liars, int workers) {
        return Aggregators.create(rule, liars).proof(workers);
    }

    @Test
    void nothingIsProvenForTheRest() {
        assertThat(Aggregators.rules().names().stream()
                        .filter(rule -> of(rule, 0, MANY).isEmpty())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("centered-clipping", "monna", "dnc", "signguard");
        assertThat(Stream.of(
                        "nnm + centered-clipping",
                        "clipping + median",
                        "iterative-filtering(sigma=1)",
                        "geometric-median(nu=1)",
                        "geometric-median(steps=1)"))
                .allSatisfy(text -> assertThat(of(text, 0, MANY)).as(text).isEmpty());
    }

    /** A rule can be set up for fewer than half only if it says so, and for none if that is the mean. */
    @ParameterizedTest
    @MethodSource("proven")
    void theSharesAreThoseOfTheProofs(String rule) {
        double share = OTHERS.getOrDefault(rule, 0.5);
        for (int f = 0; f < MANY; f++) {
            Aggregator made = Aggregators.create(rule, f);
            if (made.minWorkers() <= MANY) {
                Proof proof = made.proof(MANY).orElseThrow();
                assertThat(proof.holds()).as("%d liars", f).isEqualTo(rule.equals("mean") || f < share * MANY);
                assertThat(proof.source()).isNotBlank();
                assertThat(proof.boundsLength())
                        .isEqualTo(!Set.of("sign-majority", "fltrust").contains(rule));
            }
        }
    }

    /** Few workers may need a little room between, as krum's 2f + 2 below m does; it vanishes against many. */
    @ParameterizedTest
    @MethodSource("proven")
    void manyWorkersCanBeSetUpForAlmostTheShare(String rule) {
        int f = Math.max(0, (int) (OTHERS.getOrDefault(rule, 0.5) * MANY) - 2);
        assertThat(Aggregators.create(rule, f).minWorkers()).isLessThanOrEqualTo(MANY);
    }

    /** Honest updates that differ by a millionth of their length, against the attacks that go farthest. */
    @ParameterizedTest
    @MethodSource("proven")
    void theStepDescendsBelowTheShareWhateverTheLiarsSend(String rule) {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            int m = 3 + random.nextInt(12);
            int liars = most(rule, m);
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

    /** The most liars for whom the rule can be set up and has a proof. */
    private static int most(String rule, int workers) {
        int most = 0;
        for (int b = 1; b < workers; b++) {
            Aggregator made = Aggregators.create(rule, b);
            boolean proven = made.minWorkers() <= workers
                    && made.tolerated() == b
                    && made.proof(workers).orElseThrow().holds();
            most = proven ? b : most;
        }
        return most;
    }

    @Test
    void bulyanCannotBeSetUpForMore() {
        assertThat(Aggregators.create("bulyan", MANY / 4).minWorkers()).isGreaterThan(MANY);
    }

    @Test
    void aShareIsNotWithstoodAnyMore() {
        assertThat(Proof.below(0.5, 4, 10, "a proof").finding())
                .isEqualTo("4 of 10 is below the share 0.500 that the rule tolerates (a proof)");
        assertThat(Proof.below(0.5, 5, 10, "a proof").finding())
                .isEqualTo("it does not hold that 5 of 10 is below the share 0.500 that the rule tolerates (a proof)");
        assertThat(Proof.below(0.5, 5, 11, "a proof").holds()).isTrue();
    }
}
