package holdfast.model;

import holdfast.Randomness;
import holdfast.testkit.ModelContract;
import org.junit.jupiter.api.Nested;

/** The laws of every model, for each smooth activation under each loss with one and with two hidden layers. */
class NeuralNetworkContractTest {
    abstract static class Contract extends ModelContract {
        private final NeuralNetwork model;

        Contract(Activation activation, LinearScores top, Integer... hidden) {
            model = new NeuralNetwork(HiddenLayers.of(hidden), activation, top);
        }

        @Override
        protected Model model() {
            return model;
        }

        @Override
        protected double label(Randomness random) {
            return model.target().isClass() ? random.nextInt(Math.max(2, model.scoresPerRow())) : random.nextGaussian();
        }

        /** Only L_zz is bounded, at one theta. */
        @Override
        protected double[] longest(double[] theta, double[] other, int features) {
            return theta;
        }

        @Override
        protected boolean curvatureIsHessian() {
            return false;
        }
    }

    @Nested
    class SoftplusLogisticOne extends Contract {
        SoftplusLogisticOne() {
            super(Activation.SOFTPLUS, new LogisticRegression(true), 5);
        }
    }

    @Nested
    class SoftplusLogisticTwo extends Contract {
        SoftplusLogisticTwo() {
            super(Activation.SOFTPLUS, new LogisticRegression(true), 4, 3);
        }
    }

    @Nested
    class SoftplusSoftmaxOne extends Contract {
        SoftplusSoftmaxOne() {
            super(Activation.SOFTPLUS, new SoftmaxRegression(3, true), 5);
        }
    }

    @Nested
    class SoftplusSoftmaxTwo extends Contract {
        SoftplusSoftmaxTwo() {
            super(Activation.SOFTPLUS, new SoftmaxRegression(3, true), 4, 3);
        }
    }

    @Nested
    class SoftplusSquaredOne extends Contract {
        SoftplusSquaredOne() {
            super(Activation.SOFTPLUS, new LinearRegression(true), 5);
        }
    }

    @Nested
    class SoftplusSquaredTwo extends Contract {
        SoftplusSquaredTwo() {
            super(Activation.SOFTPLUS, new LinearRegression(true), 4, 3);
        }
    }

    @Nested
    class SoftplusHuberOne extends Contract {
        SoftplusHuberOne() {
            super(Activation.SOFTPLUS, new HuberRegression(true, 0.7), 5);
        }
    }

    @Nested
    class SoftplusHuberTwo extends Contract {
        SoftplusHuberTwo() {
            super(Activation.SOFTPLUS, new HuberRegression(true, 0.7), 4, 3);
        }
    }

    @Nested
    class TanhLogisticOne extends Contract {
        TanhLogisticOne() {
            super(Activation.TANH, new LogisticRegression(true), 5);
        }
    }

    @Nested
    class TanhLogisticTwo extends Contract {
        TanhLogisticTwo() {
            super(Activation.TANH, new LogisticRegression(true), 4, 3);
        }
    }

    @Nested
    class TanhSoftmaxOne extends Contract {
        TanhSoftmaxOne() {
            super(Activation.TANH, new SoftmaxRegression(3, true), 5);
        }
    }

    @Nested
    class TanhSoftmaxTwo extends Contract {
        TanhSoftmaxTwo() {
            super(Activation.TANH, new SoftmaxRegression(3, true), 4, 3);
        }
    }

    @Nested
    class TanhSquaredOne extends Contract {
        TanhSquaredOne() {
            super(Activation.TANH, new LinearRegression(true), 5);
        }
    }

    @Nested
    class TanhSquaredTwo extends Contract {
        TanhSquaredTwo() {
            super(Activation.TANH, new LinearRegression(true), 4, 3);
        }
    }

    @Nested
    class TanhHuberOne extends Contract {
        TanhHuberOne() {
            super(Activation.TANH, new HuberRegression(true, 0.7), 5);
        }
    }

    @Nested
    class TanhHuberTwo extends Contract {
        TanhHuberTwo() {
            super(Activation.TANH, new HuberRegression(true, 0.7), 4, 3);
        }
    }

    @Nested
    class GeluLogisticOne extends Contract {
        GeluLogisticOne() {
            super(Activation.GELU, new LogisticRegression(true), 5);
        }
    }

    @Nested
    class GeluLogisticTwo extends Contract {
        GeluLogisticTwo() {
            super(Activation.GELU, new LogisticRegression(true), 4, 3);
        }
    }

    @Nested
    class GeluSoftmaxOne extends Contract {
        GeluSoftmaxOne() {
            super(Activation.GELU, new SoftmaxRegression(3, true), 5);
        }
    }

    @Nested
    class GeluSoftmaxTwo extends Contract {
        GeluSoftmaxTwo() {
            super(Activation.GELU, new SoftmaxRegression(3, true), 4, 3);
        }
    }

    @Nested
    class GeluSquaredOne extends Contract {
        GeluSquaredOne() {
            super(Activation.GELU, new LinearRegression(true), 5);
        }
    }

    @Nested
    class GeluSquaredTwo extends Contract {
        GeluSquaredTwo() {
            super(Activation.GELU, new LinearRegression(true), 4, 3);
        }
    }

    @Nested
    class GeluHuberOne extends Contract {
        GeluHuberOne() {
            super(Activation.GELU, new HuberRegression(true, 0.7), 5);
        }
    }

    @Nested
    class GeluHuberTwo extends Contract {
        GeluHuberTwo() {
            super(Activation.GELU, new HuberRegression(true, 0.7), 4, 3);
        }
    }

    @Nested
    class EluLogisticOne extends Contract {
        EluLogisticOne() {
            super(Activation.ELU, new LogisticRegression(true), 5);
        }
    }

    @Nested
    class EluLogisticTwo extends Contract {
        EluLogisticTwo() {
            super(Activation.ELU, new LogisticRegression(true), 4, 3);
        }
    }

    @Nested
    class EluSoftmaxOne extends Contract {
        EluSoftmaxOne() {
            super(Activation.ELU, new SoftmaxRegression(3, true), 5);
        }
    }

    @Nested
    class EluSoftmaxTwo extends Contract {
        EluSoftmaxTwo() {
            super(Activation.ELU, new SoftmaxRegression(3, true), 4, 3);
        }
    }

    @Nested
    class EluSquaredOne extends Contract {
        EluSquaredOne() {
            super(Activation.ELU, new LinearRegression(true), 5);
        }
    }

    @Nested
    class EluSquaredTwo extends Contract {
        EluSquaredTwo() {
            super(Activation.ELU, new LinearRegression(true), 4, 3);
        }
    }

    @Nested
    class EluHuberOne extends Contract {
        EluHuberOne() {
            super(Activation.ELU, new HuberRegression(true, 0.7), 5);
        }
    }

    @Nested
    class EluHuberTwo extends Contract {
        EluHuberTwo() {
            super(Activation.ELU, new HuberRegression(true, 0.7), 4, 3);
        }
    }
}
