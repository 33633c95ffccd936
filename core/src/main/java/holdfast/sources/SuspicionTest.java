package holdfast.sources;

import holdfast.Check;
import holdfast.InputException;
import holdfast.evaluation.Evaluation;
import holdfast.math.Logistic;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.plan.PlanKey;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.training.PreparedRun;
import holdfast.training.SourceProbe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Names the sources whose labels contradict what all the others say.
 *
 * <p>A source is <em>suspect</em> if, by the model fitted to all other sources, its labels fit its rows worse than
 * labels in random order would (two classes: the rows are ranked the wrong way round, AUC below 1/2). The one-sided
 * p-value must be below 0.05/k for k sources, and the labels of the typical other source must fit better than chance
 * (median z at least 1: there is something to contradict). The most contradictory source is named first and left out,
 * and the test is repeated, for at most (k-1)/2 sources.
 *
 * <p>The statistic is a sum over rows of a(row, label), and z is its standardised value among all permutations of the
 * source's labels; their mean and variance have closed forms (Hoeffding 1951). With one score per row, the terms are
 * ranks of scores times ranks of labels: Spearman's statistic for numbers, Mann and Whitney's for two classes. With
 * more classes, the term is the probability of the label, which detects swapped classes in fewer rows than ranks do.
 * The more classes there are, the less it takes to fit no worse than chance, and the more rows the test needs.
 *
 * <p>The model without source i is 30 plain gradient steps from its start, so nothing of i is in it (with more than 20
 * sources, nothing of its twentieth of the sources), and all rows of i, held out or not, are new to it. Ranks within
 * the source ignore its base rate and scale. No source counts for more rows than the median source has. The test cannot
 * see labels that are wrong at random (they carry no contradiction), sources with one label only, lies in updates
 * rather than data, or a majority that lies together.
 */
public final class SuspicionTest {
    /** With fewer sources there is no majority to contradict. */
    public static final int MIN_SOURCES = 4;

    public static final String STATEMENT =
            "suspect: by a model fitted to other sources its labels fit worse than chance,"
                    + " one-sided permutation test, p < 0.05 / number of sources";

    /**
     * With more sources than this, they are divided into this many parts, and each part is tested by a model fitted to
     * the others.
     */
    private static final int MAX_FITS = 20;

    private static final double LEVEL = 0.05;
    private static final double SIGNAL = 1;
    private static final int STEPS = 30;
    private static final double L2 = 1e-3;

    private final PreparedRun prepared;
    private final Model model;
    private final double rate;

    /**
     * The result for one source in the first test.
     *
     * @param agreement how well its labels agree with the model of the others, 1/2 by chance: the AUC; for many
     *     classes, the mean AUC of each class against the rest; for numbers, (rho + 1)/2 with Spearman's rho. NaN if
     *     the source has one label only
     * @param pValue the probability of a statistic this low by chance; NaN if there is no agreement value
     * @param suspect its position among the suspects from 1, or 0 if it is not suspect
     */
    public record Finding(String source, double agreement, double pValue, int suspect) {}

    record Ranking(double z, double agreement) {
        double pValue() {
            return Double.isNaN(agreement) ? Double.NaN : below(z);
        }
    }

    private SuspicionTest(PreparedRun prepared) {
        this.prepared = prepared;
        this.model = prepared.plan().model(prepared.schema());
        this.rate = 1 / (1.1 * prepared.pool().threads().call(prepared.probe()::curvature) + L2);
    }

    /**
     * Runs the test.
     *
     * @param prepared a run with one worker per source
     * @return one finding per source, in worker order
     * @throws InputException with fewer than {@value #MIN_SOURCES} sources, or if they have replicas, which would
     *     support one another
     */
    public static List<Finding> run(PreparedRun prepared) {
        Check.that(
                prepared.plan().get(PlanKey.REPLICAS) == 1,
                "naming suspects needs one worker per source, got --replicas %d",
                prepared.plan().get(PlanKey.REPLICAS));
        Check.that(
                prepared.names().size() >= MIN_SOURCES,
                "naming suspects needs at least %d sources, got %d",
                MIN_SOURCES,
                prepared.names().size());
        return new SuspicionTest(prepared).findings();
    }

