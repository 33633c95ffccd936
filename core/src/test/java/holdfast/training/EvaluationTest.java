package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Laws;
import holdfast.Randomness;
import holdfast.Samples;
import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.LabelScaling;
import holdfast.data.Scaling;
import holdfast.math.Logistic;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EvaluationTest {

    @Test
    void theAucCountsThePairsInOrderAndTiesHalf() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int n = 2 + random.nextInt(60);
            double[] scores = new double[n];
            double[] labels = new double[n];
            for (int i = 0; i < n; i++) {
                scores[i] = random.nextInt(10);
                labels[i] = i < 2 ? i : random.nextInt(2);
            }
            double wins = 0;
            double pairs = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (labels[i] == 1 && labels[j] == 0) {
                        pairs++;
                        wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
                    }
                }
            }
            assertThat(Evaluation.auc(scores, labels)).isCloseTo(wins / pairs, within(1e-13));
        });
    }

    @Test
    void withOneClassThereIsNoAuc() {
        assertThat(Evaluation.auc(new double[] {1, 2}, new double[] {1, 1})).isNaN();
    }

    @Test
    void errorAndLossAreThoseOfTheProbabilities() {
        Laws.check(10, seed -> {
            Dataset data = Samples.dataset(seed, 600, 4);
            double threshold = seed.random().nextInt(2) == 0 ? 0.5 : 0.3;
            TrainedModel trained = new TrainedModel(
                    Spec.parse("logistic"),
                    true,
                    seed.random().gaussians(5),
                    Scaling.fit(Scaling.Kind.STANDARDISE, data),
                    LabelScaling.NONE,
                    data.schema(),
                    threshold);
            double[] p =
                    Arrays.stream(trained.scores(data)).map(Logistic::sigmoid).toArray();
            double wrong = 0;
            double loss = 0;
            for (int r = 0; r < 600; r++) {
                wrong += (p[r] >= threshold) == (data.label(r) == 1) ? 0 : 1;
                loss -= Math.log(data.label(r) == 1 ? p[r] : 1 - p[r]);
            }
            Evaluation made = Evaluation.of(trained, data, Shift.NONE);
            assertThat(made.rows()).isEqualTo(600);
            assertThat(made.error()).isEqualTo(wrong / 600);
            assertThat(made.logLoss()).isCloseTo(loss / 600, within(1e-9));
            assertThat(made.shift()).isEqualTo("none");
        });
    }

    @Test
    void aLargerShiftNeverHelps() {
        Laws.check(10, seed -> {
            Dataset data = Samples.dataset(seed, 300, 4);
            TrainedModel trained = new TrainedModel(
                    Spec.parse("logistic"),
                    true,
                    seed.random().gaussians(5),
                    Scaling.fit(Scaling.Kind.SD, data),
                    LabelScaling.NONE,
                    data.schema(),
                    0.5);
            Evaluation last = Evaluation.of(trained, data, Shift.NONE);
            for (double budget : new double[] {0, 0.1, 0.3, 1, 10}) {
                Evaluation now = Evaluation.of(trained, data, new WorstCaseShift(WorstCaseShift.Norm.L2, budget));
                assertThat(now.error()).isGreaterThanOrEqualTo(last.error());
                assertThat(now.logLoss()).isGreaterThanOrEqualTo(last.logLoss());
                last = now;
            }
            assertThat(last.error()).isEqualTo(1);
        });
    }
}
