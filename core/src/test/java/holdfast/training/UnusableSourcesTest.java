package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sources without usable rows are workers that never answer. */
class UnusableSourcesTest {
    private static final List<UnusableSource> ONE = List.of(new UnusableSource("west", "t.csv: line 7: no number"));
    private static final List<UnusableSource> THREE = List.of(
            new UnusableSource("a", "why a"), new UnusableSource("b", "why b"), new UnusableSource("c", "why c"));
    private static final Plan PLAN = Plan.defaults()
            .with("workers-by", "site")
            .with("tolerated", "2")
            .with("rounds", "12")
            .with("tolerance", "0");

    private static Table table() {
        Randomness random = Seed.of(3).random();
        DatasetBuilder rows = new DatasetBuilder(2);
        for (int r = 0; r < 700; r++) {
            double[] x = random.gaussians(2);
            rows.add(x, x[0] + 0.3 * random.nextGaussian() > 0 ? 1 : 0, r % 7, 1);
        }
        Schema schema = Samples.schema(2)
                .withGroups(IntStream.range(0, 7).mapToObj(s -> "s" + s).toList());
        return Table.of(rows.build(schema, DataSource.MEMORY));
    }

    @Test
    void theyCountAgainstTheBudgetAndAreInTheLedger() {
        TrainingRun run = Training.of(table().without(ONE), PLAN).run();
        assertThat(run.unusable()).isEqualTo(ONE);
        assertThat(run.ledger()).hasSize(8);
        assertThat(run.ledger().get(7).worker()).isEqualTo("west");
        assertThat(run.ledger().get(7).failed()).isEqualTo(12);
        assertThat(run.ledger().subList(0, 7)).allMatch(line -> line.failed() == 0);
        // One of the two updates that are dropped is the missing one, so seven are dealt with as if f were 1.
        Plan steady = PLAN.with("learning-rate", "0.5").with("statistics", "pooled");
        assertThat(theta(table().without(ONE), steady)).isEqualTo(theta(table(), steady.with("tolerated", "1")));
        assertThat(run.guarantee().workers()).isEqualTo(8);
    }

    private static long[] theta(Table table, Plan plan) {
        return Laws.bits(Training.of(table, plan).run().model().theta());
    }

    @Test
    void replicasOfAnUnusableSourceAreAllMissing() {
        TrainingRun run = Training.of(
                        table().without(ONE), PLAN.with("replicas", "2").with("tolerated", "4"))
                .run();
        assertThat(run.ledger()).hasSize(16);
        assertThat(run.ledger().subList(14, 16)).allMatch(line -> line.failed() == 12);
    }

    @Test
    void moreThanTheBudgetIsOneLine() {
        assertThatThrownBy(() -> Training.of(table().without(THREE), PLAN).run())
                .isInstanceOf(TrainingException.class)
                .hasMessage("3 sources cannot be used, but --tolerated allows 2: a (why a); b (why b); c (why c)");
    }
}
