package holdfast.app.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.app.Program;
import holdfast.formats.PlanFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import org.junit.jupiter.api.Test;

class BestPlanTest {
    private static final Plan FILE = Plan.of(PlanFile.read(Program.root().resolve("plans/best.yaml")));

    @Test
    void theFifthColumnIsTheShippedFile() {
        assertThat(PaperExperiment.ALGORITHMS.keySet()).containsExactlyElementsOf(PaperResults.ALGORITHMS);
        assertThat(PaperExperiment.ALGORITHMS.get(PaperResults.BEST)).isEqualTo(FILE);
    }

    @Test
    void itDiffersFromTheOthersOnlyInRuleAndPrice() {
        Plan protocol = PaperExperiment.ALGORITHMS
                .get("DRO")
                .with(PlanKey.RULE, FILE.get(PlanKey.RULE))
                .with(PlanKey.LAMBDA, FILE.get(PlanKey.LAMBDA))
                .with(PlanKey.ASCENT_STEPS, FILE.get(PlanKey.ASCENT_STEPS))
                // The experiment sets it for every column, by the split.
                .with("partition", "by-class");
        assertThat(FILE).isEqualTo(protocol);
    }
}
