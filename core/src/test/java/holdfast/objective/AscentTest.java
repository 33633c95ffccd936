package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the iterative maximisers stop, and what they then say of their result. */
class AscentTest {

    @Test
    void stopsAtTheFirstStepWhosePrecisionIsTheOneAskedFor() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            Block block = Samples.block(seed, 1 + random.nextInt(10), d, false);
            double epsilon = Math.pow(10, -1 - 4 * random.nextDouble());
            LogisticRegression logistic = new LogisticRegression(true);
            double[] theta = random.gaussians(d + 1);
            double lambda = (1.1 + random.nextDouble())
                    * logistic.smoothness(theta, d, 0, 0).zz();
            stopsAtTheFirst(new GradientAscent(logistic, lambda, 1 / lambda), theta, block, epsilon);
            stopsAtTheFirst(new ScalarRecurrence(logistic, lambda, 1 / lambda), theta, block, epsilon);
            SoftmaxRegression softmax = new SoftmaxRegression(2, true);
            double[] both = random.gaussians(softmax.parameters(d));
            double price = (1.1 + random.nextDouble())
                    * softmax.smoothness(both, d, 0, 0).zz();
            stopsAtTheFirst(new SubspaceRecurrence(softmax, price, 1 / price), both, block, epsilon);
        });
    }

    private static void stopsAtTheFirst(InnerMaximiser ascent, double[] theta, Block block, double epsilon) {
        int steps = 0;
        while (ascent.maximise(theta, block, new Effort.Steps(steps)).precision() > epsilon) {
            steps++;
            assertThat(steps).isLessThan(10_000);
        }
        WorstCase first = ascent.maximise(theta, block, new Effort.Steps(steps));
        WorstCase asked = ascent.maximise(theta, block, new Effort.Precision(epsilon));
        assertThat(Laws.bits(asked.costs())).isEqualTo(Laws.bits(first.costs()));
        assertThat(asked.precision()).isEqualTo(first.precision());
    }

    /** L_zz is ||theta||^2/4 = 1 here, as is lambda. */
    @Test
    void atTheEdgeOfConcavityItStopsByTheSlopeAndCertifiesNothing() {
        double[] theta = {2};
        Block block = new DenseBlock(1, new double[] {0.3, -1}, new double[] {0, 1}, null);
        AtomicInteger gradients = new AtomicInteger();
        Model counted = counting(new LogisticRegression(false), gradients);
        WorstCase worst = new GradientAscent(counted, 1, 1).maximise(theta, block, new Effort.Precision(1e-6));
        assertThat(gradients.get()).isLessThan(1000);
        assertThat(worst.precision()).isInfinite();
    }

    /** A row beyond the margin has no slope at all; 0/0 would be no bound. */
    @Test
    void atTheEdgeOfConcavityAFlatRowIsNotCertifiedEither() {
        SmoothedHinge model = new SmoothedHinge(false, 1);
        double[] theta = {1};
        Block flat = new DenseBlock(1, new double[] {5}, new double[] {1}, null);
        assertThat(model.smoothness(theta, 1, 0, 0).zz()).isEqualTo(1);
        for (Effort effort : List.of(new Effort.Steps(3), new Effort.Precision(0.1))) {
            for (InnerMaximiser ascent : List.of(new GradientAscent(model, 1, 1), new ScalarRecurrence(model, 1, 1))) {
                assertThat(ascent.maximise(theta, flat, effort).precision()).isInfinite();
            }
        }
    }

    /** Its slope never vanishes there; what counts is what the box leaves of it. */
    @Test
    void anAscentThatIsHeldByTheBoxStops() {
        AtomicInteger gradients = new AtomicInteger();
        Model counted = counting(new PoissonRegression(false), gradients);
        Block block = new DenseBlock(2, new double[] {0, 0.5}, new double[] {0}, null);
        WorstCase worst = new GradientAscent(counted, 0.1, 0.3, new Box(1))
                .maximise(new double[] {1, -1}, block, new Effort.Precision(1e-6));
        double[] z = new double[2];
        worst.rows().copyRow(0, z, 0);
        assertThat(z).containsExactly(1, -1);
        assertThat(gradients.get()).isLessThan(100);
    }

    @Test
    void noStepLeavesTheBoxNotEvenByRounding() {
        Laws.check(3000, seed -> {
            Randomness random = seed.random();
            double[] x = random.gaussians(4);
            Box box = new Box(0.1 + random.nextDouble());
            double rate = 0.1 + random.nextDouble();
            Block block = new DenseBlock(4, x, new double[] {0}, null);
            WorstCase worst = new GradientAscent(new PoissonRegression(false), 0.1, rate, box)
                    .maximise(Vectors.scaled(3, random.gaussians(4)), block, new Effort.Steps(1 + random.nextInt(3)));
            double[] z = new double[4];
            worst.rows().copyRow(0, z, 0);
            for (int i = 0; i < 4; i++) {
                assertThat(z[i]).isBetween(box.low(x[i]), box.high(x[i]));
            }
        });
    }

    /** The model, with its gradients in rows counted. */
    private static Model counting(Model model, AtomicInteger gradients) {
        return (Model)
                Proxy.newProxyInstance(Model.class.getClassLoader(), new Class<?>[] {Model.class}, (self, m, args) -> {
                    if (m.getName().equals("gradientInRows")) {
                        gradients.incrementAndGet();
                    }
                    return m.invoke(model, args);
                });
    }
}
