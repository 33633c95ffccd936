package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What liars can do by the losses they report. */
class ReportsTest {
    private static final double[] EXTREME = {
        0, -0.0, 1, -1, 1e-300, 1e300, -1e300, Double.MAX_VALUE, -Double.MAX_VALUE, Double.NaN
    };

    private static Reports reports(int workers, int tolerated) {
        return new Reports(new ReplicaAgreement.EachForItself(tolerated), workers);
    }

    private static List<WorkerReply.Update> updates(double[] losses) {
        return IntStream.range(0, losses.length)
                .mapToObj(w -> new WorkerReply.Update(w, new double[1], losses[w], 0))
                .toList();
    }

    private static double lie(Randomness random) {
        return random.nextInt(2) == 0 ? EXTREME[random.nextInt(EXTREME.length)] : random.nextGaussian();
    }

    /** Whatever f of more than 2f report, nothing included, the objective and its rise are where the honest ones are. */
    @Test
    void liarsLeaveWhatIsCombinedAmongTheHonest() {
        Laws.check(2000, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(5);
            int m = 2 * f + 1 + random.nextInt(6);
            int[] liars = random.choose(f, m);
            double spread = random.nextInt(3) == 0 ? 0 : 1;
            double[] before = new double[m];
            double[] after = new double[m];
            for (int w = 0; w < m; w++) {
                boolean lies = Arrays.binarySearch(liars, w) >= 0;
                before[w] = lies ? lie(random) : 0.1 + spread * random.nextDouble();
                after[w] = lies ? lie(random) : 0.1 + spread * random.nextDouble();
            }
            Reports reports = reports(m, f);
            assertThat(reports.losses(updates(after))).isEqualTo(after);
            double[] honest = honest(m, liars, w -> after[w]);
            assertThat(reports.objective(after)).isBetween(honest[0], honest[honest.length - 1]);
            double[] rises = honest(m, liars, w -> after[w] - before[w]);
            assertThat(reports.rise(before, after)).isBetween(rises[0], rises[rises.length - 1]);
        });
    }

    private static double[] honest(int m, int[] liars, IntToDoubleFunction value) {
        return IntStream.range(0, m)
                .filter(w -> Arrays.binarySearch(liars, w) < 0)
                .mapToDouble(value)
                .sorted()
                .toArray();
    }

    @Test
    void withoutReportsNothingIsKnown() {
        Reports reports = reports(3, 1);
        assertThat(reports.losses(List.of())).containsOnly(Double.NaN).hasSize(3);
        assertThat(reports.objective(reports.losses(List.of()))).isNaN();
        assertThat(reports.rise(new double[0], new double[] {1, 2, 3})).isNaN();
        assertThat(reports.rise(new double[] {1, Double.NaN, 5}, new double[] {Double.NaN, 2, 4}))
                .isEqualTo(-1);
    }

    /**
     * The losses of honest workers, which differ a lot between them, fall until one check and rise afterwards. However
     * liars report, the run takes that check's parameters and ends when the patience is over.
     */
    @Test
    void liarsChooseNeitherTheRoundNorTheEnd() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(3);
            int m = 2 * f + 2 + random.nextInt(4);
            int lowest = 1 + random.nextInt(6);
            int[] liars = random.choose(f, m);
            double[] offsets = random.gaussians(m);
            int strategy = random.nextInt(4);
            int[] check = {0};
            WorkerPool pool = new WorkerPool() {
                @Override
                public int workers() {
                    return m;
                }

                @Override
                public List<WorkerReply> ask(RoundRequest request) {
                    List<WorkerReply> replies = new ArrayList<>();
                    for (int w = 0; w < m; w++) {
                        double honest = 5 + offsets[w] + 0.01 * Math.abs(check[0] - lowest);
                        double lie = switch (strategy) {
                            case 0 -> check[0] == 0 ? -1e6 : 1e6;
                            case 1 -> -check[0];
                            case 2 -> check[0] % 2 == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
                            default -> lie(random);
                        };
                        boolean lies = Arrays.binarySearch(liars, w) >= 0;
                        double loss = !request.withLoss() ? Double.NaN : lies ? lie : honest;
                        replies.add(new WorkerReply.Update(w, new double[] {1, 0, 0, 0}, loss, 0));
                    }
                    check[0] += request.withLoss() ? 1 : 0;
                    return replies;
                }

                @Override
                public void close() {}
            };
            Plan plan = Plan.defaults()
                    .with("validation", "0.3")
                    .with("patience", "2")
                    .with("rule", "trimmed-mean")
                    .with("tolerated", Integer.toString(f))
                    .with("rounds", "500")
                    .with("learning-rate", "0.1");
            TrainingLoop loop = Loops.of(plan, pool, Samples.schema(3));
            TrainingState end = loop.run(loop.start(), round -> {});
            assertThat(end.best().round()).isEqualTo(10 * lowest);
            assertThat(end.settled()).isTrue();
            assertThat(end.round()).isEqualTo(10 * (lowest + 2) + 1);
            assertThat(loop.result(end).round()).isEqualTo(10 * lowest);
        });
    }

    /** A plan whose validation is with the shards: workers without a row to spare report nothing, and are no fault. */
    @Test
    void whoAbstainsIsNoFault() {
        Seed seed = Seed.of(2);
        WorkerPool pool = new WorkerPool() {
            @Override
            public int workers() {
                return 4;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                return IntStream.range(0, 4)
                        .<WorkerReply>mapToObj(w -> new WorkerReply.Update(
                                w, seed.child("w", w).random().gaussians(4), w == 0 ? 3 : Double.NaN, 0))
                        .toList();
            }

            @Override
            public void close() {}
        };
        Plan plan =
                Plan.defaults().with("validation", "0.3").with("tolerated", "0").with("learning-rate", "0.1");
        TrainingLoop loop = Loops.of(plan, pool, Samples.schema(3));
        RoundRecord round = loop.next(loop.start());
        assertThat(round.faults()).isEmpty();
        assertThat(round.objective()).isEqualTo(3);
    }
}
