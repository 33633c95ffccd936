package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.aggregate.Aggregators;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProvenBreakpointTest {
    private static final int MANY = 1000;

    /** Where they are not one half, which no rule without rows of its own can pass. */
    private static final Map<String, Double> OTHERS = Map.of(
            "mean", 0.0, "norm-screening", 1.0 / 3, "adaptive-screening", 1.0 / 4, "bulyan", 1.0 / 4, "fltrust", 1.0);

    static List<String> proven() {
        return Aggregators.rules(0).names().stream()
                .filter(rule -> ProvenBreakpoint.of(rule).isPresent())
                .toList();
    }

    @Test
    void nothingIsProvenForTheRest() {
        assertThat(Aggregators.rules(0).names().stream()
                        .filter(rule -> ProvenBreakpoint.of(rule).isEmpty())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("centered-clipping", "monna", "iterative-filtering", "dnc", "signguard");
        assertThat(Stream.of("norm-screening(f=2)", "nnm + median", "unheard-of"))
                .allSatisfy(text -> assertThat(ProvenBreakpoint.of(text)).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("proven")
    void theSharesAreThoseOfTheProofs(String rule) {
        ProvenBreakpoint proven = ProvenBreakpoint.of(rule).orElseThrow();
        assertThat(proven.share()).isEqualTo(OTHERS.getOrDefault(rule, 0.5));
        assertThat(proven.source()).isNotBlank();
    }

    /** Few workers may need a little room between, as krum's 2f + 2 below m does; it vanishes against many. */
    @ParameterizedTest
    @MethodSource("proven")
    void manyWorkersCanBeSetUpForAlmostTheShare(String rule) {
        int f = Math.max(0, (int) (ProvenBreakpoint.of(rule).orElseThrow().share() * MANY) - 2);
        assertThat(Aggregators.create(rule, f).leastWorkers()).isLessThanOrEqualTo(MANY);
    }

    @Test
    void bulyanCannotBeSetUpForMore() {
        assertThat(Aggregators.create("bulyan", MANY / 4).leastWorkers()).isGreaterThan(MANY);
    }

    @Test
    void thatOfScreeningIsWhereTheTheoremEnds() {
        for (int m = 2; m <= 60; m++) {
            for (int b = 0; b < m; b++) {
                assertThat(b
                                < ProvenBreakpoint.of("norm-screening")
                                                .orElseThrow()
                                                .share()
                                        * m)
                        .as("%d of %d", b, m)
                        .isEqualTo(Screening.converges(m, b, b));
            }
        }
    }
}
