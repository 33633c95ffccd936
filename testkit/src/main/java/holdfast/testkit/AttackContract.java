package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.AttackContext;
import holdfast.attack.UpdateAttack;
import holdfast.math.Vectors;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The laws of every attack on updates: every liar sends one vector of the right length, finite whatever the size of the
 * honest updates, and the same context gives the same bits and stays untouched.
 *
 * <p>To test an attack, extend this class and implement {@link #attack}. For tests of your own, {@link #situation(Seed,
 * double)} makes a random context and {@link #withoutData} one whose liars hold no data.
 */
public abstract class AttackContract {
    private static final int CASES = 100;
    private static final double[] SCALES = {0, 1e-310, 1e-160, 1, 1e160, 1e305};

    /** Returns the attack to test, with its default strength. */
    protected abstract UpdateAttack attack();

    /** Whether the attack sends finite vectors. */
    protected boolean finite() {
        return true;
    }

    /** Makes a random context: 4 to 20 workers, at most a third of them liars, with honest updates of this size. */
    public static AttackContext situation(Seed seed, double scale) {
        Randomness random = seed.child("situation").random();
        int m = 4 + random.nextInt(17);
        int b = random.nextInt(m / 3 + 1);
        int d = 1 + random.nextInt(10);
        List<WorkerUpdate> honest = IntStream.range(0, m)
                .mapToObj(w -> new WorkerUpdate(w, Vectors.scaled(scale, random.gaussians(d))))
                .toList();
        return situation(honest, random.choose(b, m), b, seed);
    }

    /** Makes a context from the updates that all workers would send if none lied; norm screening defends. */
    public static AttackContext situation(List<WorkerUpdate> honest, int[] liars, int screened, Seed seed) {
        int d = honest.get(0).vector().length;
        Round truth = new Round(2, honest.size(), honest, new double[d], Seed.of(0), Carry.NONE, Mean.of(honest));
        return new AttackContext(truth, liars, new NormScreening(screened), seed);
    }

    /**
     * Makes a context whose liars hold no data: workers 0..n-1 are honest, the f liars have the ids after them and no
     * updates.
     */
    public static AttackContext withoutData(List<double[]> honest, int f, Aggregator defence, Seed seed) {
        List<WorkerUpdate> votes = IntStream.range(0, honest.size())
                .mapToObj(w -> new WorkerUpdate(w, honest.get(w)))
                .toList();
        int n = honest.size();
        int d = honest.get(0).length;
        Round truth = new Round(2, n + f, votes, new double[d], Seed.of(0), Carry.NONE, Mean.of(votes));
        return new AttackContext(truth, IntStream.range(n, n + f).toArray(), defence, seed);
    }

    private void validLies(AttackContext now) {
        List<double[]> forged = attack().forge(now);
        assertThat(forged).hasSameSizeAs(now.byzantine());
        assertThat(forged).allSatisfy(v -> {
            assertThat(v).hasSize(now.truth().theta().length);
            assertThat(Vectors.finite(v)).isEqualTo(finite());
        });
    }

    @Test
    protected void everyLiarSendsOneFiniteVectorOfTheRightLength() {
        for (double scale : SCALES) {
            Laws.check(CASES, seed -> validLies(situation(seed, scale)));
        }
    }

    @Test
    protected void liarsWithoutDataManageWithOneHonestWorkerToo() {
        for (double scale : SCALES) {
            Laws.check(20, seed -> {
                Randomness random = seed.random();
                int n = 1 + random.nextInt(4);
                int d = 1 + random.nextInt(3);
                List<double[]> honest = IntStream.range(0, n)
                        .mapToObj(w -> Vectors.scaled(scale, random.gaussians(d)))
                        .toList();
                int f = 1 + random.nextInt(3);
                validLies(withoutData(honest, f, new NormScreening(f), seed));
                validLies(withoutData(honest, f, new Mean(), seed));
            });
        }
    }

    @Test
    protected void whenAllLieTheySendSomething() {
        Laws.check(20, seed -> {
            AttackContext now = situation(seed, 1);
            validLies(situation(now.truth().updates(), now.truth().senders(), 1, seed));
        });
    }

    @Test
    protected void theSameSituationGivesTheSameBitsAndStaysUntouched() {
        Laws.check(CASES, seed -> {
            AttackContext now = situation(seed, 1);
            List<double[]> once = attack().forge(now);
            List<double[]> twice = attack().forge(now);
            for (int i = 0; i < once.size(); i++) {
                assertThat(Laws.bits(twice.get(i))).isEqualTo(Laws.bits(once.get(i)));
            }
            AttackContext again = situation(seed, 1);
            for (int w = 0; w < now.truth().updates().size(); w++) {
                assertThat(Laws.bits(now.truth().updates().get(w).vector()))
                        .isEqualTo(Laws.bits(again.truth().updates().get(w).vector()));
            }
            assertThat(now.byzantine()).isEqualTo(again.byzantine());
            assertThat(Laws.bits(now.truth().theta()))
                    .isEqualTo(Laws.bits(again.truth().theta()));
        });
    }

    @Test
    protected void withoutLiarsThereIsNothingToSend() {
        Laws.check(10, seed -> {
            AttackContext now = situation(seed, 1);
            assertThat(attack().forge(situation(now.truth().updates(), new int[0], 0, seed)))
                    .isEmpty();
        });
    }
}
