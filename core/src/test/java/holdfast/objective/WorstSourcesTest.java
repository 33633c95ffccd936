package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.plan.PlanKey;
import holdfast.plan.Tolerated;
import holdfast.testkit.ObjectiveContract;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import org.junit.jupiter.api.Test;

class WorstSourcesTest extends ObjectiveContract {
    @Override
    protected ObjectiveFamily family(Randomness random) {
        return new WorstSources(1 + 2 * random.nextDouble());
    }

    @Override
    protected Model model() {
        return new LogisticRegression(true);
    }

    @Override
    protected double[] duals(Randomness random) {
        return new double[] {random.nextDouble(), 0.5 + random.nextDouble()};
    }

    /** A worker's term depends on its own mean loss: that is the point. */
    @Override
    protected boolean averagesOverWorkers() {
        return false;
    }

    @Test
    void liarsNeverHaveHalfOfTheWeight() {
        new WorstSources(4.9).requireServes(10, 1);
        new WorstSources(10).requireServes(10, 0);
        assertThatThrownBy(() -> new WorstSources(5).requireServes(10, 1))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--objective group gives the worst sources up to cap times their weight, and liars can be the"
                                + " worst: with 1 of 10 tolerated, cap must be below 5.0, got 5.0");
        assertThatThrownBy(() -> new WorstSources(11).requireServes(10, 0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cap must be at most the number of sources")
                .hasMessageEndingWith("got 11.0 for 10");
        assertThatThrownBy(() -> Training.on(Samples.dataset(Seed.of(1), 200, 2))
                        .objective(new WorstSources(10))
                        .run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("with 1 of 10 tolerated, cap must be below 5.0");
    }

    /** 2f+1 replicas: f liars spoil no shard. */
    @Test
    void replicasCountAsOneSource() {
        assertThat(Training.on(Samples.dataset(Seed.of(1), 200, 2))
                        .with(PlanKey.REPLICAS, 3)
                        .with(PlanKey.WORKERS, 12)
                        .with(PlanKey.TOLERATED, Tolerated.count(1))
                        .rounds(3)
                        .objective(new WorstSources(4))
                        .run()
                        .state()
                        .round())
                .isEqualTo(3);
    }
}
