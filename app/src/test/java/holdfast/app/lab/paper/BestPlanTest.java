package holdfast.app.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.app.Program;
import holdfast.app.lab.Testbed;
import holdfast.formats.DataFile;
import holdfast.formats.PlanFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BestPlanTest {
    private static final Plan FILE = Plan.of(PlanFile.read(Program.root().resolve("plans/best.yaml")));

    @Test
    void theFifthColumnIsTheShippedFile() {
        assertThat(PaperExperiment.ALGORITHMS.keySet()).containsExactlyElementsOf(PaperResults.ALGORITHMS);
        assertThat(PaperExperiment.ALGORITHMS.get(PaperResults.BEST)).isEqualTo(FILE);
    }

    @Test
    void itDiffersFromTheOthersOnlyInRuleAndCentring() {
        Plan protocol = PaperExperiment.ALGORITHMS
                .get("DRO")
                .with(PlanKey.RULE, FILE.get(PlanKey.RULE))
                .with(PlanKey.SCALE, Scaling.Kind.STANDARDISE)
                // The experiment sets it for every column, by the split.
                .with("partition", "by-class");
        assertThat(FILE).isEqualTo(protocol);
    }

    /** Uncentred and with a cut at three medians, the eight workers with spam are barred within seven rounds. */
    @Test
    void theRunThatOnceBarredAClassRecovers() {
        Testbed bench = new Testbed(DataFile.read("builtin:spambase", Plan.defaults()));
        Plan seed = FILE.with("seed", "311").with("attack", "intelligent").with(PlanKey.LIARS, 3);
        List<Shift> shift = List.of(new WorstCaseShift(WorstCaseShift.Norm.L1, 0.3));
        assertThat(bench.errors(seed, shift)[0]).isLessThan(0.13);
        assertThat(bench.errors(
                                seed.with(PlanKey.SCALE, Scaling.Kind.SD)
                                        .with("rule", "adaptive-screening(factor=3)")
                                        .with(PlanKey.LAMBDA, Price.of(1.5))
                                        .with(PlanKey.ASCENT_STEPS, Optional.of(25)),
                                shift)[0])
                .isGreaterThan(0.4);
    }
}
