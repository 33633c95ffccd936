package holdfast.benchmarks;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import dev.ludovic.netlib.blas.BLAS;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Logistic;
import holdfast.model.LogisticRegression;
import holdfast.objective.Effort;
import holdfast.objective.InnerMaximiser;
import holdfast.objective.Iterate;
import holdfast.objective.RobustLoss;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.training.PreparedData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.tribuo.Example;
import org.tribuo.MutableDataset;
import org.tribuo.classification.Label;
import org.tribuo.classification.LabelFactory;
import org.tribuo.classification.sgd.linear.LinearSGDModel;
import org.tribuo.classification.sgd.linear.LinearSGDTrainer;
import org.tribuo.classification.sgd.objectives.LogMulticlass;
import org.tribuo.datasource.ListDataSource;
import org.tribuo.impl.ArrayExample;
import org.tribuo.math.optimisers.AdaGrad;
import org.tribuo.provenance.SimpleDataSourceProvenance;

/**
 * What a user on the JVM would pick instead, on the same rows: seconds per pass over the data, while holdfast trains
 * robustly (lambda 3, ten ascent steps, norm screening), and, separately, seconds until the plain loss is within 1e-3
 * of the minimum.
 */
final class Rivals {
    private static final int WORKERS = 10;
    private static final int MAX_ROUNDS = 3000;
    private static final int MAX_EPOCHS = 64;
    private static final Plan PLAN = Plan.defaults()
            .with("workers", Integer.toString(WORKERS))
            .with("test-share", "0")
            .with("scale", "none")
            .with("tolerance", "0");

    private final Dataset data;
    private final double least;
    private int epochs = 1;

    private Rivals(Dataset data) {
        this.data = data;
        Plan newton = PLAN.with("workers", "1")
                .with("lambda", "none")
                .with("rule", "mean")
                .with("screened", "0")
                .with("update", "newton(damping=0)")
                .with("rounds", "20");
        this.least = loss(PreparedData.of(data, newton).train(newton));
    }

