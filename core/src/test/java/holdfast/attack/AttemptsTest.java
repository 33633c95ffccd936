package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.Vote;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptsTest {
    private static final int WORKERS = 11;

    /** Thirty rounds of a rule under an attack. */
    private static long[][] directions(Aggregator rule, UpdateAttack attack) {
        List<long[]> directions = new ArrayList<>();
        Carry carry = Carry.NONE;
        for (int number = 0; number < 30; number++) {
            Randomness random = Seed.of(1).child("round", number).random();
            List<Vote> votes = IntStream.range(0, WORKERS)
                    .mapToObj(w -> new Vote(w, random.gaussians(3)))
                    .toList();
            Round truth = new Round(number, WORKERS, votes, new double[3], Seed.of(number), carry, null);
            Situation now = new Situation(truth, new int[] {2, 7}, rule, Seed.of(5));
            Aggregate made = rule.aggregate(now.sent(attack.forge(now), truth.seed()));
            carry = made.carry();
            directions.add(Laws.bits(made.direction()));
        }
        return directions.toArray(long[][]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "centered-clipping(tau=0.5)",
                "adaptive-screening(factor=1.5, memory=0.3)",
                "bucketing + centered-clipping(tau=1, steps=3)"
            })
    void attemptsNeverChangeWhatTheServersRuleMakesOfALie(String text) {
        Aggregator rule = Aggregators.create(text, 2);
        UpdateAttack lie = new InnerProduct(2);
        UpdateAttack afterManyAttempts = now -> {
            new Strongest().forge(now);
            new Optimised(ALittle::new, 20).forge(now);
            return lie.forge(now);
        };
        assertThat(directions(rule, afterManyAttempts)).isDeepEqualTo(directions(rule, lie));
    }
}
