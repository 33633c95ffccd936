package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.preparation.LabelScaling;
import holdfast.shift.Prior;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Precision, recall, F1, PR-AUC and Brier score against scikit-learn 1.2.1. Scores have ties, and some are at the threshold.
 *
 * <pre>
 * import numpy as np
 * from sklearn.metrics import *
 * y = np.array([0,0,1,0,1,1,0,1,0,0,1,0,1,0,0,0,1,0,0,1,0,0,0,1])
 * s = np.array([-3,-2,-2,-1,-1,0,0,.5,.5,-1.5,2,1,3,-.5,-.5,-2.5,1,-4,-1,-1,.5,-3,-2,2])
 * p = 1/(1+np.exp(-s))
 * for t in (.5, .3): q = p >= t; print(precision_score(y,q), recall_score(y,q), f1_score(y,q), q.mean())
 * print(average_precision_score(y,s), brier_score_loss(y,p))
 * w = np.where(y==1, .5/y.mean(), .5/(1-y.mean())); q = p >= .5   # the shift prior(class=1, share=0.5)
 * print(precision_score(y,q,sample_weight=w), recall_score(y,q,sample_weight=w), f1_score(y,q,sample_weight=w),
 *       average_precision_score(y,s,sample_weight=w), brier_score_loss(y,p,sample_weight=w))
 * Y = np.array([0,1,2,0,1,2,0,0,1,0,2,1])
 * U = np.array([[2,0,1],[0,1,0],[1,0,1.5],[1,1,0],[2,1,0],[0,0,1],[3,0,0],[0,2,1],[0,1,1],[1,0,0],[2,0,0],[0,3,1]])
 * P = np.exp(U); P /= P.sum(1,keepdims=True); Q = U.argmax(1); B = np.eye(3)[Y]
 * print(precision_score(Y,Q,average='macro'), recall_score(Y,Q,average='macro'), f1_score(Y,Q,average='macro'),
 *       average_precision_score(B,np.log(P),average='macro'), ((P-B)**2).sum(1).mean())
 * Y = [0,1,2,0,1,2]; Q = [0,1,0,0,0,1]   # class 2 is never predicted
 * print(precision_score(Y,Q,average='macro'), recall_score(Y,Q,average='macro'), f1_score(Y,Q,average='macro'))
 * </pre>
 */
