package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormClipping;
import holdfast.aggregate.NormScreening;
import holdfast.attack.Attack;
import holdfast.attack.Attacks;
import holdfast.attack.UpdateAttack;
import holdfast.data.Dataset;
import holdfast.model.LogisticRegression;
import holdfast.objective.BallLoss;
import holdfast.objective.Iterate;
import holdfast.objective.WassersteinBall;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Three of twenty workers lie about their updates, about what moving their rows costs, and about their losses. */
class RadiusLiarsTest {
    private static final int WORKERS = 20;
    private static final int LIARS = 3;
    private static final double RHO = 0.05;
    private static final LogisticRegression MODEL = new LogisticRegression(true);
    private static final BallLoss OBJECTIVE = new WassersteinBall(RHO).on(MODEL, 0);
    private static final Dataset DATA = Samples.dataset(Seed.of(12), 2000, 4);
    private static final List<Worker> ALL = IntStream.range(0, WORKERS)
            .mapToObj(w -> new Worker(
                    w, DATA.select(IntStream.range(0, 100).map(r -> 100 * w + r).toArray()), OBJECTIVE))
            .toList();

    /** What liars report about the price and as their loss, from what is true. */
    private static final Map<String, UnaryOperator<WorkerReply.Update>> LIES = Map.of(
            "truth", u -> u,
            "nothing", u -> with(u, 0, u.loss()),
            "huge", u -> with(u, 1e300, 1e300),
            "negative", u -> with(u, -1e300, -1e300),
            "turned", u -> with(u, -10 * u.duals()[0], u.loss()),
            "a little less", u -> with(u, 0.8 * u.duals()[0], 0.9 * u.loss()),
            "a little more", u -> with(u, 1.2 * u.duals()[0], 1.1 * u.loss()));

    private static WorkerReply.Update with(WorkerReply.Update update, double cost, double loss) {
        return new WorkerReply.Update(
                update.worker(), update.vector(), new double[] {cost, 0, 0}, loss, update.precision());
    }

    /** The workers, of which the first three may change their reports. */
    private record Pool(List<Worker> held, UnaryOperator<WorkerReply.Update> lie) implements WorkerPool {
        @Override
        public int workers() {
            return held.size();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return held.stream()
                    .<WorkerReply>map(w -> {
                        WorkerReply.Update truth = (WorkerReply.Update) w.answer(request);
                        return w.id() < LIARS ? lie.apply(truth) : truth;
                    })
                    .toList();
        }

        @Override
        public void close() {}
    }

    private static TrainingState train(Aggregator rule, UpdateAttack attack, WorkerPool pool) {
        LoopSettings settings = new LoopSettings(
                rule,
                OBJECTIVE,
                new double[5],
                400,
                new ServerStep(new StepSize.QuasiNewton(new StepSize.Spectral(0.2, 0.0002, 1)), round -> 1, 0),
                WorkerMomentum.NONE,
                new StoppingRule.Tolerance(1e-6),
                Optional.empty(),
                attack == Attacks.NONE
                        ? SimulatedAttack.NONE
                        : new SimulatedAttack(attack, IntStream.range(0, LIARS).toArray()),
                Optional.empty(),
                Seed.of(1),
                "");
        TrainingLoop loop = new TrainingLoop(settings, pool);
        return loop.run(loop.start(), record -> {});
    }

    private static List<Worker> honest() {
        return IntStream.range(0, WORKERS - LIARS)
                .mapToObj(w -> new Worker(w, ALL.get(LIARS + w).shard(), OBJECTIVE))
                .toList();
    }

    private static TrainingState alone() {
        return train(new Mean(), Attacks.NONE, new Pool(honest(), u -> u));
    }

    /** Mean costs of the honest workers. */
    private static double[] costs(double[] theta, double[] duals) {
        RoundRequest request = new RoundRequest(new Iterate(1, theta, duals), false);
        return honest().stream()
                .mapToDouble(w -> ((WorkerReply.Update) w.answer(request)).duals()[0])
                .toArray();
    }

    /** The least value over lambda of lambda rho + the honest workers' mean robust loss. */
    private static double worstLoss(double[] theta) {
        double best = Double.POSITIVE_INFINITY;
        for (double lambda = 0.05; lambda < 50; lambda *= 1.02) {
            RoundRequest request = new RoundRequest(new Iterate(1, theta, new double[] {lambda, 1, 0.5}), true);
            best = Math.min(
                    best,
                    honest().stream()
                            .mapToDouble(w -> ((WorkerReply.Update) w.answer(request)).loss())
                            .average()
                            .orElseThrow());
        }
        return best;
    }

    static Stream<String> lies() {
        return LIES.keySet().stream().sorted();
    }

    static Stream<String> attacks() {
        return Attacks.catalogue().names().stream().filter(name -> attack(name) instanceof UpdateAttack);
    }

    private static Attack attack(String name) {
        return Attacks.catalogue().create(Spec.parse(name));
    }

    /** At the price that is found some honest workers' rows move further than the radius, and some less. */
    @ParameterizedTest
    @MethodSource("lies")
    void thePriceStaysWhereHonestWorkersWouldPutIt(String lie) {
        TrainingState state = train(new NormScreening(LIARS), Attacks.NONE, new Pool(ALL, LIES.get(lie)));
        double[] costs = costs(state.theta(), state.duals());
        assertThat(Arrays.stream(costs).min().orElseThrow()).isLessThanOrEqualTo(RHO);
        assertThat(Arrays.stream(costs).max().orElseThrow()).isGreaterThanOrEqualTo(RHO);
        double honest = alone().duals()[0];
        assertThat(state.duals()[0]).isBetween(0.9 * honest, 1.1 * honest);
        assertThat(worstLoss(state.theta())).isLessThan(1.001 * worstLoss(alone().theta()));
    }

    /** Measured: at most 0.6 %. */
    @ParameterizedTest
    @MethodSource("attacks")
    void attacksOnBothAtOnceCostLittle(String name) {
        double best = worstLoss(alone().theta());
        for (Aggregator rule : List.of(new NormScreening(LIARS), new NormClipping(LIARS))) {
            for (String lie : List.of("truth", "huge", "negative")) {
                TrainingState state = train(rule, (UpdateAttack) attack(name), new Pool(ALL, LIES.get(lie)));
                double[] costs = costs(state.theta(), state.duals());
                assertThat(Arrays.stream(costs).min().orElseThrow()).isLessThanOrEqualTo(RHO);
                assertThat(Arrays.stream(costs).max().orElseThrow()).isGreaterThanOrEqualTo(RHO);
                assertThat(worstLoss(state.theta())).as("%s, %s", rule, lie).isLessThan(1.02 * best);
            }
        }
    }

    /** A report that is no number is a fault, like an update that is none. */
    @Test
    void aReportThatIsNoNumberIsAFault() {
        Pool pool = new Pool(ALL, u -> with(u, Double.NaN, u.loss()));
        TrainingState state = train(new NormScreening(LIARS), Attacks.NONE, pool);
        assertThat(state.settled()).isTrue();
        assertThat(state.duals()[0]).isBetween(0.9 * alone().duals()[0], 1.1 * alone().duals()[0]);
    }
}
