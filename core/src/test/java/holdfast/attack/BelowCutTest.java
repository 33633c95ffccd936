package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import holdfast.testkit.AttackContract;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BelowCutTest extends AttackContract {
    @Override
    protected UpdateAttack attack() {
        return new BelowCut();
    }

    /** m workers of which at most as many lie as are screened, around a mean that is not 0; liars with or without data. */
    static AttackContext screened(Seed seed) {
        Randomness random = seed.child("screened").random();
        int m = 5 + random.nextInt(16);
        int s = 1 + random.nextInt((m - 1) / 2);
        int b = 1 + random.nextInt(s);
        int d = 1 + random.nextInt(6);
        double spread = 0.2 + 2 * random.nextDouble();
        double[] centre = random.gaussians(d);
        List<double[]> vectors = new ArrayList<>();
        for (int w = 0; w < m; w++) {
            double[] v = Vectors.scaled(spread, random.gaussians(d));
            vectors.add(Vectors.add(v, centre));
        }
        if (random.nextInt(2) == 0) {
            return withoutData(vectors.subList(0, m - b), b, new NormScreening(s), seed);
        }
        List<WorkerUpdate> votes = IntStream.range(0, m)
                .mapToObj(w -> new WorkerUpdate(w, vectors.get(w)))
                .toList();
        return situation(votes, random.choose(b, m), s, seed);
    }

    /** {@code <G, u>}, u the direction of the honest mean. */
    static double progress(AttackContext now, List<double[]> forged) {
        double[] mean = Mean.of(now.honest());
        return Vectors.dot(now.attempt(forged).direction(), mean, mean.length) / Vectors.norm(mean);
    }

    /** The same round before every rule that can serve it. */
    static List<AttackContext> beforeEveryRule(AttackContext now) {
        int b = now.byzantine().length;
        return Aggregators.rules().names().stream()
                .map(name -> Aggregators.create(name, b))
                .filter(rule -> rule.minWorkers() <= now.truth().workers())
                .map(rule -> new AttackContext(now.truth(), now.byzantine(), rule, now.seed()))
                .toList();
    }

    private static List<double[]> lies(AttackContext now, double[] lengths) {
        double[] mean = Mean.of(now.honest());
        return Arrays.stream(lengths)
                .mapToObj(length -> Vectors.scaled(-length / Vectors.norm(mean), mean))
                .toList();
    }

    @Test
    void noNumberOfKeptLiarsAndNoLengthsDoMoreHarm() {
        Laws.check(100, seed -> {
            AttackContext now = screened(seed);
            double[] norms = now.honest().stream()
                    .mapToDouble(v -> Vectors.norm(v.vector()))
                    .sorted()
                    .toArray();
            int b = now.byzantine().length;
            double[] just = Arrays.stream(norms).map(h -> h * (1 - 1e-12)).toArray();
            double tooLong = 100 * norms[norms.length - 1];
            double ours = progress(now, attack().forge(now));
            double least = Double.POSITIVE_INFINITY;
            for (int j = 0; j <= b; j++) {
                for (double length : just) {
                    double[] lengths = new double[b];
                    Arrays.fill(lengths, tooLong);
                    Arrays.fill(lengths, 0, j, length);
                    least = Math.min(least, progress(now, lies(now, lengths)));
                }
            }
            double rounding = 1e-8 * norms[norms.length - 1];
            assertThat(ours).isCloseTo(least, within(rounding));
            Randomness random = seed.child("lengths").random();
            for (int i = 0; i < 100; i++) {
                double[] lengths = IntStream.range(0, b)
                        .mapToDouble(l -> random.nextInt(4) == 0 ? tooLong : just[random.nextInt(just.length)])
                        .toArray();
                assertThat(progress(now, lies(now, lengths))).isGreaterThan(ours - rounding);
            }
        });
    }

    @Test
    void theLiarsBelowTheCutAreKeptAndNoTwoAreTheSame() {
        Laws.check(200, seed -> {
            AttackContext now = screened(seed);
            List<double[]> forged = attack().forge(now);
            double longest = now.honest().stream()
                    .mapToDouble(v -> Vectors.norm(v.vector()))
                    .max()
                    .orElseThrow();
            long below = forged.stream().filter(v -> Vectors.norm(v) < longest).count();
            long kept = Arrays.stream(now.attempt(forged).kept())
                    .filter(w -> Arrays.binarySearch(now.byzantine(), w) >= 0)
                    .count();
            assertThat(kept).isEqualTo(below);
            Set<Double> different = new HashSet<>();
            forged.forEach(v -> assertThat(different.add(v[0])).isTrue());
        });
    }

    @Test
    void doesAsMuchHarmAsEveryOtherAttackAndAsMinusAnyHonestUpdate() {
        Laws.check(60, seed -> {
            AttackContext now = screened(seed);
            double ours = progress(now, attack().forge(now));
            double rounding = 1e-8 * (1 + Math.abs(ours));
            for (WorkerUpdate vote : now.honest()) {
                assertThat(ours - rounding)
                        .isLessThanOrEqualTo(
                                progress(now, UpdateAttack.together(now, Vectors.scaled(-1, vote.vector()))));
            }
            for (String name : Attacks.catalogue().names()) {
                if (Attacks.catalogue().create(Spec.parse(name)) instanceof UpdateAttack other
                        && !(other instanceof NonFinite)) {
                    assertThat(ours - rounding).as(name).isLessThanOrEqualTo(progress(now, other.forge(now)));
                }
            }
        });
    }

    @Test
    void equalHonestUpdatesLeaveOneMinusBetaMinusTwoAlpha() {
        // G = (m - s - 2b)/(m - s) g for equal honest g.
        double[] g = {3, 4};
        List<double[]> honest = Collections.nCopies(16, g);
        AttackContext now = withoutData(honest, 4, new NormScreening(5), Seed.of(1));
        assertThat(progress(now, attack().forge(now))).isCloseTo(5 * (20 - 5 - 8) / 15.0, within(1e-8));
    }

    @Test
    void thePapersCounterexampleTurnsScreeningRoundAndThisAttackTurnsItFurther() {
        // Where it speaks of the breakpoint: g_5..g_10 honest, in descending order of length; four liars send -g_9,
        // which leaves g_9 and g_10.
        List<double[]> honest = List.of(
                new double[] {6, 1},
                new double[] {5, -1},
                new double[] {4, 2},
                new double[] {4, -1},
                new double[] {3, 1},
                new double[] {2, -1});
        AttackContext now = withoutData(honest, 4, new NormScreening(4), Seed.of(1));
        List<double[]> minusNinth = Collections.nCopies(4, new double[] {-3, -1});
        assertThat(now.attempt(minusNinth).kept()).containsExactly(4, 5, 6, 7, 8, 9);
        assertThat(now.attempt(minusNinth).direction())
                .containsExactly(new double[] {(4 * -3 + 3 + 2) / 6.0, (4 * -1 + 1 - 1) / 6.0}, within(1e-15));
        assertThat(progress(now, attack().forge(now)))
                .isLessThan(progress(now, minusNinth))
                .isNegative();
    }

    @Test
    void moreLiarsThanTheRuleDropsNeedNoRestraint() {
        Laws.check(50, seed -> {
            AttackContext now = screened(seed);
            AttackContext weak = new AttackContext(
                    now.truth(), now.byzantine(), new NormScreening(now.byzantine().length - 1), seed);
            assertThat(progress(weak, attack().forge(weak))).isLessThan(-1000 * Vectors.norm(Mean.of(now.honest())));
        });
    }
}