    private List<Finding> findings() {
        int k = prepared.names().size();
        int parts = Math.min(k, MAX_FITS);
        List<Integer> active = new ArrayList<>(IntStream.range(0, k).boxed().toList());
        List<Integer> named = new ArrayList<>();
        Ranking[] first = null;
        try (WorkerPool pool = prepared.probe().plain()) {
            while (named.size() < (k - 1) / 2) {
                Ranking[] now = new Ranking[k];
                for (int part = 0; part < parts; part++) {
                    int left = part;
                    List<Integer> leftOut =
                            active.stream().filter(i -> i % parts == left).toList();
                    if (!leftOut.isEmpty()) {
                        double[] theta = fit(
                                pool,
                                active.stream().filter(i -> i % parts != left).toList());
                        List<SourceProbe.Scored> rows = prepared.probe().scored(theta, leftOut);
                        IntStream.range(0, leftOut.size()).forEach(j -> now[leftOut.get(j)] = rank(rows.get(j)));
                    }
                }
                first = first == null ? now : first;
                int worst = active.stream()
                        .min(Comparator.comparingDouble(i -> now[i].z()))
                        .orElseThrow();
                double[] others = active.stream()
                        .filter(i -> i != worst)
                        .mapToDouble(i -> now[i].z())
                        .sorted()
                        .toArray();
                if (!(below(now[worst].z()) < LEVEL / k && others[(others.length - 1) / 2] >= SIGNAL)) {
                    break;
                }
                named.add(worst);
                active.remove(Integer.valueOf(worst));
            }
        }
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < k; i++) {
            findings.add(new Finding(
                    prepared.names().get(i), first[i].agreement(), first[i].pValue(), named.indexOf(i) + 1));
        }
        return findings;
    }

    /** Fits a model by plain gradient descent on the rows of these sources. */
    private double[] fit(WorkerPool pool, List<Integer> sources) {
        int features = prepared.schema().features().size();
        double[] theta = model.start(features, prepared.plan().seed().child("suspicion"));
        double[] sizes =
                sources.stream().mapToDouble(i -> prepared.sizes()[i]).sorted().toArray();
        double cap = sizes[sizes.length / 2];
        Set<Integer> included = Set.copyOf(sources);
        for (int step = 0; step < STEPS; step++) {
            double[] sum = new double[theta.length];
            double total = 0;
            for (WorkerReply reply : pool.ask(new RoundRequest(step, theta, false))) {
                if (reply instanceof WorkerReply.Update u && included.contains(u.worker())) {
                    double weight = Math.min(cap, prepared.sizes()[u.worker()]);
                    Vectors.addScaled(sum, weight, u.vector(), sum.length);
                    total += weight;
                }
            }
            double[] next = theta.clone();
            Vectors.addScaled(next, -rate / total, sum, sum.length);
            Vectors.addScaled(next, -rate * L2, theta, model.penalised(features));
            theta = next;
        }
        return theta;
    }

    private Ranking rank(SourceProbe.Scored rows) {
        int k = model.scoresPerRow();
        return k == 1
                ? oneScore(rows.scores(), rows.labels(), model.target().isClass())
                : classes(rows.scores(), rows.labels(), k);
    }

    /**
     * Computes the sum of rank(score) rank(label), with ties: Spearman's statistic, and for two classes Mann and
     * Whitney's.
     */
    static Ranking oneScore(double[] scores, double[] labels, boolean classes) {
        int n = labels.length;
        double[] a = centred(Evaluation.ranks(scores));
        double[] b = centred(Evaluation.ranks(labels));
        double spread = Math.sqrt(Vectors.dot(a, a, n) * Vectors.dot(b, b, n));
        if (Vectors.dot(b, b, n) == 0) {
            return new Ranking(0, Double.NaN);
        }
        double rho = spread > 0 ? Vectors.dot(a, b, n) / spread : 0;
        return new Ranking(rho * Math.sqrt(n - 1), classes ? Evaluation.auc(scores, labels) : (rho + 1) / 2);
    }

    private static double[] centred(double[] ranks) {
        double mean = (ranks.length + 1) / 2.0;
        return Arrays.stream(ranks).map(r -> r - mean).toArray();
    }

    /** Computes the sum over rows of the probability of the row's own label. */
    static Ranking classes(double[] scores, double[] labels, int k) {
        int n = labels.length;
        double[][] p = new double[k][n];
        double[] own = new double[k];
        double[] share = new double[k];
        for (int j = 0; j < n; j++) {
            Logistic.softmax(scores, j * k, k, own);
            for (int c = 0; c < k; c++) {
                p[c][j] = own[c];
            }
            share[(int) labels[j]] += 1.0 / n;
        }
        double[] ofRow = new double[n];
        double auc = 0;
        int present = 0;
        for (int c = 0; c < k; c++) {
            if (share[c] > 0) {
                int actual = c;
                auc += Evaluation.auc(
                        p[c],
                        Arrays.stream(labels).map(y -> y == actual ? 1 : 0).toArray());
                present++;
            }
            double mean = Vectors.sum(p[c], n) / n;
            p[c] = Arrays.stream(p[c]).map(v -> v - mean).toArray();
            Vectors.addScaled(ofRow, share[c], p[c], n);
        }
        double gap = 0;
        double squares = 0;
        for (int j = 0; j < n; j++) {
            gap += p[(int) labels[j]][j];
            for (int c = 0; c < k; c++) {
                squares += share[c] * n * (p[c][j] - ofRow[j]) * (p[c][j] - ofRow[j]);
            }
        }
        return new Ranking(present > 1 && squares > 0 ? gap / Math.sqrt(squares / (n - 1)) : 0, auc / present);
    }

    /** Returns P(Z &lt;= z) for a standard normal Z, by Marsaglia's series (2004); exact to about 1e-15. */
    static double below(double z) {
        if (z < -8) {
            return 0;
        }
        if (z > 8) {
            return 1;
        }
        double sum = z;
        double term = z;
        for (int i = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && i < 1000; i += 2) {
            term *= z * z / i;
            sum += term;
        }
        return Math.max(0, 0.5 + sum * StrictMath.exp(-z * z / 2 - 0.91893853320467274178));
    }
}
