package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.preparation.AcrossSources;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrossFitsTest {
    private static List<Dataset> sources(Seed seed, int count) {
        Dataset rows = Samples.dataset(seed, 60 * count, 4, count);
        return rows.rowsBySource().stream()
                .map(own -> rows.select(own).withoutGroups())
                .toList();
    }

    private static CrossFits fits(List<Dataset> sources) {
        return new CrossFits(new LogisticRegression(true), sources, new AcrossSources(2), Seed.of(1));
    }

    private static List<Dataset> with(List<Dataset> sources, int chosen, Dataset changed) {
        List<Dataset> all = new ArrayList<>(sources);
        all.set(chosen, changed);
        return all;
    }

    private static Dataset flipped(Dataset rows) {
        return rows.relabel(r -> 1 - rows.label(r));
    }

    /** Its labels decide about others, but neither about itself nor about those in its part. */
    @Test
    void noSourceTeachesTheModelThatJudgesIt() {
        Laws.check(5, seed -> {
            for (int count : new int[] {7, 23}) {
                List<Dataset> sources = sources(seed, count);
                CrossFits.Scores before = fits(sources).scores(Set.of());
                CrossFits.Scores after =
                        fits(with(sources, 2, flipped(sources.get(2)))).scores(Set.of());
                for (int s = 0; s < count; s++) {
                    boolean same = s % Math.min(count, 10) == 2;
                    assertThat(after.scores()[s].length).isEqualTo(60);
                    if (same) {
                        assertThat(after.scores()[s]).isEqualTo(before.scores()[s]);
                    } else {
                        assertThat(after.scores()[s]).isNotEqualTo(before.scores()[s]);
                    }
                }
            }
        });
    }

    @Test
    void excludedSourcesTeachNobody() {
        Laws.check(5, seed -> {
            List<Dataset> sources = sources(seed, 12);
            CrossFits.Scores before = fits(sources).scores(Set.of(3, 8));
            CrossFits.Scores after =
                    fits(with(sources, 3, flipped(sources.get(3)))).scores(Set.of(3, 8));
            assertThat(Laws.bits(flat(after.scores()))).isEqualTo(Laws.bits(flat(before.scores())));
        });
    }

    private static double[] flat(double[][] values) {
        return Arrays.stream(values).flatMapToDouble(Arrays::stream).toArray();
    }

    /** The scores rank rows nearly as well as the fit of all honest sources does. */
    @Test
    void aQuarterOfFlippersDoesNotTurnTheFit() {
        Laws.check(5, seed -> {
            List<Dataset> clean = sources(seed, 12);
            List<Dataset> poisoned = clean;
            for (int s : new int[] {0, 5, 11}) {
                poisoned = with(poisoned, s, flipped(clean.get(s)));
            }
            double[] honest = fits(clean).scores(Set.of()).weights()[3];
            double[] robust = fits(poisoned).scores(Set.of()).weights()[3];
            double cosine = Vectors.dot(honest, robust, 4) / Vectors.norm(honest, 4) / Vectors.norm(robust, 4);
            assertThat(cosine).isGreaterThan(0.95);
        });
    }

    /** Own weights turn towards a source that flips its labels, and away from nothing where labels are random. */
    @Test
    void adaptedScoresFollowTheSourceButNotItsNoise() {
        Laws.check(5, seed -> {
            List<Dataset> clean = sources(seed, 8);
            Dataset own = Samples.dataset(seed, 600, 4);
            Dataset flipped = flipped(own);
            double[] coin = seed.child("coin").random().gaussians(600);
            Dataset random = own.relabel(r -> coin[r] > 0 ? 1 : 0);
            for (Dataset rows : List.of(own, flipped, random)) {
                CrossFits fits = fits(with(clean, 7, rows));
                CrossFits.Scores scores = fits.scores(Set.of(7));
                double[] labels =
                        IntStream.range(0, 600).mapToDouble(rows::label).toArray();
                double without =
                        Agreement.ofScores(scores.scores()[7], labels, true).agreement();
                double[] adapted = fits.adapted(7, scores.weights()[7]);
                double with = Agreement.ofScores(adapted, labels, true).agreement();
                if (rows == random) {
                    assertThat(with).isBetween(0.4, 0.6);
                } else {
                    assertThat(without > 0.5).isEqualTo(rows == own);
                    assertThat(with).isGreaterThan(0.6);
                }
                // Each half is as spread as by the weights of the others.
                for (int half = 0; half < 2; half++) {
                    assertThat(spread(adapted, half) / spread(scores.scores()[7], half))
                            .isBetween(1 - 1e-9, 1 + 1e-9);
                }
            }
        });
    }

    private static double spread(double[] scores, int half) {
        double[] own = IntStream.range(0, scores.length / 2)
                .mapToDouble(j -> scores[2 * j + half])
                .toArray();
        double mean = Arrays.stream(own).average().orElseThrow();
        return Math.sqrt(
                Arrays.stream(own).map(u -> (u - mean) * (u - mean)).average().orElseThrow());
    }
}
