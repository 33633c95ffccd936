package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Logistic;
import holdfast.preparation.AcrossSources;
import holdfast.testkit.Laws;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Platt draws labels inwards by how many rows there are in all sources together. */
class CalibrationTargetsTest {
    /** Copies of one source: the equations of maximum likelihood hold for the targets of all their rows. */
    @Test
    void targetsCountTheRowsOfAllSources() {
        Laws.check(20, seed -> {
            Randomness random = seed.child("scores").random();
            int rows = 12 + random.nextInt(20);
            double[] scores = random.gaussians(rows);
            double[] labels = new double[rows];
            double ones = 0;
            for (int j = 0; j < rows; j++) {
                labels[j] = random.nextDouble() < Logistic.sigmoid(2 * scores[j]) ? 1 : 0;
                ones += labels[j];
            }
            int copies = 3 + random.nextInt(5);
            Calibration found = Calibration.fit(
                    Collections.nCopies(copies, new ScoredSource(scores, labels)), new AcrossSources(1));
            if (found.equals(Calibration.NONE)) {
                return;
            }
            double one = (copies * ones + 1) / (copies * ones + 2);
            double zero = 1 / (copies * (rows - ones) + 2);
            double constant = 0;
            double along = 0;
            for (int j = 0; j < rows; j++) {
                double off = found.probability(scores[j]) - (labels[j] == 1 ? one : zero);
                constant += off / rows;
                along += off * scores[j] / rows;
            }
            assertThat(constant).isCloseTo(0, within(1e-6));
            assertThat(along).isCloseTo(0, within(1e-6));
        });
    }
}
