package holdfast.training;

import holdfast.Check;
import holdfast.InputException;
import holdfast.attack.DataAttack;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.worstcase.Effort;
import holdfast.worstcase.InnerMaximiser;
import holdfast.worstcase.RobustLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Names the sources whose labels contradict what all the others say.
 *
 * <p>A source is <em>suspect</em> if the model fitted to all other sources ranks the source's own rows the wrong way
 * round (AUC below 1/2), with a one-sided Mann-Whitney p-value below 0.05/k for k sources, while that model ranks the
 * rows of the typical other source the right way round (median z at least 1: there is something to contradict). The
 * most contradictory one is named first and left out, and the question is asked again, for at most (k-1)/2 sources.
 *
 * <p>The model without source i is 30 plain gradient steps from zero, so nothing of i is in it (with more than 20
 * sources, nothing of its twentieth of the sources), and all rows of i, held out or not, are fresh. Ranks within the
 * source ignore its base rate and scale. No source counts for more rows than the median source has. What this cannot
 * see: labels wrong at random (they carry no contradiction), sources with one class only, lies in updates rather than
 * data, and a majority that lies together.
 */
public final class SuspicionTest {
    /** With fewer sources there is no majority to contradict. */
    public static final int LEAST_SOURCES = 4;

    public static final String STATEMENT =
            "suspect: a model fitted to other sources ranks its rows the wrong way round,"
                    + " AUC below 1/2, one-sided Mann-Whitney p < 0.05 / number of sources";

    /** With more sources than this they are judged in so many parts, each by a model fitted to the other parts. */
    private static final int MOST_FITS = 20;

    private static final double LEVEL = 0.05;
    private static final double SIGNAL = 1;
    private static final int STEPS = 30;
    private static final double L2 = 1e-3;

    private final PreparedData prepared;
    private final Model model;
    private final double rate;
    private final int threads;
    private final List<Dataset> ownRows;

    /**
     * One source's result when first asked.
     *
     * @param auc of the others' model on its rows, NaN where it has one class only
     * @param pValue of an AUC this low by chance, NaN where there is no AUC
     * @param suspect its place among the suspects from 1, or 0
     */
    public record Finding(String source, double auc, double pValue, int suspect) {}

    private record Ranking(double z, double auc) {
        double pValue() {
            return Double.isNaN(auc) ? Double.NaN : below(z);
        }
    }

    private SuspicionTest(PreparedData prepared, TrainingPlan plan, int threads) {
        this.prepared = prepared;
        this.model = plan.model(prepared.training().schema());
        this.rate = 1 / (1.1 * prepared.curvature(model, plan.seed()) + L2);
        this.threads = threads;
        // A simulated liar's held-out rows are not poisoned and would speak for it.
        int[] poisoned = plan.attack() instanceof DataAttack
                ? plan.byzantine(prepared.shards().size())
                : new int[0];
        this.ownRows = IntStream.range(0, prepared.shards().size())
                .mapToObj(i -> Arrays.binarySearch(poisoned, i) < 0
                        ? rowsOf(i)
                        : prepared.shards().get(i))
                .toList();
    }

    /**
     * @param prepared with one worker per source
     * @return one finding per source, in worker order
     * @throws InputException with fewer than {@value #LEAST_SOURCES} sources, or where they have replicas, which would speak
     *     for one another
     */
    public static List<Finding> run(PreparedData prepared, TrainingPlan plan, int threads) {
        Check.that(
                plan.get(PlanKey.REPLICAS) == 1,
                "naming suspects needs one worker per source, got replicas %d",
                plan.get(PlanKey.REPLICAS));
        Check.that(
                prepared.shards().size() >= LEAST_SOURCES,
                "naming suspects needs at least %d sources, got %d",
                LEAST_SOURCES,
                prepared.shards().size());
        return new SuspicionTest(prepared, plan, threads).findings();
    }

