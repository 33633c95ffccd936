package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StepSizeTest {
    private static double[] sizes(StepSize steps, double... objectives) {
        StepSize.Current[] now = {StepSize.START};
        return DoubleStream.of(objectives)
                .map(objective -> {
                    now[0] = steps.next(now[0], objective, StepSize.Change.NONE);
                    return now[0].size();
                })
                .toArray();
    }

    @Test
    void aFixedStepIgnoresTheObjective() {
        assertThat(sizes(new StepSize.Fixed(0.3), 5, 9, Double.NaN)).containsExactly(0.3, 0.3, 0.3);
        assertThat(new StepSize.Fixed(0.3).asks(0)).isFalse();
    }

    @Test
    void anAdaptiveStepGrowsWhileTheObjectiveFallsAndHalvesWhenItRises() {
        StepSize known = new StepSize.Adaptive(1, 1, 1);
        assertThat(sizes(known, 5, 4, 4, 6, 5)).containsExactly(1, 1.5, 2.25, 1.125, 1.125 * 1.1);
        // A first step that may be too long grows slowly, and may become shorter.
        StepSize unknown = new StepSize.Adaptive(1, 0.3, 1);
        assertThat(sizes(unknown, 5, 4, 6, 7, 8)).containsExactly(1, 1.1, 0.55, 0.3, 0.3);
        // Nothing happens in rounds without an objective.
        assertThat(sizes(known, 5, Double.NaN, 4, Double.NaN, 9)).containsExactly(1, 1, 1.5, 1.5, 1);
    }

    @Test
    void aStepFallsBackToTheFirstIfTheObjectiveRisesByMoreThanItsSize() {
        StepSize known = new StepSize.Adaptive(1, 1, 1);
        assertThat(sizes(known, 0.5, 0.4, 0.3, 0.2, 0.1, 0.2)).endsWith(Math.pow(1.5, 4) / 2);
        assertThat(sizes(known, 0.5, 0.4, 0.3, 0.2, 0.1, 0.21, 0.2)).endsWith(1, 1.1);
        StepSize unknown = new StepSize.Adaptive(1, 0.3, 1);
        assertThat(sizes(unknown, -1, -2, -3, -4, 1)).endsWith(1.1 * 1.1 * 1.1 / 2);
        assertThat(sizes(unknown, 1, 3, 9)).endsWith(0.5, 0.3);
    }

    @Test
    void workersAreAskedForTheObjectiveAsOftenAsStepsChange() {
        StepSize every = new StepSize.Adaptive(1, 1, 1);
        StepSize tenth = new StepSize.Adaptive(1, 1, 10);
        assertThat(every.asks(7)).isTrue();
        assertThat(tenth.asks(7)).isFalse();
        assertThat(tenth.asks(20)).isTrue();
    }

    /** Whatever is reported, steps stay at or above the shortest, finite, and as long as the last allow. */
    @Test
    void noReportMakesAStepUseless() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            double first = Math.exp(3 * random.nextGaussian());
            StepSize steps = new StepSize.Adaptive(first, first / (1 + random.nextInt(3)), 1);
            StepSize.Current now = StepSize.START;
            for (int round = 0; round < 400; round++) {
                double[] reports = {
                    random.nextGaussian(), 1e308, -1e308, Double.NaN, Double.POSITIVE_INFINITY, -round, round
                };
                StepSize.Current next = steps.next(now, reports[random.nextInt(reports.length)], StepSize.Change.NONE);
                assertThat(next.size()).isFinite().isGreaterThanOrEqualTo(first / 3);
                assertThat(round == 0 || next.size() <= 1.5 * now.size()).isTrue();
                now = next;
            }
        });
    }

    /** Directions of the quadratic objective (1/2) sum_i c_i theta_i^2 and what spectral steps make of them. */
    @Test
    void spectralStepsLieBetweenTheInversesOfTheCurvatures() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int d = 2 + random.nextInt(5);
            double[] curvatures = new double[d];
            Arrays.setAll(curvatures, i -> Math.exp(2 * random.nextGaussian()));
            double steepest = Arrays.stream(curvatures).max().orElseThrow();
            double flattest = 1 / Arrays.stream(curvatures).min().orElseThrow();
            StepSize steps = new StepSize.Spectral(0.5 / steepest, 0.5 / steepest, 1);
            StepSize.Current now = StepSize.START;
            double[] theta = random.gaussians(d);
            double[] before = {};
            int round = 0;
            for (; round < 500 && !(now.gap() <= 1e-9); round++) {
                double[] at = theta.clone();
                double[] direction = new double[d];
                Arrays.setAll(direction, i -> curvatures[i] * at[i]);
                double objective = Vectors.dot(direction, at, d) / 2;
                boolean back = steps.takesBack(now, objective);
                StepSize.Current next = steps.next(now, objective, StepSize.Change.of(now.size(), before, direction));
                if (back) {
                    Vectors.addScaled(theta, now.size() - next.size(), before, d);
                } else {
                    assertThat(next.size()).isLessThanOrEqualTo(flattest * (1 + 1e-9));
                    assertThat(next.flattest() > flattest * (1 + 1e-9)).isFalse();
                    Vectors.addScaled(theta, -next.size(), direction, d);
                    before = direction;
                }
                now = next;
            }
            assertThat(round).as("rounds").isLessThan(400);
            double left = 0;
            for (int i = 0; i < d; i++) {
                left += curvatures[i] * theta[i] * theta[i] / 2;
            }
            assertThat(left).isLessThan(1e-6);
        });
    }

    @Test
    void aSpectralStepThatWasTooLongIsTakenBack() {
        StepSize steps = new StepSize.Spectral(0.1, 0.1, 1);
        StepSize.Current before = new StepSize.Current(8, 2, Double.NaN, 3, 1);
        assertThat(steps.takesBack(before, 2.1)).as("rises a little").isFalse();
        assertThat(steps.takesBack(before, 2.3)).isTrue();
        assertThat(steps.takesBack(new StepSize.Current(0.1, 2, Double.NaN), 9))
                .as("as short as allowed")
                .isFalse();
        assertThat(steps.takesBack(before, Double.NaN)).isFalse();
        assertThat(steps.next(before, 2.3, StepSize.Change.NONE))
                .isEqualTo(new StepSize.Current(2, 2, Double.NaN, 3, Double.NaN));
        assertThat(steps.next(before, 2.1, new StepSize.Change(1, 1, 0.01, 4)))
                .as("a quarter of the last one, though it could be longer")
                .isEqualTo(new StepSize.Current(2, 2.1, Double.NaN, 0.95 * 3, 2 * 1000));
        assertThat(steps.next(new StepSize.Current(8, 2, Double.NaN, 3000, 1), 2.1, new StepSize.Change(1, 1, 0.01, 4)))
                .as("flatter than what may have been missed")
                .isEqualTo(new StepSize.Current(2, 2.1, Double.NaN, 0.95 * 3000, 2 * 0.95 * 3000));
        assertThat(steps.next(before, 1, new StepSize.Change(1, 1, 0.001, 4)).size())
                .as("tenfold")
                .isEqualTo(80);
        assertThat(steps.next(before, 1, new StepSize.Change(1, -1, 1, 4)).size())
                .as("no curvature")
                .isEqualTo(12);
    }

    /** Whatever workers send and report. */
    @Test
    void noReportMakesASpectralStepUseless() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            double first = Math.exp(3 * random.nextGaussian());
            StepSize steps = new StepSize.Spectral(first, first / (1 + random.nextInt(3)), 1);
            StepSize.Current now = StepSize.START;
            for (int round = 0; round < 400; round++) {
                double[] wild = {
                    random.nextGaussian(), 0, 1e308, -1e308, Double.NaN, Double.POSITIVE_INFINITY, 1e-320, round
                };
                StepSize.Current next = steps.next(
                        now,
                        wild[random.nextInt(wild.length)],
                        new StepSize.Change(
                                Math.abs(wild[random.nextInt(wild.length)]),
                                wild[random.nextInt(wild.length)],
                                Math.abs(wild[random.nextInt(wild.length)]),
                                Math.abs(wild[random.nextInt(wild.length)])));
                assertThat(next.size()).isFinite().isGreaterThanOrEqualTo(first / 3);
                assertThat(round == 0 || next.size() <= 10 * now.size()).isTrue();
                now = next;
            }
        });
    }

    @Test
    void stepsHaveALength() {
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new StepSize.Fixed(bad)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new StepSize.Adaptive(bad, 1, 1)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new StepSize.Adaptive(1, bad, 1)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new StepSize.Spectral(1, bad, 1)).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new StepSize.Adaptive(1, 2, 1))
                .hasMessage("the shortest step must not be above the first one, got 2.0 and 1.0");
        assertThatThrownBy(() -> new StepSize.Adaptive(1, 1, 0)).isInstanceOf(InputException.class);
    }

    /** A step that was too long can be shortened; one that is as short as allowed cannot, unless the objective falls. */
    @Test
    void onlyALongStepOrAFallingObjectiveLetsARunRecover() {
        StepSize.Adaptive steps = new StepSize.Adaptive(0.1, 0.1, 1);
        assertThat(steps.canRecover(new StepSize.Current(50, 0.01, 1.1), 400)).isTrue();
        assertThat(steps.canRecover(new StepSize.Current(0.1, 500, 1.1), 400)).isTrue();
        assertThat(steps.canRecover(new StepSize.Current(0.1, 300, 1.1), 400)).isFalse();
        assertThat(steps.canRecover(new StepSize.Current(0.1, 300, 1.1), Double.NaN))
                .isFalse();
        assertThat(steps.canRecover(StepSize.START, 400)).isFalse();
        assertThat(new StepSize.Fixed(0.1).canRecover(new StepSize.Current(0.1, 500, 1.1), 400))
                .isFalse();
    }
}
