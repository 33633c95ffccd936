package holdfast.training;

import holdfast.Check;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.NormScreening;
import holdfast.attack.Attack;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Threads;
import holdfast.model.Model;
import holdfast.model.NeuralNetwork;
import holdfast.objective.ObjectiveFamily;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Scaling;
import holdfast.rounds.Ledger;
import holdfast.rounds.LoopSettings;
import holdfast.rounds.RoundListener;
import holdfast.rounds.TrainingException;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.WorkerPool;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Trains a model on data, in this process:
 *
 * <pre>{@code
 * TrainingRun run = Training.on(visits)
 *         .workersBy("hospital")
 *         .rule(new NormScreening(2))
 *         .objective(new Wasserstein(8))
 *         .run();
 * }</pre>
 *
 * <p>Settings that are not given are those of {@link Plan#defaults()}. Rules, models, attacks and objectives are
 * objects. Those that the catalogues know are written into the plan by name, so that the run can be repeated from its
 * model file. Threads exist only while {@link #run()} or {@link #prepare()} runs. They do not change the result, and
 * neither does another engine, see {@link #run(PreparedRun)}.
 */
public final class Training {
    private static final System.Logger LOG = System.getLogger("holdfast.training");
    private static final int MAX_NAMED = 5;
    /** A warning is due from this share of values on: of normal values, less than one in a million is cut off. */
    private static final double MAX_CUT_OFF = 0.001;

    private final Table data;
    private final DataSource source;
    private Plan plan;
    private int threads = 1;
    private RoundListener listener = round -> {};
    private Consumer<Checkpoint> sink;
    private int checkpointEvery = 1;
    private Checkpoint resumed;

    private Training(Table data, DataSource source, Plan plan) {
        this.data = data;
        this.source = source;
        this.plan = plan;
    }

    /** Sets up training with good settings, which the methods below change. */
    public static Training on(Dataset data) {
        return on(Table.of(data));
    }

    /** Sets up training on rows as a file has them. */
    public static Training on(Table data) {
        return of(data, Plan.defaults());
    }

    /** Sets up training by a plan on rows as a file has them. */
    public static Training of(Table data, Plan plan) {
        return new Training(data, data.source(), plan);
    }

    /** Sets up training by a plan on rows that are already features. */
    public static Training of(Dataset data, Plan plan) {
        return of(Table.of(data), plan);
    }

    /** Sets up training by workers of another engine, which must be passed to {@link #run(PreparedRun)}. */
    public static Training of(DataSource source, Plan plan) {
        return new Training(null, source, plan);
    }

    /** Changes one setting of the plan. */
    public <T> Training with(PlanKey<T> key, T value) {
        plan = plan.with(key, value);
        return this;
    }

    /** Creates one worker per source that the rows name; the plan calls their column by this name. */
    public Training workersBy(String column) {
        return with(PlanKey.WORKERS_BY, Optional.of(column));
    }

    /** Holds these sources out of training whole and tests on their rows alone. */
    public Training testSources(String... names) {
        for (String name : names) {
            Check.that(!name.contains(","), "--test-sources separates names by commas, got '%s'", name);
        }
        return with(PlanKey.TEST_SOURCES, List.of(names)).with(PlanKey.TEST_SHARE, 0.0);
    }

    /** Holds out the rows of each source with the largest values of this column, instead of rows drawn at random. */
    public Training splitBy(String column) {
        return with(PlanKey.SPLIT_BY, Optional.of(column));
    }

    /** Assigns the rows to this many workers. */
    public Training workers(int count) {
        return with(PlanKey.WORKERS, count);
    }

    public Training model(Model model) {
        plan = plan.withModel(model);
        return this;
    }

    /** Sets the rule that combines updates. The run uses the rule's own f. */
    public Training rule(Aggregator rule) {
        plan = plan.withRule(rule);
        return this;
    }

    public Training objective(ObjectiveFamily objective) {
        plan = plan.withObjective(objective);
        return this;
    }

    /** Simulates this many liars, drawn at random. */
    public Training attack(Attack attack, int liars) {
        plan = plan.withAttack(attack);
        return with(PlanKey.LIARS, liars);
    }

    /** Sets the maximum number of rounds. */
    public Training rounds(int count) {
        return with(PlanKey.ROUNDS, count);
    }

    public Training seed(long seed) {
        return with(PlanKey.SEED, seed);
    }

    public Training threads(int count) {
        Check.that(count >= 1, "threads must be at least 1, got %d", count);
        threads = count;
        return this;
    }

    /** Adds a listener to the existing ones. */
    public Training listener(RoundListener next) {
        listener = listener.and(next);
        return this;
    }

    /**
     * Hands out a checkpoint after every {@code everyRounds} rounds, at the end, and when the run is interrupted or
     * fails.
     */
    public Training checkpoints(int everyRounds, Consumer<Checkpoint> into) {
        Check.that(everyRounds >= 1, "checkpoints must be at least one round apart, got %d", everyRounds);
        checkpointEvery = everyRounds;
        sink = into;
        return this;
    }

    /** Continues from a checkpoint of the same plan and data. */
    public Training resume(Checkpoint checkpoint) {
        checkpoint.requireBelongsTo(plan, source);
        resumed = checkpoint;
        return this;
    }

    /**
     * Trains the model.
     *
     * @throws holdfast.InputException if plan and data do not fit
     * @throws TrainingException if training diverges or too many workers fail
     * @throws CancellationException if the thread is interrupted; the flag stays set
     */
    public TrainingRun run() {
        return run(prepare());
    }

    /** Prepares the data for the plan's rounds. */
    public PreparedData prepare() {
        if (data == null) {
            throw new IllegalStateException("the rows are with another engine: run(PreparedRun)");
        }
        return onThreads(() -> PreparedData.of(data, plan));
    }

    private <T> T onThreads(Supplier<T> work) {
        try (Threads all = Threads.of(threads)) {
            return all.call(work);
        }
    }

    /** Trains on prepared data, which must have been prepared with this plan's data settings. */
    public TrainingRun run(PreparedData prepared) {
        try (PreparedRun workers = onThreads(() -> prepared.startWorkers(plan, threads))) {
            return run(workers);
        }
    }

    /** Trains with these workers, which must have been prepared for this plan. */
    public TrainingRun run(PreparedRun prepared) {
        WorkerPool workers = prepared.allWorkers();
        Ledger ledger = resumed == null ? new Ledger(prepared.allNames()) : Ledger.of(resumed.ledger());
        LoopSettings settings =
                prepared.plan().resolve(prepared.schema(), workers.workers()).loop(prepared.root());
        TrainingLoop loop = new TrainingLoop(settings, workers);
        Optional<ResampledErrors> errors = ResampledErrors.of(prepared);
        TrainingState from = resumed == null ? loop.start() : resumed.state();
        requireEnoughUsable(prepared.unusable(), settings.rule().tolerated(), from);
        ObjectiveConstants constants = new ObjectiveConstants(
                prepared.plan(),
                settings.objective().model(),
                prepared.schema().features().size(),
                prepared.reach(),
                prepared.plan().prices(prepared.schema()));
        GuaranteeMonitor monitor = new GuaranteeMonitor(
                prepared.plan(),
                constants,
                PlanResolver.influence(settings.rule(), workers.workers()),
                from,
                resumed == null ? Guarantee.Failures.NONE : resumed.failures());
        warnOfConstants(prepared);
        warnOfKinks(settings.objective().model());
        warnOfCutOffs(prepared);
        warnOfScreening(prepared.plan(), settings.rule());
        TrainingState[] unsaved = new TrainingState[1];
        try {
            unsaved[0] = from;
            TrainingState end = loop.run(from, listener.and(ledger).and(monitor).and(record -> {
                unsaved[0] = record.state();
                if (record.state().round() % checkpointEvery == 0) {
                    checkpoint(unsaved[0], ledger, monitor);
                    unsaved[0] = null;
                }
            }));
            TrainingState.Best result = loop.result(end);
            TrainedModel model = TrainedModel.of(plan, prepared.schema(), prepared.preparation(), result.theta());
            TrainedModel trained = model.withErrors(
                    errors.flatMap(found -> prepared.pool().threads().call(() -> found.of(model))));
            return new TrainingRun(
                    prepared.pool().threads().call(() -> DecisionFit.of(trained, prepared, result.round())),
                    plan,
                    Provenance.of(source, prepared.rows(), plan.get(PlanKey.SEED)),
                    end,
                    result.round(),
                    result.objective(),
                    end.round() == 0
                            ? settings.step().length().first()
                            : end.step().size(),
                    monitor.guarantee(
                            workers.workers(),
                            end.round(),
                            SampledCurvature.of(prepared, constants, end.sharedTheta())),
                    ledger.lines(),
                    prepared.unusable(),
                    RadiusResult.of(prepared, loop, end),
                    prepared.heldOut());
        } finally {
            if (unsaved[0] != null) {
                checkpoint(unsaved[0], ledger, monitor);
            }
        }
    }

    /**
     * Stops if more sources cannot be used than may be spoilt.
     *
     * @param from the last good state; null if training has not begun
     * @throws TrainingException that names the first of them
     */
    public static void requireEnoughUsable(List<UnusableSource> unusable, int tolerated, TrainingState from) {
        if (unusable.size() > tolerated) {
            throw new TrainingException(
                    String.format(
                            "%s cannot be used, but --tolerated allows %d: %s%s",
                            unusable.size() == 1 ? "1 source" : unusable.size() + " sources",
                            tolerated,
                            unusable.stream()
                                    .limit(MAX_NAMED)
                                    .map(UnusableSource::toString)
                                    .collect(Collectors.joining("; ")),
                            unusable.size() > MAX_NAMED ? "; ..." : ""),
                    from);
        }
    }

    private void checkpoint(TrainingState state, Ledger ledger, GuaranteeMonitor monitor) {
        if (sink != null) {
            sink.accept(new Checkpoint(plan, source, state, ledger.snapshot(), monitor.failures()));
        }
    }

    private static void warnOfScreening(Plan plan, Aggregator rule) {
        if (plan.objective().favoursWorst() && rule instanceof NormScreening && rule.tolerated() > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rule norm-screening drops the longest updates, and with --objective {0} these are the ones of the"
                            + " workers with the largest losses; --rule norm-clipping shortens them instead",
                    plan.get(PlanKey.OBJECTIVE));
        }
    }

    /** Warns where a number may grow with a feature that is cut off, as a probability can only in part. */
    private static void warnOfCutOffs(PreparedRun prepared) {
        Scaling scaling = prepared.preparation().scaling();
        if (prepared.heldOut().isEmpty()
                || !prepared.schema().classes().isEmpty()
                || scaling.clip() == Double.POSITIVE_INFINITY) {
            return;
        }
        Dataset rows = prepared.heldOut().get();
        int[] cutOff = new int[rows.columns()];
        double[] row = new double[rows.columns()];
        for (int r = 0; r < rows.rows(); r++) {
            rows.copyRow(r, row);
            for (int i = 0; i < row.length; i++) {
                cutOff[i] += scaling.isCutOff(i, row[i]) ? 1 : 0;
            }
        }
        int most = IntStream.range(0, cutOff.length).reduce(0, (a, b) -> cutOff[b] > cutOff[a] ? b : a);
        if (cutOff[most] > MAX_CUT_OFF * rows.rows()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} of {2} held-out rows have a value of {3} beyond {4} spreads, which counts as {4}; with trusted"
                            + " sources, --statistics pooled cuts nothing off",
                    prepared.source().name(),
                    Integer.toString(cutOff[most]),
                    Integer.toString(rows.rows()),
                    prepared.schema().features().get(most),
                    Spec.print(scaling.clip()));
        }
    }

    private static void warnOfConstants(PreparedRun prepared) {
        int[] constants = prepared.preparation().scaling().constants();
        if (constants.length > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: constant up to rounding in the training rows, so counted as zero: {1}{2}",
                    prepared.source().name(),
                    Arrays.stream(constants)
                            .limit(MAX_NAMED)
                            .mapToObj(prepared.schema().features()::get)
                            .collect(Collectors.joining(", ")),
                    constants.length > MAX_NAMED ? " and " + (constants.length - MAX_NAMED) + " more" : "");
        }
    }

    private static void warnOfKinks(Model model) {
        if (model instanceof NeuralNetwork network && !network.activation().smooth()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "activation {0} has a kink: Assumption 1 of the theorems does not hold, and nothing bounds how far worst"
                            + " cases are missed; softplus, tanh, gelu and elu are smooth",
                    network.activation().toString().toLowerCase(Locale.ROOT));
        }
    }
}
