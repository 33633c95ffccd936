package holdfast.spark;

import holdfast.model.NeuralNetwork;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;

/** The model that {@link RobustNetworkRegressor} trains. */
public final class RobustNetworkRegressionModel extends RobustRegressionModel<RobustNetworkRegressionModel>
        implements RobustNetworkParams {
    private static final long serialVersionUID = 1;

    private final NetworkShape shape = new NetworkShape(this);

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustNetworkRegressionModel() {
        this(null, null);
    }

    RobustNetworkRegressionModel(Uid given, Learnt learnt) {
        super(learnt);
        if (learnt != null) {
            shape.tell((NeuralNetwork) learnt.scorer.model());
        }
    }

    @Override
    String uidPrefix() {
        return "robustNetReg";
    }

    /** @hidden */
    @Override
    public NetworkShape shape() {
        return shape;
    }

    /**
     * The weights of each layer, first layer first, a row of them for each number that comes in; then the biases of all
     * layers. They apply to scaled features.
     */
    public Vector weights() {
        return Vectors.dense(learnt().scorer.theta());
    }

    @Override
    public RobustNetworkRegressionModel copy(ParamMap extra) {
        return copyValues(new RobustNetworkRegressionModel(Uid.of(uid()), learnt().copy()), extra)
                .setParent(parent());
    }

    public static MLReader<RobustNetworkRegressionModel> read() {
        return Saved.reader(RobustNetworkRegressionModel.class, RobustNetworkRegressionModel::new);
    }

    public static RobustNetworkRegressionModel load(String path) {
        return read().load(path);
    }
}
