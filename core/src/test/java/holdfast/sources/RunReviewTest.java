package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunReviewTest {
    private static final Plan PLAN =
            Plan.defaults().with("workers-by", "s").with("rounds", "20").with("test-share", "0.25");

    private static RunReview review(Table table, Plan plan, RunReview.Values wanted) {
        Training training = Training.of(table, plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            TrainingRun run = training.run(prepared);
            return RunReview.of(run, prepared, run.heldOut(), wanted);
        }
    }

    private static GeneratedSources sources(int count) {
        return new GeneratedSources(Seed.of(1), Target.TWO_CLASSES, GeneratedSources.equal(count, 200));
    }

    @Test
    void namedAndUnusableSourcesAreDistrusted() {
        Table table = sources(10).flipped(4).table().without(List.of(new UnusableSource("gone", "no rows")));
        RunReview review = review(table, PLAN, RunReview.Values.AUTO);
        assertThat(review.distrusted()).containsExactlyInAnyOrder("s4", "gone");
        assertThat(review.verdicts()).hasSize(10);
        assertThat(review.verdicts().get(4).suspect()).isTrue();
        assertThat(review.values()).hasSize(10);
        assertThat(review.value("s3")).contains(review.values().get(3));
        assertThat(review.value("gone")).isEmpty();
        assertThat(review.figures().orElseThrow().trustedSources()).isEqualTo(9);
    }

    @Test
    void valuesAreComputedOnlyWhereTheyAreWanted() {
        Table table = sources(5).table();
        assertThat(review(table, PLAN, RunReview.Values.NONE).values()).isEmpty();
        assertThat(review(table, PLAN, RunReview.Values.ALL).values()).hasSize(5);
        Table many = new GeneratedSources(Seed.of(1), Target.TWO_CLASSES, GeneratedSources.equal(51, 30)).table();
        assertThat(review(many, PLAN, RunReview.Values.AUTO).values()).isEmpty();
        assertThat(review(many, PLAN, RunReview.Values.ALL).values()).hasSize(51);
    }

    /** Workers that are no sources, too few sources, and replicas are not compared. */
    @Test
    void whatCannotBeComparedHasNoVerdicts() {
        Table table = sources(5).table();
        for (RunReview review : List.of(
                review(table, PLAN.with("workers-by", "").with("workers", "5"), RunReview.Values.ALL),
                review(sources(3).table(), PLAN.with("screened", "0"), RunReview.Values.ALL),
                review(table, PLAN.with("replicas", "2"), RunReview.Values.ALL))) {
            assertThat(review.verdicts()).isEmpty();
            assertThat(review.values()).isEmpty();
            assertThat(review.distrusted()).isEmpty();
            assertThat(review.figures()).isPresent();
        }
        RunReview untested = review(table, PLAN.with("test-share", "0"), RunReview.Values.ALL);
        assertThat(untested.verdicts()).hasSize(5);
        assertThat(untested.values()).isEmpty();
        assertThat(untested.figures()).isEmpty();
    }

    @Test
    void unknownValuesAreRefused() {
        assertThat(RunReview.Values.parse("all")).isEqualTo(RunReview.Values.ALL);
        assertThat(RunReview.Values.parse("auto")).isEqualTo(RunReview.Values.AUTO);
        assertThat(RunReview.Values.parse("none")).isEqualTo(RunReview.Values.NONE);
        assertThatThrownBy(() -> RunReview.Values.parse("ALL"))
                .isInstanceOf(InputException.class)
                .hasMessage("--values must be auto, all or none, got 'ALL'");
    }
}
