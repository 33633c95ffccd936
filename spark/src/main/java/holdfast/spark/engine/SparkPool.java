package holdfast.spark.engine;

import holdfast.InputException;
import holdfast.math.Threads;
import holdfast.math.Tree;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.TrainingException;
import holdfast.rounds.TwoPhasePool;
import holdfast.rounds.WorkerReply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkStageInfo;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;

/**
 * Workers on the executors of a cluster. A round is one job: the parameters go out as a broadcast variable, which is
 * destroyed when the answers are in. Answers depend only on parameters and rows, so a task that Spark repeats, or runs
 * twice at once, gives the same bits.
 *
 * <p>Nothing of a round stays, except what Spark is told to remember about past jobs: {@code spark.ui.retainedJobs},
 * {@code retainedStages} and {@code retainedTasks} under the same prefix.
 */
final class SparkPool implements TwoPhasePool {
    /** If the updates of a round have at least this many numbers, only their norms and one sum come back. */
    static final long LARGE = 1L << 22;

    /**
     * If workers are in far more pieces than there are workers, and these send at least this many numbers, they are
     * merged before the driver gets them.
     */
    static final long MANY = 1L << 20;

    /** How Spark's message names the task that failed. */
    private static final Pattern TASK = Pattern.compile("Task (\\d+) in stage (\\d+)\\.");

    private final JavaSparkContext spark;
    private final JavaRDD<? extends Answers> holders;
    private final int shards;
    private final int replicas;
    private final Merging merging;
    private final Runnable letGo;
    private final Threads threads;
    private KeptUpdates kept;

    /**
     * How to put together a worker that is in several places.
     *
     * @param cut knows the blocks of every worker
     */
    record Merging(Objective objective, BlockLayout cut, int features) {
        private Answer merge(int shard, List<Answer> answers, RoundRequest request) {
            Map<Tree.Node, ShardSums> known = new HashMap<>();
            answers.forEach(a -> known.put(new Tree.Node(a.from(), a.to()), a.sums()));
            ShardSums sums = Tree.complete(
                    cut.blocks(shard), (from, to) -> known.get(new Tree.Node(from, to)), ShardSums::merge);
            return new Answer(
                    shard,
                    0,
                    0,
                    objective.gradient(request.at(), sums, features),
                    objective.dualGradient(request.at(), sums),
                    request.withLoss() ? objective.value(request.at(), sums, features) : Double.NaN,
                    sums.rows(),
                    sums.precision(),
                    null);
        }
    }

    /** @param letGo releases the rows when the pool is closed */
    SparkPool(
            JavaSparkContext spark,
            JavaRDD<? extends Answers> holders,
            int shards,
            int replicas,
            Merging merging,
            Runnable letGo) {
        this(
                spark,
                holders,
                shards,
                replicas,
                merging,
                letGo,
                Threads.of(Runtime.getRuntime().availableProcessors()));
    }

    private SparkPool(
            JavaSparkContext spark,
            JavaRDD<? extends Answers> holders,
            int shards,
            int replicas,
            Merging merging,
            Runnable letGo,
            Threads threads) {
        this.spark = spark;
        this.holders = holders;
        this.shards = shards;
        this.replicas = replicas;
        this.merging = merging;
        this.letGo = letGo;
        this.threads = threads;
    }

    /** Returns the same pool with every holder replaced, for example by one that sometimes fails. */
    SparkPool with(Function<Answers, Answers> change) {
        return new SparkPool(spark, holders.map(change::call), shards, replicas, merging, letGo, threads);
    }

    @Override
    public int workers() {
        return shards * replicas;
    }

    @Override
    public Threads threads() {
        return threads;
    }

    @Override
    public List<WorkerReply> ask(RoundRequest request) {
        List<List<Answer>> byShard = new ArrayList<>();
        for (int s = 0; s < shards; s++) {
            byShard.add(new ArrayList<>());
        }
        job(request, () -> answers(request))
                .forEach(a -> byShard.get(a.worker()).add(a));
        List<WorkerReply> replies = new ArrayList<>();
        for (int s = 0; s < shards; s++) {
            Answer answer = whole(s, byShard.get(s), request);
            for (int worker = s * replicas; worker < (s + 1) * replicas; worker++) {
                WorkerReply.Update reply = answer.reply(worker);
                replies.add(
                        worker % replicas == 0
                                ? reply
                                : reply.with(reply.vector().clone()));
            }
        }
        return replies;
    }

    private <T> T job(RoundRequest request, Supplier<T> jobs) {
        String what = "round " + request.round();
        try {
            return SparkJobs.run(spark.sc(), what, jobs);
        } catch (TrainingException e) {
            throw SparkJobs.gaveUp(what + whose(e.getCause()), e.getCause());
        }
    }

