package holdfast.model;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.data.Schema;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Networks without the number of features and classes; the loss on top fits the label unless it is named. */
record NetworkFamily(HiddenLayers hidden, Activation activation, Loss loss, double delta) implements ModelFamily {
    /** The loss on top. */
    enum Loss {
        AUTO(null),
        LOGISTIC(Target.TWO_CLASSES),
        SOFTMAX(Target.CLASSES),
        SQUARED(Target.NUMBER),
        HUBER(Target.NUMBER);

        private final Target target;

        Loss(Target target) {
            this.target = target;
        }

        private static Loss fitting(Schema schema) {
            int classes = schema.classes().size();
            return classes == 0 ? SQUARED : classes == 2 ? LOGISTIC : SOFTMAX;
        }

        private LinearScores model(int classes, double delta) {
            return switch (this) {
                case LOGISTIC -> new LogisticRegression(true);
                case SOFTMAX -> new SoftmaxRegression(classes, true);
                case SQUARED -> new LinearRegression(true);
                case HUBER -> new HuberRegression(true, delta);
                case AUTO -> throw new IllegalArgumentException();
            };
        }
    }

    NetworkFamily {
        if (loss == Loss.HUBER) {
            loss.model(0, delta);
        } else {
            Check.that(delta == 1, "mlp: delta is for loss=huber");
        }
    }

    static NetworkFamily of(Catalogue.Parameters p) {
        HiddenLayers hidden =
                p.value("hidden", HiddenLayers.of(32), "sizes of layers such as 32 or 64-32", HiddenLayers::parse);
        Activation activation = word(Activation.class, p.word("activation", "softplus", "tanh", "gelu", "elu", "relu"));
        Loss loss = word(Loss.class, p.word("loss", "auto", "logistic", "softmax", "squared", "huber"));
        return new NetworkFamily(hidden, activation, loss, p.number("delta", 1));
    }

    private static <E extends Enum<E>> E word(Class<E> type, String word) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    }

    /** The parameters that make this loss. */
    static Map<String, ?> lossOf(LinearScores top) {
        if (top instanceof HuberRegression huber) {
            return Map.of("loss", Loss.HUBER, "delta", huber.delta());
        }
        boolean unusual = top instanceof SoftmaxRegression && top.scoresPerRow() == 2;
        return Map.of("loss", unusual ? Loss.SOFTMAX : Loss.AUTO);
    }

    @Override
    public Optional<Target> target() {
        return Optional.ofNullable(loss.target);
    }

    @Override
    public Model on(Schema schema, boolean intercept) {
        Check.that(intercept, "--no-intercept is for linear models: the units of model mlp always have biases");
        Loss chosen = loss == Loss.AUTO ? Loss.fitting(schema) : loss;
        chosen.target.requireFits(schema, "mlp with loss=" + chosen.name().toLowerCase(Locale.ROOT));
        return new NeuralNetwork(
                hidden, activation, chosen.model(schema.classes().size(), delta));
    }
}
