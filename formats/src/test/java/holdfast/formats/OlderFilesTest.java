package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.aggregate.Krum;
import holdfast.aggregate.MultiKrum;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Start;
import holdfast.plan.Tolerated;
import holdfast.testkit.Laws;
import holdfast.training.Training;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Files that the program wrote before settings were renamed and grouped (commit 1dc7f27): {@code train builtin:spambase
 * --rule "bucketing(size=2) + multi-krum" --screened 1 --rounds 20}, {@code train v0.1-missing.csv --label ill --workers-by
 * hospital --missing indicator --rule "nnm + trimmed-mean(f=2)" --screened 2 --rounds 15}, and {@code train --print-plan
 * --lambda none --screened 0.2 --rule "nnm + krum"}. Checkpoints of that version are in {@link CheckpointFileTest}.
 */
class OlderFilesTest {
    private static final Path FOLDER = Path.of("src/test/resources/holdfast/formats");

    @Test
    void aModelIsReadAndTrainedAgainToTheSameBits() {
        ModelFile file = ModelFile.read(FOLDER.resolve("v0.1-multi-krum.model.json"));
        Plan plan = file.plan();
        assertThat(plan.get(PlanKey.TOLERATED)).isEqualTo(Tolerated.count(1));
        assertThat(plan.get(PlanKey.INIT)).isEqualTo(Start.AUTO);
        assertThat(ResolvedPlan.rule(plan, 10).tolerated()).isEqualTo(1);
        assertThat(Laws.bits(Training.of(DataFile.read("builtin:spambase", plan), plan)
                        .run()
                        .model()
                        .theta()))
                .isEqualTo(Laws.bits(file.model().theta()));
    }

    @Test
    void aModelOfATableWithHolesIsReadAndTrainedAgainToTheSameBits() {
        ModelFile file = ModelFile.read(FOLDER.resolve("v0.1-missing.model.json"));
        Plan plan = file.plan();
        assertThat(plan.settings()).containsEntry("rule", "nnm + trimmed-mean(tolerated=2)");
        assertThat(Laws.bits(Training.of(
                                DataFile.read(FOLDER.resolve("v0.1-missing.csv").toString(), plan), plan)
                        .run()
                        .model()
                        .theta()))
                .isEqualTo(Laws.bits(file.model().theta()));
    }

    @Test
    void aPlanIsReadWithItsOlderNames() {
        Plan plan = Plan.of(PlanFile.read(FOLDER.resolve("v0.1-plan.yaml")));
        assertThat(plan)
                .isEqualTo(Plan.defaults()
                        .with("lambda", "none")
                        .with("tolerated", "0.2")
                        .with("rule", "nnm + krum"));
        assertThat(Plan.defaults().with("rule", "multi-krum(f=3)"))
                .isEqualTo(Plan.defaults().withRule(new MultiKrum(3, Krum.Neighbours.BYZFL)));
    }
}