    /**
     * Returns the workers whose rows the failed task had; nothing if Spark names no task, or one that only moves rows.
     */
    private String whose(Throwable failure) {
        Matcher task = TASK.matcher(String.valueOf(failure.getMessage()));
        if (merging == null || !task.find()) {
            return "";
        }
        SparkStageInfo stage = spark.statusTracker().getStageInfo(Integer.parseInt(task.group(2)));
        // Stages that move rows are named after the calls that made them; the last one is named after the action.
        if (stage == null || !stage.name().startsWith("collect ")) {
            return "";
        }
        int[] held = merging.cut.workers(Integer.parseInt(task.group(1)));
        int last = held.length == 0 ? -1 : (held[held.length - 1] + 1) * replicas - 1;
        return held.length == 0
                ? ""
                : held[0] * replicas == last ? ", worker " + last : ", workers " + held[0] * replicas + " to " + last;
    }

    private List<Answer> answers(RoundRequest request) {
        Broadcast<double[]> theta = spark.broadcast(request.theta());
        JavaRDD<Answer> all = answers(request, theta);
        BlockLayout cut = merging == null ? null : merging.cut;
        List<Answer> answers = cut != null && cut.isFine() && (long) cut.pieces() * request.theta().length >= MANY
                ? MergingCollect.lists(all, some -> TreePart.merged(some, cut, Answer::merge))
                : all.collect();
        // After a failure this does not run: tasks may still need theta, and Spark's cleaner removes it when nobody
        // does.
        SparkJobs.undisturbed(() -> theta.destroy(false));
        return answers;
    }

    private JavaRDD<Answer> answers(RoundRequest request, Broadcast<double[]> theta) {
        int round = request.round();
        boolean early = request.at().early();
        double[] duals = request.duals();
        boolean withLoss = request.withLoss();
        return holders.flatMap(holder -> answers(
                        holder, new RoundRequest(new Iterate(round, early, theta.value(), duals), withLoss))
                .iterator());
    }

    /** Workers can keep their updates if each of them is in one place. */
    @Override
    public boolean keeps(int parameters) {
        return replicas == 1 && merging.cut.isWhole() && (long) shards * parameters >= LARGE;
    }

    @Override
    public List<Measured> measure(RoundRequest request) {
        drop();
        List<Measured> measured = job(request, () -> kept(request).measured()).stream()
                .sorted(Comparator.comparingInt(m -> m.reply().worker()))
                .toList();
        if (measured.size() != shards) {
            throw new IllegalStateException(
                    measured.size() + " of " + shards + " workers answered in round " + request.round());
        }
        for (Measured m : measured) {
            if (m.reply() instanceof WorkerReply.Fault fault) {
                throw refusal(fault.worker(), fault.reason());
            }
        }
        return measured;
    }

    /** The rows here are our own, so a combination of rows and parameters that cannot be computed is nobody's lie. */
    private static InputException refusal(int worker, String reason) {
        return new InputException("worker " + worker + ": " + reason);
    }

    /** Spark recomputes the updates of a lost executor, so none is ever missing. */
    @Override
    public Optional<double[]> sum(RoundRequest request, int[] workers, double[] factors) {
        return Optional.of(job(request, () -> kept.sum(workers, factors)));
    }

    private KeptUpdates kept(RoundRequest request) {
        Broadcast<double[]> theta = spark.broadcast(request.theta());
        kept = new KeptUpdates(answers(request, theta), theta);
        return kept;
    }

    private void drop() {
        if (kept != null) {
            SparkJobs.undisturbed(kept::drop);
            kept = null;
        }
    }

    /** Input errors come back as text; a bug ends the job. */
    private static List<Answer> answers(Answers holder, RoundRequest request) {
        try {
            return holder.to(request);
        } catch (InputException e) {
            return List.of(Answer.fault(holder.worker(), e.getMessage()));
        } catch (RuntimeException e) {
            throw new SparkJobs.Broken(
                    "worker " + holder.worker() + " broke in round " + request.round() + ": " + e, e);
        }
    }

    private Answer whole(int shard, List<Answer> answers, RoundRequest request) {
        for (Answer answer : answers) {
            if (answer.fault() != null) {
                throw refusal(shard * replicas, answer.fault());
            }
            if (answer.whole()) {
                return answer;
            }
        }
        if (answers.isEmpty()) {
            throw new IllegalStateException("no answer of shard " + shard + " in round " + request.round());
        }
        return merging.merge(shard, answers, request);
    }

    @Override
    public void close() {
        try (threads) {
            drop();
        } finally {
            letGo.run();
        }
    }
}
