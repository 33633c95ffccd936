package holdfast.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RulesCommandTest {
    @Test
    void theNeedOfWorkersIsAFormulaOfF() {
        assertThat(List.of(
                        RulesCommand.formula(2, 3),
                        RulesCommand.formula(3, 5),
                        RulesCommand.formula(7, 11),
                        RulesCommand.formula(1, 2),
                        RulesCommand.formula(1, 1),
                        RulesCommand.formula(1, 3),
                        RulesCommand.formula(0.5, 1)))
                .isEqualTo(List.of("f+1", "2f+1", "4f+3", "f", "1", "2f-1", "0.5f"));
    }
}
