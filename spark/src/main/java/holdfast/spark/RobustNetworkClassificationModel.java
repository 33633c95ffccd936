package holdfast.spark;

import holdfast.model.NeuralNetwork;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;

/** The model that {@link RobustNetworkClassifier} trains. */
public final class RobustNetworkClassificationModel extends RobustProbabilisticModel<RobustNetworkClassificationModel>
        implements RobustNetworkParams {
    private static final long serialVersionUID = 1;

    private final NetworkShape shape = new NetworkShape(this);

    /** Makes a model that cannot be used. Spark Connect's server finds the class this way. */
    public RobustNetworkClassificationModel() {
        this(null, null);
    }

    RobustNetworkClassificationModel(Uid given, Learnt learnt) {
        super(learnt);
        if (learnt != null) {
            shape.tell((NeuralNetwork) learnt.scorer.model());
        }
    }

    @Override
    String uidPrefix() {
        return "robustNetClf";
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
    public RobustNetworkClassificationModel copy(ParamMap extra) {
        return copyValues(new RobustNetworkClassificationModel(Uid.of(uid()), learnt().copy()), extra)
                .setParent(parent());
    }

    public static MLReader<RobustNetworkClassificationModel> read() {
        return Saved.reader(RobustNetworkClassificationModel.class, RobustNetworkClassificationModel::new);
    }

    public static RobustNetworkClassificationModel load(String path) {
        return read().load(path);
    }
}
