package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StepSizeTest {
    private static double[] sizes(StepSize steps, double... objectives) {
        StepSize.Current[] now = {StepSize.START};
        return DoubleStream.of(objectives)
                .map(objective -> {
                    now[0] = steps.next(now[0], objective);
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
                StepSize.Current next = steps.next(now, reports[random.nextInt(reports.length)]);
                assertThat(next.size()).isFinite().isGreaterThanOrEqualTo(first / 3);
                assertThat(round == 0 || next.size() <= 1.5 * now.size()).isTrue();
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
