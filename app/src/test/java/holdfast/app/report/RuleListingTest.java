package holdfast.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleListingTest {
    @Test
    void theNeedOfWorkersIsAFormulaOfF() {
        assertThat(List.of(
                        RuleListing.formula(2, 3),
                        RuleListing.formula(3, 5),
                        RuleListing.formula(7, 11),
                        RuleListing.formula(1, 2),
                        RuleListing.formula(1, 1),
                        RuleListing.formula(1, 3),
                        RuleListing.formula(0.5, 1)))
                .isEqualTo(List.of("f+1", "2f+1", "4f+3", "f", "1", "2f-1", "0.5f"));
    }
}
