package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nobody who is told of a run can change it by writing into what was told. */
class CopiesTest {
    private static final Dataset DATA = Samples.dataset(Seed.of(1), 400, 3);
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "8")
            .with("rounds", "12")
            .with("server-momentum", "0.3")
            .with("worker-momentum", "0.3")
            .with("rule", "adaptive-screening")
            .with("validation", "0.2");

    @Test
    void listenersThatWriteIntoTheRecordChangeNothing() {
        TrainingRun expected = Training.of(DATA, PLAN).run();
        TrainingRun run =
                Training.of(DATA, PLAN).listener(CopiesTest::overwrite).run();
        assertThat(Laws.bits(run.model().theta()))
                .isEqualTo(Laws.bits(expected.model().theta()));
        assertThat(run.ledger()).isEqualTo(expected.ledger());
        assertThat(run.guarantee()).isEqualTo(expected.guarantee());
    }

    @Test
    void whoeverWritesIntoAFinishedRunOrACheckpointChangesACopy() {
        List<Checkpoint> kept = new ArrayList<>();
        TrainingRun run = Training.of(DATA, PLAN).checkpoints(6, kept::add).run();
        long[] before = Laws.bits(run.model().theta());
        double error = run.evaluate(holdfast.shift.Shift.NONE).logLoss();
        overwrite(run.model());
        overwrite(run.state());
        overwrite(kept.get(0));
        assertThat(Laws.bits(run.model().theta())).isEqualTo(before);
        assertThat(run.evaluate(holdfast.shift.Shift.NONE).logLoss()).isEqualTo(error);
        TrainingRun resumed = Training.of(DATA, PLAN).resume(kept.get(0)).run();
        assertThat(Laws.bits(resumed.model().theta())).isEqualTo(before);
        assertThat(resumed.ledger()).isEqualTo(run.ledger());
    }

    /** Fills every array of numbers that can be reached through the accessors of records. */
    private static void overwrite(Object value) {
        if (value instanceof Record) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                try {
                    component.getAccessor().setAccessible(true);
                    overwrite(component.getAccessor().invoke(value));
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }
        } else if (value instanceof double[] numbers) {
            Arrays.fill(numbers, 7.5);
        } else if (value instanceof int[] numbers) {
            Arrays.fill(numbers, 1);
        } else if (value instanceof float[] numbers) {
            Arrays.fill(numbers, 7.5f);
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                overwrite(Array.get(value, i));
            }
        }
    }
}
