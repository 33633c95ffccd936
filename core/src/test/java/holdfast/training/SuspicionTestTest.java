package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Samples;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuspicionTestTest {
    private static final TrainingPlan PLAN = TrainingPlan.defaults().with("workers-by", "s");

    private static List<SuspicionTest.Finding> findings(Dataset data) {
        return SuspicionTest.run(PreparedData.of(data, PLAN), PLAN, 1);
    }

    private static Dataset flipped(Dataset data, int source) {
        Dataset.Builder builder = new Dataset.Builder(data.columns());
        for (int r = 0; r < data.rows(); r++) {
            double label = data.group(r) == source ? 1 - data.label(r) : data.label(r);
            builder.add(data.row(r), label, data.group(r), 1);
        }
        return builder.build(data.schema(), data.source());
    }

    @Test
    void namesTheSourceWithTurnedLabelsAndNobodyElse() {
        int clean = 0;
        int found = 0;
        for (int i = 0; i < 20; i++) {
            Dataset data = Samples.dataset(Seed.of(1).child("data", i), 720, 5, 12);
            if (findings(data).stream().allMatch(f -> f.suspect() == 0)) {
                clean++;
            }
            int liar = i % 12;
            List<SuspicionTest.Finding> findings = findings(flipped(data, liar));
            if (findings.get(liar).suspect() == 1) {
                found++;
            }
            assertThat(findings).extracting(SuspicionTest.Finding::source).containsSequence("s0", "s1", "s2");
        }
        assertThat(clean).isGreaterThanOrEqualTo(19);
        assertThat(found).isGreaterThanOrEqualTo(18);
    }

    @Test
    void aSuspectHasALowAucAndPValue() {
        SuspicionTest.Finding finding =
                findings(flipped(Samples.dataset(Seed.of(3), 720, 5, 12), 4)).get(4);
        assertThat(finding.auc()).isLessThan(0.5);
        assertThat(finding.pValue()).isLessThan(0.05 / 12);
        assertThat(finding.suspect()).isOne();
    }

    @Test
    void noSourceTakesPartInTheModelThatJudgesIt() {
        // Labels without any meaning: a model that had seen the rows would still rank them well.
        double auc = 0;
        for (int i = 0; i < 20; i++) {
            Dataset rows = Samples.dataset(Seed.of(1).child("data", i), 120, 20, 4);
            Randomness coin = Seed.of(2).child("coin", i).random();
            Dataset.Builder builder = new Dataset.Builder(20);
            for (int r = 0; r < 120; r++) {
                builder.add(rows.row(r), coin.nextInt(2), rows.group(r), 1);
            }
            auc += findings(builder.build(rows.schema(), rows.source())).stream()
                            .mapToDouble(SuspicionTest.Finding::auc)
                            .sum()
                    / 80;
        }
        assertThat(auc).isCloseTo(0.5, within(0.05));
    }

    @Test
    void fewerThanFourSourcesHaveNoMajority() {
        assertThatThrownBy(() -> findings(Samples.dataset(Seed.of(1), 100, 2, 3)))
                .isInstanceOf(InputException.class)
                .hasMessage("naming suspects needs at least 4 sources, got 3");
        assertThat(findings(Samples.dataset(Seed.of(1), 400, 2, 4))).hasSize(4);
    }

    @Test
    void replicasWouldSpeakForOneAnother() {
        TrainingPlan plan = TrainingPlan.defaults().with("workers-by", "s").with("replicas", "2");
        PreparedData prepared = PreparedData.of(Samples.dataset(Seed.of(1), 400, 2, 4), plan);
        assertThatThrownBy(() -> SuspicionTest.run(prepared, plan, 1))
                .isInstanceOf(InputException.class)
                .hasMessage("naming suspects needs one worker per source, got replicas 2");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.5",
        "-1.959963984540054, 0.025",
        "1.959963984540054, 0.975",
        "-1.6448536269514722, 0.05",
        "-2.3263478740408408, 0.01",
        "-3.090232306167813, 0.001",
        "1, 0.8413447460685429",
        "-6, 9.865876450376946e-10",
        "-100, 0",
        "100, 1"
    })
    void belowIsTheNormalDistribution(double z, double probability) {
        assertThat(SuspicionTest.below(z)).isCloseTo(probability, within(2e-15));
    }
}