    private List<Finding> findings() {
        int k = ownRows.size();
        int parts = Math.min(k, MOST_FITS);
        List<Integer> active = new ArrayList<>(IntStream.range(0, k).boxed().toList());
        List<Integer> named = new ArrayList<>();
        Ranking[] first = null;
        RobustLoss plain = new RobustLoss(model, InnerMaximiser.none(), Effort.always(new Effort.Steps(0)), 0);
        try (InProcessPool pool = new InProcessPool(prepared.workers(plain), threads)) {
            while (named.size() < (k - 1) / 2) {
                Ranking[] now = new Ranking[k];
                for (int part = 0; part < parts; part++) {
                    int left = part;
                    List<Integer> judged =
                            active.stream().filter(i -> i % parts == left).toList();
                    if (!judged.isEmpty()) {
                        double[] theta = fit(
                                pool,
                                active.stream().filter(i -> i % parts != left).toList());
                        judged.forEach(i -> now[i] = rank(theta, ownRows.get(i)));
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
                    prepared.partition().workers().get(i), first[i].auc(), first[i].pValue(), named.indexOf(i) + 1));
        }
        return findings;
    }

    private Dataset rowsOf(int source) {
        Dataset shard = prepared.shards().get(source);
        Dataset heldOut = prepared.heldOut();
        if (heldOut == null) {
            return shard;
        }
        int[] rows = IntStream.range(0, heldOut.rows())
                .filter(r -> heldOut.group(r) == source)
                .toArray();
        return rows.length == 0 ? shard : shard.append(prepared.scaled(heldOut.select(rows)));
    }

    /** Plain gradient descent on the rows of these sources. */
    private double[] fit(WorkerPool pool, List<Integer> sources) {
        int features = prepared.training().columns();
        double[] theta = new double[model.parameters(features)];
        double[] sizes = sources.stream()
                .mapToDouble(i -> prepared.shards().get(i).rows())
                .sorted()
                .toArray();
        double cap = sizes[sizes.length / 2];
        Set<Integer> included = Set.copyOf(sources);
        for (int step = 0; step < STEPS; step++) {
            double[] sum = new double[theta.length];
            double total = 0;
            for (WorkerReply reply : pool.ask(new RoundRequest(step, theta, false))) {
                if (reply instanceof WorkerReply.Update u && included.contains(u.worker())) {
                    double weight =
                            Math.min(cap, prepared.shards().get(u.worker()).rows());
                    Vectors.addScaled(sum, weight, u.vector(), sum.length);
                    total += weight;
                }
            }
            double[] next = theta.clone();
            Vectors.addScaled(next, -rate / total, sum, sum.length);
            Vectors.addScaled(next, -rate * L2, theta, model.weights(features));
            theta = next;
        }
        return theta;
    }

    /** Mann and Whitney's statistic, standardised by its permutation variance with ties counted. */
    private Ranking rank(double[] theta, Dataset rows) {
        int n = rows.rows();
        double[] scores = new double[n];
        double[] labels = new double[n];
        int done = 0;
        for (Block block : rows.blocks()) {
            double[] own = new double[block.rows()];
            model.scores(theta, block, own);
            System.arraycopy(own, 0, scores, done, own.length);
            System.arraycopy(block.labels(), 0, labels, done, own.length);
            done += own.length;
        }
        double positives = Arrays.stream(labels).sum();
        double pairs = positives * (n - positives);
        if (pairs == 0) {
            return new Ranking(0, Double.NaN);
        }
        double[] ranks = Evaluation.ranks(scores);
        double mean = (n + 1) / 2.0;
        double squares = Arrays.stream(ranks).map(r -> (r - mean) * (r - mean)).sum();
        double u = Vectors.dot(ranks, labels, n) - positives * (positives + 1) / 2;
        double variance = pairs / n * squares / (n - 1);
        return new Ranking(variance > 0 ? (u - pairs / 2) / Math.sqrt(variance) : 0, u / pairs);
    }

    /** P(Z &lt;= z) for a standard normal Z, by Marsaglia's series (2004); exact to about 1e-15. */
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
