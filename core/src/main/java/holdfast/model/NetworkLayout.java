package holdfast.model;

import holdfast.Check;
import holdfast.math.Matrix;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Where theta holds what: the weights of all layers, then their biases. Layer l of {@code layers()} takes
 * {@code size(l)} numbers to {@code size(l + 1)} sums; its weights are a matrix with a row for each number that comes in,
 * so that rows of data times weights are rows of sums.
 *
 * @param sizes of the row, the hidden layers and the scores
 */
record NetworkLayout(int... sizes) {
    NetworkLayout {
        double parameters = 0;
        for (int l = 0; l < sizes.length - 1; l++) {
            parameters += (sizes[l] + 1.0) * sizes[l + 1];
        }
        Check.that(
                parameters <= Integer.MAX_VALUE,
                "mlp: layers of %s numbers have %.3g parameters together, more than one model can have",
                Arrays.stream(sizes).mapToObj(String::valueOf).collect(Collectors.joining("-")),
                parameters);
    }

    static NetworkLayout of(int features, HiddenLayers hidden, int scores) {
        int[] sizes = new int[hidden.units().size() + 2];
        sizes[0] = features;
        for (int l = 1; l < sizes.length - 1; l++) {
            sizes[l] = hidden.units().get(l - 1);
        }
        sizes[sizes.length - 1] = scores;
        return new NetworkLayout(sizes);
    }

    /** Hidden layers and the last one. */
    int layers() {
        return sizes.length - 1;
    }

    int size(int l) {
        return sizes[l];
    }

    private int weightsAt(int layer) {
        int at = 0;
        for (int l = 0; l < layer; l++) {
            at += sizes[l] * sizes[l + 1];
        }
        return at;
    }

    /** How many elements of theta are weights. */
    int weights() {
        return weightsAt(layers());
    }

    /** Where the biases of a layer begin. */
    int biasesAt(int layer) {
        int at = weights();
        for (int l = 0; l < layer; l++) {
            at += sizes[l + 1];
        }
        return at;
    }

    int parameters() {
        return biasesAt(layers());
    }

    /** The weights of a layer in an array laid out as theta. */
    Matrix weights(double[] theta, int layer) {
        return Matrix.of(theta, weightsAt(layer), sizes[layer], sizes[layer + 1]);
    }
}
