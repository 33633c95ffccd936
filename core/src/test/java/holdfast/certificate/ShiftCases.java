package holdfast.certificate;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Models;
import holdfast.objective.Box;
import holdfast.objective.WeightedL2;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Small random models and rows for the tests of certificates. */
final class ShiftCases {
    static final List<String> ONE_SCORE = List.of("logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)");

    private ShiftCases() {}

    /** A model on rows that need no scaling. */
    record Case(TrainedModel model, Dataset rows) {
        double[] losses(double[][] moved) {
            double[] flat = Arrays.stream(moved).flatMapToDouble(Arrays::stream).toArray();
            double[] labels =
                    IntStream.range(0, rows.rows()).mapToDouble(rows::label).toArray();
            double[] losses = new double[moved.length];
            model.model().losses(model.theta(), new DenseBlock(rows.columns(), flat, labels, null), losses);
            return losses;
        }

        /** The mean by weight. */
        double mean(double[] values) {
            double sum = 0;
            double total = 0;
            for (int j = 0; j < values.length; j++) {
                sum += rows.weight(j) * values[j];
                total += rows.weight(j);
            }
            return sum / total;
        }

        double[][] features() {
            return IntStream.range(0, rows.rows()).mapToObj(rows::row).toArray(double[][]::new);
        }

        Box box() {
            return model.model().needsBox() ? new Box(2) : Box.NONE;
        }

        ShiftCurve curve(WeightedL2 cost) {
            return ShiftCurve.of(model, rows, cost, box());
        }

        Case with(Dataset other) {
            return new Case(model, other);
        }
    }

    static Schema schema(int columns, int classes, int sources) {
        return new Schema(
                IntStream.range(0, columns).mapToObj(i -> "x" + i).toList(),
                "y",
                IntStream.range(0, classes).mapToObj(c -> "c" + c).toList(),
                IntStream.range(0, sources).mapToObj(s -> "s" + s).toList());
    }

    static int classes(String kind) {
        return kind.startsWith("softmax") ? 4 : kind.startsWith("logistic") || kind.startsWith("svm") ? 2 : 0;
    }

    static Case random(Seed seed, String kind, int rows, int columns, boolean weighted) {
        return random(seed, kind, rows, columns, weighted, 0, classes(kind));
    }

    static Case random(Seed seed, String kind, int rows, int columns, boolean weighted, int sources, int classes) {
        Randomness random = seed.child("case").random();
        int scores = kind.startsWith("softmax") ? classes : 1;
        double[] theta = random.gaussians(scores * (columns + 1));
        double size = kind.startsWith("poisson") ? 0.3 : 0.3 + 1.5 * random.nextDouble();
        Arrays.setAll(theta, i -> theta[i] * size);
        Schema schema = schema(columns, classes, sources);
        DatasetBuilder builder = new DatasetBuilder(columns);
        for (int j = 0; j < rows; j++) {
            double label = classes > 0
                    ? random.nextInt(classes)
                    : kind.startsWith("poisson") ? random.nextInt(4) : random.nextGaussian();
            double weight = weighted ? 0.2 + random.nextDouble() : 1;
            builder.add(random.gaussians(columns), label, sources == 0 ? 0 : j % sources, weight);
        }
        Scaling scaling = Scaling.none(columns);
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose(kind), true, theta, scaling, LabelScaling.NONE, schema.withoutGroups(), 0.5);
        return new Case(model, builder.build(schema, DataSource.MEMORY));
    }
}
