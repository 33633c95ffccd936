package holdfast.spark;

import holdfast.InputException;
import holdfast.Spec;
import holdfast.model.Activation;
import holdfast.model.HiddenLayers;
import holdfast.model.NeuralNetwork;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.ml.param.IntArrayParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;

/** The Params that say which network a stage trains, or what a trained one is. */
final class NetworkShape implements Serializable {
    private static final long serialVersionUID = 1;

    /** The model of a plan. */
    static final String MODEL = "mlp";

    final IntArrayParam hiddenLayers;
    final Param<String> activation;
    private final Params owner;

    NetworkShape(Params owner) {
        this.owner = owner;
        hiddenLayers = new IntArrayParam(
                owner,
                "hiddenLayers",
                "how many units (>= 1) each hidden layer has, first layer first",
                ParamCheck.given("hiddenLayers", NetworkShape::layers));
        activation = new Param<>(
                owner,
                "activation",
                "what a unit does with its sum: softplus, tanh, gelu (the form with tanh), elu or relu, which has a kink",
                ParamCheck.oneOf(
                        "activation",
                        Arrays.stream(Activation.values())
                                .map(NetworkShape::name)
                                .toArray(String[]::new)));
        owner.setDefault(hiddenLayers, new int[] {32});
        owner.setDefault(activation, name(Activation.SOFTPLUS));
    }

    private static HiddenLayers layers(int[] units) {
        try {
            return new HiddenLayers(Arrays.stream(units).boxed().toList());
        } catch (InputException e) {
            throw new InputException("hiddenLayers" + e.getMessage().substring(MODEL.length()));
        }
    }

    private static String name(Activation activation) {
        return activation.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the model that a plan names, with the Params that are set in place of its parameters.
     *
     * @param loss what a Param says about it; null if none does
     */
    String in(String model, String loss) {
        Spec spec = Spec.parse(model);
        if (!spec.name().equals(MODEL)) {
            return model; // Settings refuses it
        }
        if (owner.isSet(hiddenLayers)) {
            spec = spec.with("hidden", layers(owner.getOrDefault(hiddenLayers)).toString());
        }
        if (owner.isSet(activation)) {
            spec = spec.with("activation", owner.getOrDefault(activation));
        }
        return (loss == null ? spec : spec.with("loss", loss)).toString();
    }

    /** Sets the Params of a trained model to what it is, since the text of a plan may have said so. */
    void tell(NeuralNetwork network) {
        IntStream units = network.hidden().units().stream().mapToInt(Integer::intValue);
        owner.set(hiddenLayers, units.toArray());
        owner.set(activation, name(network.activation()));
    }
}
