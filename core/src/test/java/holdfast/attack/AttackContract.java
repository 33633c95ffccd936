package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Carry;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.Round;
import holdfast.aggregate.Vote;
import holdfast.math.Vectors;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every attack on updates promises; an attack's test extends this. */
public abstract class AttackContract {
    private static final int CASES = 100;

    /** The attack with its standard strength. */
    protected abstract UpdateAttack attack();

    /** A random situation: 4 to 20 workers of which at most a third lie, with honest updates of this size. */
    protected static Situation situation(Seed seed, double scale) {
        Randomness random = seed.child("situation").random();
        int m = 4 + random.nextInt(17);
        int b = random.nextInt(m / 3 + 1);
        int d = 1 + random.nextInt(10);
        List<Vote> honest = IntStream.range(0, m)
                .mapToObj(w -> new Vote(w, Vectors.scaled(scale, random.gaussians(d))))
                .toList();
        return situation(honest, random.choose(b, m), b, seed);
    }

    protected static Situation situation(List<Vote> honest, int[] liars, int screened, Seed seed) {
        int d = honest.get(0).vector().length;
        Round truth = new Round(2, honest.size(), honest, new double[d], Seed.of(0), Carry.NONE, null);
        return new Situation(truth, liars, new NormScreening(screened), seed);
    }

    @Test
    void everyLiarSendsOneFiniteVectorOfTheRightLength() {
        for (double scale : new double[] {0, 1e-310, 1, 1e200, 1e305}) {
            Laws.check(CASES, seed -> {
                Situation now = situation(seed, scale);
                List<double[]> forged = attack().forge(now);
                assertThat(forged).hasSameSizeAs(now.byzantine());
                assertThat(forged).allSatisfy(v -> {
                    assertThat(v).hasSize(now.truth().theta().length);
                    assertThat(Vectors.finite(v)).isTrue();
                });
            });
        }
    }

    @Test
    void theSameSituationGivesTheSameBitsAndStaysUntouched() {
        Laws.check(CASES, seed -> {
            Situation now = situation(seed, 1);
            List<double[]> once = attack().forge(now);
            List<double[]> twice = attack().forge(now);
            for (int i = 0; i < once.size(); i++) {
                assertThat(Laws.bits(twice.get(i))).isEqualTo(Laws.bits(once.get(i)));
            }
            Situation again = situation(seed, 1);
            for (int w = 0; w < now.truth().votes().size(); w++) {
                assertThat(Laws.bits(now.truth().votes().get(w).vector()))
                        .isEqualTo(Laws.bits(again.truth().votes().get(w).vector()));
            }
            assertThat(now.byzantine()).isEqualTo(again.byzantine());
            assertThat(Laws.bits(now.truth().theta()))
                    .isEqualTo(Laws.bits(again.truth().theta()));
        });
    }

    @Test
    void withoutLiarsThereIsNothingToSend() {
        Laws.check(10, seed -> {
            Situation now = situation(seed, 1);
            assertThat(attack().forge(situation(now.truth().votes(), new int[0], 0, seed)))
                    .isEmpty();
        });
    }
}
