package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import org.junit.jupiter.api.Test;

/** A chain of two; before a rule that chooses, mixtures of the same updates would tie and only ids decide. */
class PreAggregatedTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return Aggregators.create("arc + nnm + geometric-median", budget);
    }

    @Override
    protected boolean translates() {
        return false;
    }

    /** Not the geometric median at the end: its nu is a length. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** That of the geometric median, after an honest mixture up to three times as long as the updates. */
    @Override
    protected double growth(int workers, int length) {
        return 3 * (workers + 1);
    }

    @Test
    void tellsWhatHappenedBeforeTheRule() {
        Round round = Round.of(new double[] {1}, new double[] {-2}, new double[] {9}, new double[] {3});
        assertThat(explanation("clipping(c=2.5) + mean", round)).isEqualTo("all kept; before, changed [2, 3]");
        assertThat(explanation("clipping(c=10) + mean", round)).endsWith("; before, no update was changed");
        assertThat(explanation("nnm + median", round)).endsWith("; before, all updates were changed");
        assertThat(explanation("bucketing + mean", round)).endsWith("; before, 4 updates became 2");
    }

    private static String explanation(String rule, Round round) {
        return Aggregators.create(rule, 0).aggregate(round).explanation();
    }

    @Test
    void namesAndParametersAreThoseOfTheCatalogue() {
        assertThat(Aggregators.create("clipping(c=1e+3) + bucketing(size=3) + median", 2))
                .isEqualTo(new PreAggregated(
                        new StaticClipping(1000), new PreAggregated(new Bucketing(3), new Median(2))));
        assertThatThrownBy(() -> Aggregators.create("median + nnm", 0))
                .isInstanceOf(InputException.class)
                .hasMessage("nnm is a pre-aggregator and needs a rule after it, as in nnm + median");
        assertThatThrownBy(() -> Aggregators.create("median + mean", 0))
                .isInstanceOf(InputException.class)
                .hasMessage("unknown pre-aggregator 'median'; known: nnm, bucketing, clipping, arc");
    }
}
