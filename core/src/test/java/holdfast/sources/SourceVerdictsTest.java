package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import example.TanhNetwork;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.attack.LabelFlip;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuspicionTestTest {
    private static final Plan PLAN = Plan.defaults().with("workers-by", "s");

    private static List<SuspicionTest.Finding> findings(Dataset data) {
        return findings(data, PLAN);
    }

    private static List<SuspicionTest.Finding> findings(Dataset data, Plan plan) {
        try (PreparedRun prepared = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            return SuspicionTest.run(prepared);
        }
    }

    private static Dataset flipped(Dataset data, int source) {
        DatasetBuilder builder = new DatasetBuilder(data.columns());
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

    /** The rate is found by trial, the start is the network's own. */
    @Test
    void aModelThatIsNotLinearNamesThemToo() {
        Plan plan = PLAN.withModel(new TanhNetwork(Target.TWO_CLASSES, 4));
        int alarms = 0;
        int found = 0;
        for (int i = 0; i < 20; i++) {
            Dataset data = Samples.dataset(Seed.of(1).child("data", i), 600, 4, 6);
            alarms += findings(data, plan).stream().anyMatch(f -> f.suspect() > 0) ? 1 : 0;
            found += findings(flipped(data, i % 6), plan).get(i % 6).suspect() == 1 ? 1 : 0;
        }
        assertThat(alarms).isLessThan(2);
        assertThat(found).isGreaterThanOrEqualTo(18);
    }

    @Test
    void namesTheSourceWithTurnedClassesAndNobodyElse() {
        int alarms = 0;
        int found = 0;
        for (int i = 0; i < 100; i++) {
            Dataset data = Samples.classes(Seed.of(1).child("data", i), 240, 3, 4, 6);
            alarms += findings(data).stream().anyMatch(f -> f.suspect() > 0) ? 1 : 0;
        }
        for (int i = 0; i < 10; i++) {
            Dataset data = Samples.classes(Seed.of(2).child("data", i), 960, 5, 4, 6);
            found += findings(turned(data, i % 6)).get(i % 6).suspect() == 1 ? 1 : 0;
        }
        assertThat(alarms).isLessThan(5);
        assertThat(found).isGreaterThanOrEqualTo(9);
    }

    @Test
    void namesTheSourceWithTurnedNumbersAndNobodyElse() {
        int alarms = 0;
        int found = 0;
        for (int i = 0; i < 100; i++) {
            Dataset data = Samples.numbers(Seed.of(1).child("data", i), 240, 3, 6);
            alarms += findings(data).stream().anyMatch(f -> f.suspect() > 0) ? 1 : 0;
            if (i < 10) {
                found += findings(turned(data, i % 6)).get(i % 6).suspect() == 1 ? 1 : 0;
            }
        }
        assertThat(alarms).isLessThan(5);
        assertThat(found).isGreaterThanOrEqualTo(9);
    }

    private static Dataset turned(Dataset data, int source) {
        int[] own = IntStream.range(0, data.rows())
                .filter(r -> data.group(r) == source)
                .toArray();
        int[] others = IntStream.range(0, data.rows())
                .filter(r -> data.group(r) != source)
                .toArray();
        return data.select(others).append(new LabelFlip(1).poison(data.select(own), Seed.of(1)));
    }

    /** Against all n! orders of the labels. */
    @Test
    void theStatisticIsStandardAmongAllPermutationsOfTheLabels() {
        Laws.check(10, seed -> {
            Randomness random = seed.random();
            double[] one = random.gaussians(6);
            double[] three = random.gaussians(18);
            three[3] = three[0];
            three[4] = three[1];
            three[5] = three[2]; // two rows tie
            Map.<double[], ToDoubleFunction<double[]>>of(
                            new double[] {0, 1, 2, 2, 1, 1},
                                    y -> SuspicionTest.classes(three, y, 3).z(),
                            new double[] {0, 1, 1, 0, 1, 1},
                                    y -> SuspicionTest.oneScore(one, y, true).z(),
                            new double[] {5, 5, 1, 7, 2, 9},
                                    y -> SuspicionTest.oneScore(one, y, false).z())
                    .forEach((labels, z) -> {
                        double[] moments = new double[3];
                        permute(labels.clone(), 6, y -> {
                            double value = z.applyAsDouble(y);
                            moments[0]++;
                            moments[1] += value;
                            moments[2] += value * value;
                        });
                        assertThat(moments[0]).isEqualTo(720);
                        assertThat(moments[1] / 720).isCloseTo(0, within(1e-12));
                        assertThat(moments[2] / 720).isCloseTo(1, within(1e-12));
                    });
        });
    }

    /** Heap's way through all orders. */
    private static void permute(double[] labels, int n, Consumer<double[]> visit) {
        if (n == 1) {
            visit.accept(labels);
            return;
        }
        for (int i = 0; i < n; i++) {
            permute(labels, n - 1, visit);
            int other = n % 2 == 0 ? i : 0;
            double swapped = labels[other];
            labels[other] = labels[n - 1];
            labels[n - 1] = swapped;
        }
    }

    @Test
    void agreementIsTheAucOfClassesAndFollowsTheRanksOfNumbers() {
        double[] up = {1, 2, 3, 4};
        assertThat(SuspicionTest.oneScore(up, new double[] {0, 1, 0, 1}, true).agreement())
                .isEqualTo(0.75);
        assertThat(SuspicionTest.oneScore(up, new double[] {10, 20, 30, 1e9}, false)
                        .agreement())
                .isCloseTo(1, within(1e-15));
        assertThat(SuspicionTest.oneScore(up, new double[] {4, 3, 2, -7}, false).agreement())
                .isCloseTo(0, within(1e-15));
        assertThat(SuspicionTest.oneScore(up, new double[4], false).agreement()).isNaN();
        double[] each = {2, 0, 0, 0, 2, 0, 0, 0, 2};
        assertThat(SuspicionTest.classes(each, new double[] {0, 1, 2}, 3).agreement())
                .isEqualTo(1);
        assertThat(SuspicionTest.classes(each, new double[] {1, 1, 1}, 3).agreement())
                .isNaN();
    }

    @Test
    void aSuspectHasLittleAgreementAndALowPValue() {
        SuspicionTest.Finding finding =
                findings(flipped(Samples.dataset(Seed.of(3), 720, 5, 12), 4)).get(4);
        assertThat(finding.agreement()).isLessThan(0.5);
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
            DatasetBuilder builder = new DatasetBuilder(20);
            for (int r = 0; r < 120; r++) {
                builder.add(rows.row(r), coin.nextInt(2), rows.group(r), 1);
            }
            auc += findings(builder.build(rows.schema(), rows.source())).stream()
                            .mapToDouble(SuspicionTest.Finding::agreement)
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
        Plan plan = Plan.defaults().with("workers-by", "s").with("replicas", "2");
        Dataset data = Samples.dataset(Seed.of(1), 400, 2, 4);
        assertThatThrownBy(() -> findings(data, plan))
                .isInstanceOf(InputException.class)
                .hasMessage("naming suspects needs one worker per source, got --replicas 2");
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