class ClassFiguresTest {
    private static final double[] LABELS = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1};
    private static final double[] SCORES = {
        -3, -2, -2, -1, -1, 0, 0, 0.5, 0.5, -1.5, 2, 1, 3, -0.5, -0.5, -2.5, 1, -4, -1, -1, 0.5, -3, -2, 2
    };
    private static final double[] CLASSES = {0, 1, 2, 0, 1, 2, 0, 0, 1, 0, 2, 1};
    private static final double[][] CLASS_SCORES = {
        {2, 0, 1},
        {0, 1, 0},
        {1, 0, 1.5},
        {1, 1, 0},
        {2, 1, 0},
        {0, 0, 1},
        {3, 0, 0},
        {0, 2, 1},
        {0, 1, 1},
        {1, 0, 0},
        {2, 0, 0},
        {0, 3, 1}
    };

    /** Evaluates parameters that make the features themselves the scores. */
    private static Evaluation evaluate(Model model, double threshold, double[][] scores, double[] labels, Shift shift) {
        int k = scores[0].length;
        DatasetBuilder builder = new DatasetBuilder(k);
        IntStream.range(0, labels.length).forEach(r -> builder.add(scores[r], labels[r]));
        Dataset data = builder.build(
                new Schema(
                        IntStream.range(0, k).mapToObj(i -> "x" + i).toList(),
                        "y",
                        IntStream.range(0, Math.max(2, k))
                                .mapToObj(c -> "c" + c)
                                .toList(),
                        List.of()),
                DataSource.MEMORY);
        double[] identity = new double[k * k];
        IntStream.range(0, k).forEach(c -> identity[c * k + c] = 1);
        return Evaluation.ofScaled(model, identity, threshold, LabelScaling.NONE, data, shift);
    }

    private static Evaluation two(Model model, double threshold, double[] scores, double[] labels, Shift shift) {
        double[][] rows = Arrays.stream(scores).mapToObj(s -> new double[] {s}).toArray(double[][]::new);
        return evaluate(model, threshold, rows, labels, shift);
    }

    private static void expect(
            Evaluation e, double precision, double recall, double f1, double averagePrecision, double brier) {
        assertThat(e.get(Metric.PRECISION)).isCloseTo(precision, within(1e-12));
        assertThat(e.get(Metric.RECALL)).isCloseTo(recall, within(1e-12));
        assertThat(e.get(Metric.F1)).isCloseTo(f1, within(1e-12));
        assertThat(e.get(Metric.PR_AUC)).isCloseTo(averagePrecision, within(1e-12));
        assertThat(e.get(Metric.BRIER)).isCloseTo(brier, within(1e-12));
    }

    @Test
    void twoClassesAsInScikitLearn() {
        Model model = new LogisticRegression(false);
        Evaluation half = two(model, 0.5, SCORES, LABELS, Shift.NONE);
        expect(half, 0.6, 0.6666666666666666, 0.631578947368421, 0.7194444444444446, 0.18339983444545938);
        expect(
                two(model, 0.3, SCORES, LABELS, Shift.NONE),
                0.5,
                0.6666666666666666,
                0.5714285714285715,
                0.7194444444444446,
                0.18339983444545938);
        assertThat(half.thresholds().stream().filter(ThresholdFigure::used))
                .singleElement()
                .satisfies(t -> {
                    assertThat(t.threshold()).isEqualTo(0.5);
                    assertThat(t.flagged()).isCloseTo(0.4166666666666667, within(1e-15));
                });
    }

    @Test
    void anotherPriorAsInScikitLearnWithWeights() {
        Evaluation e = two(new LogisticRegression(false), 0.5, SCORES, LABELS, new Prior(1, 0.5));
        expect(e, 0.7142857142857142, 0.6666666666666666, 0.689655172413793, 0.7940075695830171, 0.19872500343993113);
        for (Metric metric : List.of(Metric.PRECISION, Metric.RECALL, Metric.F1, Metric.PR_AUC, Metric.BRIER)) {
            assertThat(e.interval(metric).orElseThrow().contains(e.get(metric))).isTrue();
        }
    }

    @Test
    void manyClassesAsInScikitLearn() {
        Evaluation e = evaluate(new SoftmaxRegression(3, false), 0.5, CLASS_SCORES, CLASSES, Shift.NONE);
        expect(e, 0.8055555555555555, 0.7388888888888889, 0.7590909090909091, 0.7147474747474747, 0.5186246443671029);
        assertThat(e.thresholds()).isEmpty();
        // By numerical derivatives of the mean F1 in the shares of the confusion matrix.
        Interval f1 = e.interval(Metric.F1).orElseThrow();
        assertThat(f1.low()).isCloseTo(0.5176300807291989, within(1e-8));
        assertThat(f1.high()).isEqualTo(1);
    }

    @Test
    void aClassThatIsNeverPredictedCountsZero() {
        double[][] scores = {{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        Evaluation e =
                evaluate(new SoftmaxRegression(3, false), 0.5, scores, new double[] {0, 1, 2, 0, 1, 2}, Shift.NONE);
        assertThat(e.get(Metric.PRECISION)).isCloseTo(0.3333333333333333, within(1e-15));
        assertThat(e.get(Metric.RECALL)).isCloseTo(0.5, within(1e-15));
        assertThat(e.get(Metric.F1)).isCloseTo(0.38888888888888884, within(1e-15));
    }

    @Test
    void wherePrecisionIsUndefinedItIsNone() {
        Evaluation none = two(new LogisticRegression(false), 0.99, SCORES, LABELS, Shift.NONE);
        assertThat(none.get(Metric.PRECISION)).isNaN();
        assertThat(none.interval(Metric.PRECISION)).isEmpty();
        assertThat(none.get(Metric.RECALL)).isZero();
        assertThat(none.get(Metric.F1)).isZero();
        Evaluation noPositives =
                two(new LogisticRegression(false), 0.5, new double[] {1, -1}, new double[2], Shift.NONE);
        assertThat(noPositives.get(Metric.RECALL)).isNaN();
        assertThat(noPositives.get(Metric.PR_AUC)).isNaN();
        Evaluation margin = two(new SmoothedHinge(false, 1), 0.5, SCORES, LABELS, Shift.NONE);
        assertThat(margin.get(Metric.BRIER)).isNaN();
        assertThat(margin.get(Metric.PR_AUC)).isCloseTo(0.7194444444444446, within(1e-12));
        assertThat(margin.thresholds()).isEmpty();
    }

    /** For each row of class 1, the precision among the rows that score at least as high. */
    @Test
    void averagePrecisionIsTheMeanPrecisionAtTheRowsOfTheClass() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int n = 2 + random.nextInt(60);
            double[] scores = new double[n];
            double[] labels = new double[n];
            double[] weights = {1 + random.nextInt(3), 1 + random.nextInt(3)};
            for (int i = 0; i < n; i++) {
                scores[i] = random.nextInt(10);
                labels[i] = i < 2 ? i : random.nextInt(2);
            }
            double sum = 0;
            double ones = 0;
            for (int i = 0; i < n; i++) {
                double found = 0;
                double flagged = 0;
                for (int j = 0; j < n; j++) {
                    double counts = scores[j] >= scores[i] ? weights[(int) labels[j]] : 0;
                    flagged += counts;
                    found += labels[j] * counts;
                }
                sum += labels[i] * found / flagged;
                ones += labels[i];
            }
            assertThat(ClassEvaluation.averagePrecision(scores, labels, j -> weights[(int) labels[j]]))
                    .isCloseTo(sum / ones, within(1e-12));
        });
    }

    @Test
    void theTableOfThresholdsIsWhatModelsWithThemWouldDo() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double[] scores = random.gaussians(80);
            double[] labels = new double[80];
            Arrays.setAll(labels, j -> j < 2 ? j : random.nextInt(2));
            double own = new double[] {0.5, 0.123, 0.001, 0.999}[random.nextInt(4)];
            Model model = new LogisticRegression(false);
            List<ThresholdFigure> table =
                    two(model, own, scores, labels, Shift.NONE).thresholds();
            assertThat(table.stream().filter(ThresholdFigure::used).map(ThresholdFigure::threshold))
                    .containsExactly(own);
            assertThat(table.stream().map(ThresholdFigure::threshold))
                    .isSorted()
                    .doesNotHaveDuplicates();
            for (ThresholdFigure line : table) {
                Evaluation e = two(model, line.threshold(), scores, labels, Shift.NONE);
                assertThat(line.precision()).isEqualTo(Double.valueOf(e.get(Metric.PRECISION)));
                assertThat(line.recall()).isEqualTo(Double.valueOf(e.get(Metric.RECALL)));
                assertThat(line.f1()).isEqualTo(Double.valueOf(e.get(Metric.F1)));
                assertThat(line.flagged()).isCloseTo((e.confusion()[0][1] + e.confusion()[1][1]) / 80.0, within(1e-15));
            }
        });
    }
}
