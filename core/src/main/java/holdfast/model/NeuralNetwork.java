package holdfast.model;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network of fully connected layers, also called multi-layer perceptron: h_1 = sigma(W_0^T x + b_0), h_2 = sigma(W_1^T
 * h_1 + b_1), ..., scores u = W_L^T h_L + b_L, with the loss l(u; y) of a model that is linear in its scores on top. It
 * is neither convex in theta nor in x: the case of the paper's Theorem 2.
 *
 * <p>theta is W_0, W_1, ..., each a row of weights for each number that comes in, then all biases. The L2 penalty covers
 * the weights.
 */
public final class NeuralNetwork implements Model {
    private static final int SLICE = 64;
    /** With fewer weights than this, threads would wait for each other for longer than they work. */
    private static final int MIN_SHARED = 1024;

    private final HiddenLayers hidden;
    private final Activation activation;
    private final LinearScores top;

    /** The last L_zz: all blocks of all workers of a round have the same theta. */
    private volatile Known last;

    private record Known(double[] theta, double radius, double label, double zz) {}

    /**
     * Creates a network.
     *
     * @param top gives the loss of the scores, and nothing else; one whose worst case needs a box is refused
     */
    public NeuralNetwork(HiddenLayers hidden, Activation activation, LinearScores top) {
        Check.that(!top.needsBox(), "mlp: the loss on top must not need a box, got %s", top.name());
        this.hidden = hidden;
        this.activation = activation;
        this.top = top;
    }

    public HiddenLayers hidden() {
        return hidden;
    }

    public Activation activation() {
        return activation;
    }

    private NetworkLayout layout(int features) {
        return NetworkLayout.of(features, hidden, top.scoresPerRow());
    }

    private NetworkPass forward(double[] theta, Block block) {
        NetworkPass pass = new NetworkPass(layout(block.columns()), activation, top, theta);
        pass.forward(block);
        return pass;
    }

    @Override
    public Target target() {
        return top.target();
    }

    @Override
    public LabelUnit labelUnit() {
        return top.labelUnit();
    }

    @Override
    public int scoresPerRow() {
        return top.scoresPerRow();
    }

    @Override
    public int parameters(int features) {
        return layout(features).parameters();
    }

    @Override
    public int penalised(int features) {
        return layout(features).weights();
    }

    /**
     * Gaussian weights of variance 2/(in + out) for a layer of that many numbers in and out (Glorot, Bengio 2010), drawn
     * for each layer from its own seed; biases 0.
     */
    @Override
    public double[] start(int features, Seed seed) {
        NetworkLayout layout = layout(features);
        double[] theta = new double[layout.parameters()];
        int at = 0;
        for (int l = 0; l < layout.layers(); l++) {
            int n = layout.size(l) * layout.size(l + 1);
            double deviation = Math.sqrt(2.0 / (layout.size(l) + layout.size(l + 1)));
            double[] drawn = seed.child("layer", l).random().gaussians(n);
            for (int i = 0; i < n; i++) {
                theta[at + i] = deviation * drawn[i];
            }
            at += n;
        }
        return theta;
    }

    @Override
    public void scores(double[] theta, Block block, double[] out) {
        forward(theta, block).scores(out);
    }

    @Override
    public void losses(double[] theta, Block block, double[] out) {
        forward(theta, block).losses(block.labels(), out);
    }

    /** Sums along the tree of slices of {@value #SLICE} rows, so that several threads share a batch. */
    @Override
    public void addGradient(double[] theta, Block block, double[] gradient) {
        List<Block> slices = layout(block.columns()).weights() < MIN_SHARED ? List.of(block) : block.slices(SLICE);
        Vectors.add(gradient, Tree.reduce(slices.size(), s -> gradient(theta, slices.get(s)), Vectors::add));
    }

    private double[] gradient(double[] theta, Block slice) {
        NetworkPass pass = forward(theta, slice);
        pass.slopesOnTop(slice.labels(), slice.weights());
        pass.backward();
        double[] gradient = new double[theta.length];
        pass.addGradient(slice, gradient);
        return gradient;
    }

    @Override
    public void gradientInRows(double[] theta, Block block, double[] out) {
        rowGradient(theta, block.columns()).at(block, out);
    }

    @Override
    public RowGradient rowGradient(double[] theta, int features) {
        NetworkPass pass = new NetworkPass(layout(features), activation, top, theta);
        return (block, out) -> {
            pass.forward(block);
            pass.slopesOnTop(block.labels(), null);
            pass.backward();
            pass.gradientInRows(out);
        };
    }

    @Override
    public RowHessian rowHessian(double[] theta, int features) {
        NetworkPass pass = new NetworkPass(layout(features), activation, top, theta);
        return (block, v, out) -> pass.hessianInRows(block, v, out);
    }

    /**
     * The Gauss-Newton matrix, sum over j of w_j J_j^T l''(u_j; y_j) J_j for the derivative J of a row's scores in theta.
     * It leaves out the curvature of the network itself, which can be negative, and is positive semi-definite, as Newton
     * steps by conjugate gradients need; where the scores fit the labels it is the Hessian.
     */
    @Override
    public Curvature curvature(double[] theta, Block block) {
        return (v, out) -> forward(theta, block).addGaussNewton(block, v, out);
    }

    /**
     * Bounds L_zz at this theta, see {@code NetworkBounds}; nothing is known about the other constants. "No longer than
     * theta" means: networks for which these bounds on the layers' norms hold.
     */
    @Override
    public Smoothness smoothness(double[] theta, int features, double radius, double label) {
        Known known = last;
        if (known == null || known.radius != radius || known.label != label || !Arrays.equals(known.theta, theta)) {
            double zz = new NetworkBounds(layout(features), activation, top, theta).zz(radius, label);
            known = new Known(theta.clone(), radius, label, zz);
            last = known;
        }
        return new Smoothness(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, known.zz);
    }

    @Override
    public double leastLoss(double label) {
        return top.leastLoss(label);
    }

    @Override
    public double expected(double score) {
        return top.expected(score);
    }

    @Override
    public boolean givesProbabilities() {
        return top.givesProbabilities();
    }

    @Override
    public String name() {
        return "mlp";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("hidden", hidden);
        parameters.put("activation", activation);
        parameters.putAll(NetworkFamily.lossOf(top));
        return Optional.of(parameters);
    }
}
