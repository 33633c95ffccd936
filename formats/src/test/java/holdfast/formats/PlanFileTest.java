package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanFileTest {
    private static Plan roundTrip(Plan plan) {
        return Plan.of(PlanFile.parse("plan.yaml", PlanFile.print(plan)));
    }

    @Test
    void settingsAreReadAsTheirText(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("plan.yaml"),
                "# a comment\nlambda: 3\nlearning-rate: 0.05\nintercept: false\nheader: yes\nbyzantine: [1, 2]\n"
                        + "attack: aggressive(factor=10)\nscreened: 0.28\n");
        assertThat(PlanFile.read(file))
                .isEqualTo(Map.of(
                        "lambda", "3",
                        "learning-rate", "0.05",
                        "intercept", "false",
                        "header", "yes",
                        "byzantine", "1,2",
                        "attack", "aggressive(factor=10)",
                        "screened", "0.28"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nothing\n", "---\n"})
    void anEmptyFileSetsNothing(String text) {
        assertThat(PlanFile.parse("plan.yaml", text)).isEmpty();
    }

    @Test
    void thePrintedStandardsReadBack() {
        assertThat(roundTrip(Plan.defaults())).isEqualTo(Plan.defaults());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "is spam?",
                "null",
                "true",
                "True",
                "~",
                "0x1F",
                "010",
                "1e3",
                "1_000",
                "12:30:00",
                "2020-01-01",
                "a: b",
                "a #b",
                "- a",
                "'quoted'",
                "\"quoted\"",
                "back\\slash",
                "two\nlines",
                "tab\there",
                "naïve",
                "[a]",
                "{a}",
                "&a",
                "*a",
                "!a",
                "%a",
                "@a",
                "`a",
                "yes",
                ".5",
                "+1",
                ".inf",
                ".NaN",
                "0o17",
                "0b11",
                "="
            })
    void labelsOfAnyNameReadBack(String label) {
        Plan plan = Plan.defaults().with("label", label);
        assertThat(roundTrip(plan)).isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource({
        "lambda, none",
        "lambda, 1.0E-300",
        "learning-rate, 1.23456789E7",
        "seed, -9223372036854775808",
        "screened, 0.10",
        "screened, 7",
        "class-weights, '1,2.5'",
        "byzantine, '0,3,7'",
        "rule, norm-screening(f=2)"
    })
    void oddSettingsReadBack(String key, String value) {
        Plan plan = Plan.defaults().with(key, value);
        assertThat(roundTrip(plan)).isEqualTo(plan);
    }

    private static void expect(String text, String message) {
        assertThatThrownBy(() -> PlanFile.parse("plan.yaml", text))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("plan.yaml: " + message)
                .hasMessageNotContainingAny("\n");
    }

    @Test
    void everyErrorIsOneLineThatNamesTheFile(@TempDir Path folder) {
        expect("lamda: 3\n", "unknown plan key 'lamda'; known: label, classes, header");
        expect("lambda: -3\n", "--lambda must be > 0 and finite, got -3");
        expect("lambda: .nan\n", "--lambda must be");
        expect("lambda:\n", "lambda must be a single value");
        expect("lambda: {a: 1}\n", "lambda must be a single value");
        expect("lambda: 3\nlambda: 4\n", "line 2");
        expect("lambda: [3\n", "line 1: is not YAML: ");
        expect("\tlambda: 3\n", "line 1: is not YAML: ");
        expect("just text\n", "must be lines of 'key: value'");
        expect("- lambda\n", "must be lines of 'key: value'");
        Path missing = folder.resolve("no.yaml");
        assertThatThrownBy(() -> PlanFile.read(missing)).hasMessage(missing + ": cannot be read: no such file");
    }
}