    static List<Measured> measure(int rows, int columns) throws IOException {
        Rivals rivals = new Rivals(Samples.rows(rows, columns));
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.log.level", "ERROR")
                .getOrCreate()) {
            return rivals.compare(spark);
        }
    }

    private List<Measured> compare(SparkSession spark) {
        Plan robust = PLAN.with("lambda", "3").with("ascent-steps", "10").with("learning-rate", "0.1");
        org.tribuo.Dataset<Label> examples = tribuo();
        Problem problem = liblinear();
        org.apache.spark.sql.Dataset<Row> frame = frame(spark);
        double[] flat = flat();
        List<Measured> out = new ArrayList<>();
        try (InProcessPool pool =
                new InProcessPool(PreparedData.of(data, robust).workers(robust), 2)) {
            TrainingLoop loop = new TrainingLoop(
                    robust.resolve(data.schema(), pool.workers()).loop(Optional.empty()), pool);
            TrainingState[] state = {loop.start()};
            Turns turns = Turns.of(
                    5,
                    () -> state[0] = loop.next(state[0]).state(),
                    () -> trained(examples, 1),
                    () -> Linear.train(problem, parameter(1e-9, 1)),
                    () -> trained(frame, 1),
                    () -> trained(frame, 6),
                    () -> twice(flat));
            double own = turns.seconds(0);
            out.add(Measured.only("a robust round of holdfast, 2 threads, seconds", own));
            out.add(Measured.atLeast("Tribuo, one epoch / ours", turns.seconds(1) / own, 1));
            out.add(Measured.atLeast("liblinear, one Newton iteration / ours", turns.seconds(2) / own, 1));
            out.add(Measured.atLeast(
                    "Spark MLlib, one iteration / ours", (turns.seconds(4) - turns.seconds(3)) / 5 / own, 1));
            out.add(Measured.atLeast("netlib, dgemv twice, 1 thread / ours", turns.seconds(5) / own, 1));
        }
        double own = untilGood(this::holdfast);
        out.add(Measured.only("holdfast to within 1e-3 of the least loss, seconds", own));
        out.add(Measured.atLeast("Tribuo to the same / ours", untilGood(() -> tribuoTo(examples)) / own, 1));
        out.add(Measured.only("liblinear to the same / ours", untilGood(() -> liblinearTo(problem)) / own));
        out.add(Measured.only("Spark MLlib to the same / ours", untilGood(() -> sparkTo(frame)) / own));
        return out;
    }

    /** Runs twice and times the second run; NaN if the loss stays too high. */
    private double untilGood(Supplier<double[]> fit) {
        fit.get();
        long start = System.nanoTime();
        double[] theta = fit.get();
        double seconds = (System.nanoTime() - start) / 1e9;
        return loss(theta) <= least * (1 + 1e-3) ? seconds : Double.NaN;
    }

    private double loss(double[] theta) {
        RobustLoss plain = new RobustLoss(
                new LogisticRegression(true), InnerMaximiser.none(), Effort.always(new Effort.Steps(0)), 0);
        return plain.value(Iterate.of(theta), plain.sums(Iterate.of(theta), data, true), data.columns());
    }

    /** Takes as many Newton steps as needed. */
    private double[] holdfast() {
        Plan plan = PLAN.with("lambda", "none")
                .with("rule", "mean")
                .with("screened", "0")
                .with("update", "newton(damping=0)");
        PreparedData prepared = PreparedData.of(data, plan);
        Plan resolved = prepared.resolve(plan);
        try (InProcessPool pool = new InProcessPool(prepared.workers(resolved), 2)) {
            TrainingLoop loop = new TrainingLoop(
                    resolved.resolve(data.schema(), pool.workers()).loop(Optional.empty()), pool);
            TrainingState state = loop.start();
            while (state.round() < MAX_ROUNDS && loss(state.theta()) > least * (1 + 1e-3)) {
                state = loop.next(state).state();
            }
            return state.theta();
        }
    }

    private org.tribuo.Dataset<Label> tribuo() {
        LabelFactory labels = new LabelFactory();
        String[] names = data.schema().features().toArray(new String[0]);
        var provenance = new SimpleDataSourceProvenance("benchmark", labels);
        List<Example<Label>> examples = new ArrayList<>();
        for (int r = 0; r < data.rows(); r++) {
            examples.add(new ArrayExample<>(new Label(data.label(r) == 1 ? "1" : "0"), names, data.row(r)));
        }
        return new MutableDataset<>(new ListDataSource<>(examples, labels, provenance));
    }

    private static LinearSGDModel trained(org.tribuo.Dataset<Label> examples, int epochs) {
        return new LinearSGDTrainer(new LogMulticlass(), new AdaGrad(0.1), epochs, Integer.MAX_VALUE, 1, 1L)
                .train(examples);
    }

    /** The first call doubles the epochs until the loss is low enough; later calls train that long at once. */
    private double[] tribuoTo(org.tribuo.Dataset<Label> examples) {
        while (true) {
            double[] theta = difference(trained(examples, epochs));
            if (epochs >= MAX_EPOCHS || loss(theta) <= least * (1 + 1e-3)) {
                return theta;
            }
            epochs *= 2;
        }
    }

    /** Softmax of two classes is logistic regression of the difference of their weights. */
    private double[] difference(LinearSGDModel model) {
        var weights = model.getWeightsCopy();
        int one = model.getOutputIDInfo().getID(new Label("1"));
        double[] theta = new double[data.columns() + 1];
        for (int i = 0; i < data.columns(); i++) {
            int id = model.getFeatureIDMap().getID(data.schema().features().get(i));
            theta[i] = weights.get(one, id) - weights.get(1 - one, id);
        }
        theta[data.columns()] = weights.get(one, data.columns()) - weights.get(1 - one, data.columns());
        return theta;
    }

    private Problem liblinear() {
        Linear.setDebugOutput(null);
        Problem problem = new Problem();
        problem.l = data.rows();
        problem.n = data.columns() + 1;
        problem.bias = 1;
        problem.x = new Feature[data.rows()][];
        problem.y = IntStream.range(0, data.rows()).mapToDouble(data::label).toArray();
        for (int r = 0; r < data.rows(); r++) {
            double[] x = data.row(r);
            problem.x[r] = new Feature[x.length + 1];
            for (int i = 0; i < x.length; i++) {
                problem.x[r][i] = new FeatureNode(i + 1, x[i]);
            }
            problem.x[r][x.length] = new FeatureNode(x.length + 1, 1);
        }
        return problem;
    }

    private static Parameter parameter(double precision, int iterations) {
        return new Parameter(SolverType.L2R_LR, 1e6, precision, iterations, 0.1);
    }

    private double[] liblinearTo(Problem problem) {
        Model model = Linear.train(problem, parameter(1e-3, 1000));
        double sign = model.getLabels()[0] == 1 ? 1 : -1;
        return Arrays.stream(model.getFeatureWeights()).map(w -> sign * w).toArray();
    }

    private org.apache.spark.sql.Dataset<Row> frame(SparkSession spark) {
        StructType schema =
                new StructType().add("label", DataTypes.DoubleType).add("features", SQLDataTypes.VectorType());
        List<Row> rows = IntStream.range(0, data.rows())
                .mapToObj(r -> RowFactory.create(data.label(r), Vectors.dense(data.row(r))))
                .toList();
        org.apache.spark.sql.Dataset<Row> frame =
                spark.createDataFrame(rows, schema).repartition(2).cache();
        frame.count();
        return frame;
    }

    private static LogisticRegressionModel trained(org.apache.spark.sql.Dataset<Row> frame, int iterations) {
        return new org.apache.spark.ml.classification.LogisticRegression()
                .setMaxIter(iterations)
                .setTol(0)
                .setStandardization(false)
                .fit(frame);
    }

    private double[] sparkTo(org.apache.spark.sql.Dataset<Row> frame) {
        LogisticRegressionModel model = trained(frame, 30);
        double[] theta = Arrays.copyOf(model.coefficients().toArray(), data.columns() + 1);
        theta[data.columns()] = model.intercept();
        return theta;
    }

    private double[] flat() {
        double[] flat = new double[data.rows() * data.columns()];
        int row = 0;
        for (Block block : data.blocks()) {
            for (int j = 0; j < block.rows(); j++) {
                block.copyRow(j, flat, data.columns() * row++);
            }
        }
        return flat;
    }

    /** u = X theta, r = sigma(u), g = X^T r, in chunks that stay in the cache. */
    private double[] twice(double[] flat) {
        int d = data.columns();
        int chunk = Math.max(1, 192 * 1024 / 8 / d);
        BLAS blas = BLAS.getInstance();
        double[] theta = new double[d];
        double[] gradient = new double[d];
        double[] u = new double[chunk];
        double[] r = new double[chunk];
        for (int from = 0; from < data.rows(); from += chunk) {
            int n = Math.min(chunk, data.rows() - from);
            blas.dgemv("T", d, n, 1, flat, from * d, d, theta, 0, 1, 0, u, 0, 1);
            Logistic.sigmoid(u, r, n);
            blas.dgemv("N", d, n, 1, flat, from * d, d, r, 0, 1, 1, gradient, 0, 1);
        }
        return gradient;
    }
}
