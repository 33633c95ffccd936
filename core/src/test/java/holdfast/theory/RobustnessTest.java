package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.testkit.BoundSearch;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RobustnessTest {
    private static final List<String> CHAINS = List.of(
            "krum(neighbours=blanchard)",
            "multi-krum(neighbours=blanchard)",
            "adaptive-screening(factor=1.5)",
            "nnm + median",
            "nnm + norm-screening",
            "arc + trimmed-mean",
            "arc + norm-clipping",
            "bucketing + median",
            "bucketing(size=3) + norm-clipping",
            "nnm + arc + krum");

    static List<String> rules() {
        return Stream.concat(Aggregators.rules().names().stream(), CHAINS.stream())
                .toList();
    }

    static List<String> bounded() {
        return rules().stream()
                .filter(rule -> claim(rule, 1, 20).kappa().isPresent()
                        || claim(rule, 1, 20).errorBound().isPresent())
                .toList();
    }

    static List<String> withoutKappa() {
        return Aggregators.rules().names().stream()
                .filter(rule -> claim(rule, 1, 20).kappa().isEmpty() && !rule.equals("fltrust"))
                .toList();
    }

    private static Robustness claim(String rule, int f, int workers) {
        return Aggregators.create(rule, f).robustness(workers);
    }

    private static double largestRatio(String rule, int f, int more, int climbs, Robustness claimed) {
        Aggregator made = Aggregators.create(rule, f);
        int trusted = rule.equals("monna") ? 0 : -1;
        return new BoundSearch(made, claimed, made.minWorkers() + more, trusted).largestRatio(Seed.of(5), climbs, 200);
    }

    /** Returns the error found as a share of what the rule says; the square if that is kappa. */
    private static double share(String rule, int f, int more, int climbs) {
        Aggregator made = Aggregators.create(rule, f);
        Robustness claimed = made.robustness(made.minWorkers() + more);
        double ratio = largestRatio(rule, f, more, climbs, claimed);
        return claimed.kappa().isPresent() ? ratio * ratio : ratio;
    }

    @ParameterizedTest
    @MethodSource("bounded")
    void noSearchRefutesARule(String rule) {
        for (int f = 1; f <= 2; f++) {
            assertThat(share(rule, f, f - 1, 6)).as("f = %d", f).isBetween(0.0, 1.0);
        }
    }

    /** What the search finds soon, so that it would notice a constant that is a little too small. */
    @ParameterizedTest
    @CsvSource({
        "norm-screening, 0.99",
        "norm-clipping, 0.99",
        "adaptive-screening, 0.7",
        "median, 0.99",
        "trimmed-mean, 0.99",
        "geometric-median, 0.15",
        "krum, 0.35",
        "multi-krum, 0.7",
        "mda, 0.8",
        "meamed, 0.99",
        "caf, 0.08",
        "smea, 0.99",
        "bulyan, 0.1",
        "iterative-filtering, 0.01",
        "signguard, 0.99",
        "monna, 0.6",
        "nnm + median, 0.45",
        "arc + trimmed-mean, 0.5",
        "bucketing + median, 0.99"
    })
    void theSearchComesNearToWhatARuleSays(String rule, double share) {
        assertThat(share(rule, 1, 1, 15)).isBetween(share, 1.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "median",
                "trimmed-mean",
                "krum",
                "multi-krum",
                "mda",
                "caf",
                "bulyan",
                "nnm + median",
            })
    void theSearchRefutesATwentiethOfKappa(String rule) {
        Aggregator made = Aggregators.create(rule, 1);
        double kappa = made.robustness(made.minWorkers() + 1).kappa().orElseThrow();
        assertThat(largestRatio(rule, 1, 1, 10, Robustness.ofKappa(kappa / 20, "too small", "nobody")))
                .isGreaterThan(1);
    }

    /** Such as equal honest updates of which shorter lies take the place. */
    @ParameterizedTest
    @MethodSource("withoutKappa")
    void aRuleThatSaysItHasNoKappaHasNone(String rule) {
        assertThat(largestRatio(rule, 2, 1, 10, Robustness.ofKappa(1e6, "as large as you like", "nobody")))
                .isGreaterThan(1);
    }

    @Test
    void aPivotThatLiesLeavesMonnaNoKappa() {
        Aggregator monna = Aggregators.create("monna", 1);
        assertThat(new BoundSearch(monna, Robustness.ofKappa(1e6, "", ""), 4, -1).largestRatio(Seed.of(5), 10, 300))
                .isGreaterThan(1);
        assertThat(monna.errorBound(4)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void noKappaIsBelowTheLeastPossible(String rule) {
        for (int f = 0; f < 20; f++) {
            Aggregator made = Aggregators.create(rule, f);
            for (int m = made.minWorkers(); m < made.minWorkers() + 40; m++) {
                int tolerated = made.tolerated();
                double least = tolerated / (m - 2.0 * tolerated);
                made.robustness(m)
                        .kappa()
                        .ifPresent(kappa -> assertThat(kappa).isFinite().isGreaterThanOrEqualTo(least * (1 - 1e-12)));
            }
        }
    }

    /** A proof says that the direction descends where honest updates differ little: that the influence is below 1. */
    @ParameterizedTest
    @MethodSource("rules")
    void proofsHoldExactlyWhereTheErrorBoundIsUseful(String rule) {
        for (int f = 0; f < 20; f++) {
            Aggregator made = Aggregators.create(rule, f);
            for (int m = made.minWorkers(); m < made.minWorkers() + 40; m++) {
                boolean proven = made.proof(m)
                        .filter(Proof::boundsLength)
                        .filter(Proof::holds)
                        .isPresent();
                Optional<ErrorBound> bound = made.errorBound(m);
                assertThat(bound.filter(b -> b.influence() < 1).isPresent())
                        .as("f = %d, m = %d: %s", f, m, bound)
                        .isEqualTo(proven);
            }
        }
    }

    @Test
    void everyRuleSaysSomethingWithItsSource() {
        assertThat(rules()).allSatisfy(rule -> {
            Robustness robustness = claim(rule, 1, 30);
            assertThat(robustness.formula()).isNotBlank().isNotEqualTo("none known");
            assertThat(robustness.source()).isNotBlank();
        });
        assertThat(Aggregators.preAggregators().names())
                .allSatisfy(
                        pre -> assertThat(claim(pre + " + trimmed-mean", 1, 30).source())
                                .isNotBlank());
        assertThat(IntStream.of(0, 1)
                        .mapToObj(f -> Aggregators.create("nnm + centered-clipping", f)
                                .robustness(30)
                                .formula()))
                .containsOnly("none known");
    }

    @ParameterizedTest
    @CsvSource({
        // By hand for m = 10, f = 1; of bucketing, 1.8 (1 + 1/4) - 1 with one missing is worse than 1.125 (1 + 1/3) -
        // 1.
        "trimmed-mean, 0.125",
        "median, 0.8",
        "meamed, 0.8",
        "geometric-median, 5.0625",
        "smea, 0.5",
        "krum, 3.43566",
        "multi-krum, 0.55546",
        "mda, 0.68056",
        "nnm + trimmed-mean, 1",
        "arc + trimmed-mean, 0.375",
        "bucketing + trimmed-mean, 1.25"
    })
    void theNumbersAreThoseOfTheFormulas(String rule, double kappa) {
        assertThat(claim(rule, 1, 10).kappa().orElseThrow()).isCloseTo(kappa, within(1e-5));
    }
}
