package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The catalogue of rules, and what all its entries have in common. */
class AggregatorsTest {
    /** The only rule that bears nobody, whatever it is told. */
    private static final String MEAN = "mean";

    @Test
    void everyRuleIsSetUpForTheBudgetItIsGivenByItselfOrByThePlan() {
        for (String name : Aggregators.rules().names()) {
            assertThat(Aggregators.create(name, 2).tolerated()).as(name).isEqualTo(name.equals(MEAN) ? 0 : 2);
            if (!name.equals(MEAN)) {
                assertThat(Aggregators.create(name + "(f=3)", 2).tolerated())
                        .as(name)
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void noRuleTakesABudgetThatIsNone() {
        for (String name : Aggregators.rules().names()) {
            for (int bad : new int[] {-1, Aggregator.MAX_WORKERS + 1, Integer.MAX_VALUE}) {
                if (!name.equals(MEAN)) {
                    assertThatThrownBy(() -> Aggregators.create(name, bad))
                            .as(name)
                            .isInstanceOf(InputException.class)
                            .hasMessageContaining("tolerated must be between 0 and 100000000, got " + bad);
                }
            }
            Aggregators.create(name, Aggregator.MAX_WORKERS);
        }
    }

    @Test
    void onlyTheRuleThatComparesWithTheServersGradientNeedsIt() {
        for (String name : Aggregators.rules().names()) {
            boolean needs = name.equals("fltrust");
            assertThat(Aggregators.create(name, 1).needsTrusted()).as(name).isEqualTo(needs);
            Aggregator chained = Aggregators.create("clipping + " + name, 1);
            assertThat(chained.needsTrusted()).as(name).isEqualTo(needs);
            assertThat(new MajorityVote(3, 1, chained).needsTrusted()).as(name).isEqualTo(needs);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "centered-clipping(steps=1), centered-clipping(steps=0)",
        "geometric-median(steps=1), geometric-median(steps=0)",
        "dnc(factor=1000), dnc(factor=1000.1)",
        "dnc(factor=0.001), dnc(factor=0)",
        "monna(pivot=0), monna(pivot=-1)",
        "monna(pivot=100000000), monna(pivot=100000001)",
        "adaptive-screening(memory=1), adaptive-screening(memory=1.1)",
        "adaptive-screening(memory=0), adaptive-screening(memory=-0.1)"
    })
    void parametersMayGoToTheirBoundsAndNoFurther(String legal, String illegal) {
        Aggregators.create(legal, 1);
        assertThatThrownBy(() -> Aggregators.create(illegal, 1)).isInstanceOf(InputException.class);
    }

    /** Such as 0.8165, 1.3e+301 or 12.00. */
    private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+(e[+-]\\d+)?");

    private static List<Double> numbers(String explanation) {
        List<Double> found = new ArrayList<>();
        Matcher matcher = NUMBER.matcher(explanation);
        while (matcher.find()) {
            found.add(Double.parseDouble(matcher.group()));
        }
        return found;
    }

    /** Above 2^900 rules compute in another unit, which is nothing to those who read. */
    @ParameterizedTest
    @CsvSource({
        "norm-screening, 3",
        "geometric-median, 1",
        "krum, 2",
        "multi-krum, 3",
        "monna, 1",
        "mda, 2",
        "caf, 2",
        "smea, 2",
        "iterative-filtering, 2",
        "iterative-filtering(sigma=1e-9), 1",
    })
    void explanationsTellLengthsInTheUnitOfTheUpdates(String rule, int lengths) {
        Randomness random = Seed.of(5).random();
        double[][] small = new double[9][];
        Arrays.setAll(small, i -> random.gaussians(4));
        double[][] large = new double[9][];
        Arrays.setAll(
                large,
                i -> Arrays.stream(small[i]).map(x -> Math.scalb(x, 1000)).toArray());
        Aggregator made = Aggregators.create(rule, 2);
        Aggregate before = made.aggregate(Round.of(small));
        Aggregate after = made.aggregate(Round.of(large));
        assertThat(after.kept()).isEqualTo(before.kept());
        List<Double> own = numbers(before.explanation());
        List<Double> others = numbers(after.explanation());
        assertThat(others).hasSameSizeAs(own);
        int grown = 0;
        for (int i = 0; i < own.size(); i++) {
            if (others.get(i) > 1e200) {
                grown++;
                assertThat(Math.scalb(others.get(i), -1000)).isCloseTo(own.get(i), within(2e-3 * own.get(i)));
            } else {
                assertThat(others.get(i)).isEqualTo(own.get(i));
            }
        }
        assertThat(grown)
                .as("%s / %s", before.explanation(), after.explanation())
                .isEqualTo(lengths);
    }

    @Test
    void aRoundHasAtLeastOneUpdateAndNoMoreThanWorkers() {
        WorkerUpdate vote = new WorkerUpdate(0, new double[1]);
        for (List<WorkerUpdate> votes :
                List.of(List.<WorkerUpdate>of(), List.of(vote, new WorkerUpdate(1, new double[1])))) {
            assertThatThrownBy(() -> new Round(0, 1, votes, new double[1], Seed.of(0), Carry.NONE, null))
                    .isInstanceOf(InputException.class)
                    .hasMessage("a round needs between 1 and 1 updates, got " + votes.size());
        }
        new Round(0, 1, List.of(vote), new double[1], Seed.of(0), Carry.NONE, null);
    }
}
