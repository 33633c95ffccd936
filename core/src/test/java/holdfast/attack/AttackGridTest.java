package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Catalogue;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attack on updates against every rule, alone and, where the attack tries no rule, after every pre-aggregator. */
class AttackGridTest {
    private static final int WORKERS = 21;
    private static final int LIARS = 2;
    private static final Set<String> TRYING =
            Set.of("optimised-ipm", "optimised-alie", "below-cut-optimised", "strongest");

    static List<String> attacks() {
        return Attacks.catalogue().entries().stream()
                .map(Catalogue.Entry::name)
                .filter(name -> attack(name) instanceof UpdateAttack)
                .toList();
    }

    private static List<String> rules(boolean chains) {
        Set<String> pres = chains ? Aggregators.preAggregators().names() : Set.of();
        return Aggregators.rules().names().stream()
                .flatMap(rule -> Stream.concat(Stream.of(rule), pres.stream().map(pre -> pre + " + " + rule)))
                .toList();
    }

    private static Attack attack(String name) {
        return Attacks.catalogue().create(Spec.parse(name));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void theAggregateStaysFinite(String name) {
        UpdateAttack attack = (UpdateAttack) attack(name);
        Randomness random = Seed.of(1).random();
        List<WorkerUpdate> votes = IntStream.range(0, WORKERS)
                .mapToObj(w -> new WorkerUpdate(w, random.gaussians(5)))
                .toList();
        Round truth = new Round(2, WORKERS, votes, new double[5], Seed.of(2), Carry.NONE, random.gaussians(5));
        for (String rule : rules(!TRYING.contains(name))) {
            Aggregator defence = Aggregators.create(rule, LIARS);
            AttackContext now = new AttackContext(truth, new int[] {3, 8}, defence, Seed.of(3));
            List<double[]> forged = attack.forge(now);
            assertThat(forged).as(rule).hasSize(LIARS);
            // What is not finite never reaches a rule.
            if (forged.stream().allMatch(Vectors::finite)) {
                assertThat(Vectors.finite(now.attempt(forged).direction()))
                        .as(rule)
                        .isTrue();
            } else {
                assertThat(attack).isInstanceOf(NonFinite.class);
            }
        }
    }
}
