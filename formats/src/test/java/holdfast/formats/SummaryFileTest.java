package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.UnusableSource;
import holdfast.rounds.Ledger;
import holdfast.sources.Finding;
import holdfast.sources.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SummaryFileTest {
    private static final SummaryFile SUMMARY = new SummaryFile(
            7,
            true,
            new double[] {0.7, 1.0 / 3, 0.1 + 0.2},
            Double.POSITIVE_INFINITY,
            1e-300,
            List.of(
                    new Ledger.Line("a \"quoted\" name", 7, 3, 1, 1.0 / 3),
                    new Ledger.Line("silent", 7, 0, 7, Double.NaN)),
            List.of(
                    new Verdict("plain", List.of(), 0.1 + 0.7, -1.25),
                    new Verdict(
                            "odd",
                            List.of(
                                    new Finding(
                                            1, Finding.Kind.UNIT, Optional.of("weight"), "weight is in grams", 1e-9),
                                    new Finding(1, Finding.Kind.CONTRADICTION, Optional.empty(), "contradicts", 0.004)),
                            Double.NaN)),
            List.of(new UnusableSource("broken", "row 3: column x: must be a number")),
            "Theorem 3 holds");

    @Test
    void readsWhatItWrote() {
        SummaryFile read = SummaryFile.parse("summary", SUMMARY.print());
        assertThat(read.rounds()).isEqualTo(7);
        assertThat(read.converged()).isTrue();
        assertThat(read.objectiveHistory()).containsExactly(SUMMARY.objectiveHistory());
        assertThat(read.objective()).isInfinite();
        assertThat(read.learningRate()).isEqualTo(1e-300);
        assertThat(read.verdicts()).isEqualTo(SUMMARY.verdicts());
        assertThat(read.unusable()).isEqualTo(SUMMARY.unusable());
        assertThat(read.guarantee()).isEqualTo("Theorem 3 holds");
        assertThat(read.ledger()).isEqualTo(SUMMARY.ledger());
    }

    @Test
    void printsALineForEachWorkerAndFinding() {
        assertThat(SUMMARY.toString().lines())
                .containsExactly(
                        "7 rounds (converged), objective Infinity, learning rate 1.000e-300",
                        "  a \"quoted\" name: screened in 3 of 7 rounds, failed in 1, norm 0.333 times the median's",
                        "  silent: screened in 0 of 7 rounds, failed in 7, norm NaN times the median's",
                        "odd: differs: weight is in grams",
                        "odd: suspect: contradicts",
                        "labels could not be compared: a linear model of the others ranks the labels of a typical source no better"
                                + " than chance, so wrong labels of a source can go unnoticed",
                        "broken: unusable: row 3: column x: must be a number",
                        "guarantee: Theorem 3 holds");
    }

    @Test
    void refusesWhatIsNoSummary() {
        refuses("{}", "here: is not a holdfast summary");
        refuses(
                SUMMARY.print().replace("\"version\" : 1", "\"version\" : 2"),
                "here: summary version must be 1, got 2");
        refuses(SUMMARY.print().replace("\"unit\"", "\"size\""), "here: unknown kind of finding 'size'");
        refuses(SUMMARY.print().replace("\"rounds\" : 7,\n  \"c", "\"c"), "here: 'rounds' must be a whole number");
    }

    private static void refuses(String text, String message) {
        assertThatThrownBy(() -> SummaryFile.parse("here", text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }
}
