package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Tolerated;
import holdfast.testkit.Laws;
import holdfast.training.PreparedData;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many liars {@code --tolerated auto} allows for. */
class ToleratedChoiceTest {
    private static final Plan PLAN = Plan.defaults().with("workers-by", "s");

    private static ToleratedChoice of(Table table, Plan plan) {
        return ToleratedChoice.of(PreparedData.probe(table, plan), plan);
    }

    private static GeneratedSources sources(Seed seed, int count) {
        return new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(count, 200));
    }

    @Test
    void itRisesToTheSourcesThatStandOut() {
        Laws.check(3, seed -> {
            ToleratedChoice found = of(sources(seed, 14).flipped(2, 5, 9).table(), PLAN);
            assertThat(found.usual()).isEqualTo(2);
            assertThat(found.standOut()).contains("s2", "s5", "s9");
            assertThat(found.chosen()).isEqualTo(Math.min(4, found.standOut().size()));
            assertThat(found.rises()).isTrue();
            assertThat(found.applied(PLAN).get(PlanKey.TOLERATED)).isEqualTo(Tolerated.count(found.chosen()));
            assertThat(found.applied(PLAN).with(PlanKey.TOLERATED, Tolerated.AUTO))
                    .isEqualTo(PLAN);
        });
    }

    @Test
    void itIsATenthWhereNobodyStandsOut() {
        ToleratedChoice found = of(sources(Seed.of(5), 14).table(), PLAN);
        assertThat(found.standOut()).isEmpty();
        assertThat(found.verdicts()).hasSize(14);
        assertThat(found.chosen()).isEqualTo(2);
        assertThat(found.rises()).isFalse();
        assertThat(found.applied(PLAN)).isSameAs(PLAN);
    }

    @Test
    void aGivenNumberStays() {
        Table table = sources(Seed.of(1), 14).flipped(2, 5, 9).table();
        Plan given = PLAN.with("tolerated", "1");
        assertThat(of(table, given).chosen()).isEqualTo(1);
        assertThat(of(table, given).standOut()).contains("s2", "s5", "s9");
        assertThat(of(table, given).applied(given)).isSameAs(given);
    }

    /** Unusable sources count among the liars, and a third of all is too many. */
    @Test
    void unusableSourcesCountAndAThirdIsTheLimit() {
        Table table = sources(Seed.of(1), 9)
                .flipped(4)
                .table()
                .without(List.of(new UnusableSource("gone", "no rows"), new UnusableSource("lost", "no rows")));
        ToleratedChoice found = of(table, PLAN);
        assertThat(found.standOut()).containsExactly("s4");
        assertThat(found.unusable()).isEqualTo(2);
        assertThat(found.chosen()).isEqualTo(3);
        ToleratedChoice most = of(
                sources(Seed.of(1), 10)
                        .flipped(0, 3, 6)
                        .table()
                        .without(List.of(new UnusableSource("gone", "no rows"), new UnusableSource("lost", "no rows"))),
                PLAN);
        assertThat(most.standOut()).contains("s0", "s3", "s6");
        assertThat(most.chosen()).isEqualTo(3);
    }

    @Test
    void unusableSourcesRaiseItWhereNobodyStandsOut() {
        Table table = sources(Seed.of(5), 14)
                .table()
                .without(List.of(
                        new UnusableSource("a", "no rows"),
                        new UnusableSource("b", "no rows"),
                        new UnusableSource("c", "no rows")));
        ToleratedChoice found = of(table, PLAN);
        assertThat(found.standOut()).isEmpty();
        assertThat(found.usual()).isEqualTo(2);
        assertThat(found.chosen()).isEqualTo(3);
        assertThat(of(table, PLAN.with("tolerated", "2")).rises()).isFalse();
    }

    /** Nine sources and two that are unusable, by two workers each, are 22 workers, of which a tenth is 3. */
    @Test
    void everyReplicaOfAnUnusableSourceIsAWorker() {
        Table table = sources(Seed.of(5), 9)
                .table()
                .without(List.of(new UnusableSource("gone", "no rows"), new UnusableSource("lost", "no rows")));
        assertThat(of(table, PLAN.with("replicas", "2")).usual()).isEqualTo(3);
    }

    @Test
    void workersThatAreNoSourcesAreNotCompared() {
        Plan dealt = Plan.defaults();
        ToleratedChoice found = of(sources(Seed.of(1), 10).flipped(4).table(), dealt);
        assertThat(found.verdicts()).isEmpty();
        assertThat(found.chosen()).isEqualTo(1);
    }

    /** A review of a run that did not rise must not say that it did. */
    @Test
    void aRunIsReviewedAsItWasPlanned() {
        Table table = sources(Seed.of(1), 14).flipped(2, 5, 9).table();
        ToleratedChoice planned = ToleratedChoice.asPlanned(PreparedData.probe(table, PLAN), PLAN);
        assertThat(planned.rises()).isFalse();
        assertThat(planned.chosen()).isEqualTo(2);
        assertThat(planned.standOut()).contains("s2", "s5", "s9");
    }
}
