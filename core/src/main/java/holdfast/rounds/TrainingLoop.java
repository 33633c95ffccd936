package holdfast.rounds;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.LostRoundException;
import holdfast.aggregate.NormRule;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import holdfast.objective.Iterate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * The server's side of Algorithm 2, for every engine. {@link #next} is one round: ask the workers, average their
 * updates over the rounds, let the liars of a simulation lie, validate, aggregate, step, and decide whether to stop.
 * Nothing in it depends on threads, the order of arrival or time.
 */
public final class TrainingLoop {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final LoopSettings settings;
    private final WorkerPool pool;
    private final Aggregator rule;
    private final ReplicaAgreement replicas;
    private final Reports reports;

    /** @throws holdfast.InputException if the rule does not work with this number of workers */
    public TrainingLoop(LoopSettings settings, WorkerPool pool) {
        this.settings = settings;
        this.pool = pool;
        this.rule = settings.rule();
        rule.requireServes(pool.workers());
        this.replicas = ReplicaAgreement.of(rule);
        this.reports = new Reports(replicas, pool.workers());
        replicas.warning(pool.workers()).ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    public TrainingState start() {
        return TrainingState.start(settings.start(), settings.objective().startDuals());
    }

    /**
     * Runs from a state to the end: the maximum number of rounds, or earlier by the stopping rule.
     *
     * @throws TrainingException when it diverges or more workers fail than the rule tolerates
     * @throws CancellationException when the thread is interrupted; the flag stays set
     */
    public TrainingState run(TrainingState from, RoundListener listener) {
        TrainingState state = from;
        while (!state.settled() && state.round() < settings.rounds()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("training was interrupted before round " + state.round());
            }
            RoundRecord record = next(state);
            listener.finished(record);
            state = record.state();
        }
        return state;
    }

    /**
     * Runs one round, lines 2 to 11 of Algorithm 2.
     *
     * @throws TrainingException as {@link #run}
     */
    public RoundRecord next(TrainingState state) {
        RoundRequest request = state.request(settings.isEarly(state), settings.asksForObjective(state.round()));
        try {
            return finish(state, request, aggregate(state, request));
        } catch (LostRoundException | InputException e) {
            throw new TrainingException("round " + state.round() + ": " + e.getMessage(), state);
        }
    }

    /**
     * Does lines 2 to 10, from the request to the direction: in two phases if the rule needs only norms and workers
     * keep their updates.
     */
    private RoundOutcome aggregate(TrainingState state, RoundRequest request) {
        if (rule instanceof NormRule byNorm
                && pool instanceof TwoPhasePool keeping
                && keeping.keeps(request.theta().length)
                && !settings.workerMomentum().isActive()
                && !settings.attack().isActive()) {
            Optional<RoundOutcome> outcome = aggregateOnWorkers(keeping, byNorm, state, request);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        return aggregateOnServer(state, request);
    }

    /** Does line 11 and what follows from it: step, stopping rule, record. */
    private RoundRecord finish(TrainingState state, RoundRequest request, RoundOutcome outcome) {
        StoppingRule stopping = settings.stopping();
        Aggregate aggregate = outcome.aggregate();
        List<WorkerReply.Update> valid = outcome.replies().valid();
        double[] losses = reports.losses(request.withLoss() ? valid : List.of());
        double objective = reports.objective(losses);
        double checked = stopping.checks(state.round()) ? objective : Double.NaN;
        boolean comparable = settings.objective().isComparable(state.duals());
        double compared = comparable ? objective : Double.NaN;
        StepSize.Current next = settings.step().next(state, compared, aggregate.direction());
        ServerStep.Moved moved = settings.step().length().takesBack(state.step(), compared)
                ? settings.step().takeBack(state, next)
                : settings.step().move(state, next, aggregate.direction());
        double[] dualGradient = reports.dualGradient(valid, request.duals().length);
        double dualGap = settings.objective().dualGap(state.duals(), dualGradient);
        StepSize.Current step = moved.step().withGap(moved.step().gap() + dualGap);
        double size = settings.step().size(step, state.round());
        boolean ends = stopping.endsGrowth() && !settings.step().length().canRecover(state.step(), compared);
        Divergence.of(state, moved.theta(), checked, ends).ifPresent(how -> {
            throw diverged(how, state);
        });
        TrainingState.Best best = !stopping.checks(state.round())
                ? state.best()
                : best(state.best(), new TrainingState.Best(state.round(), state.sharedTheta(), checked, losses));
        boolean settles =
                stopping.settles(state, checked, dualGap, best) || stopping.isReached(step, state.firstObjective());
        boolean early = settings.endsFirstStage() && state.stage().early();
        TrainingState after = new TrainingState(
                state.round() + 1,
                moved.theta(),
                settings.objective().nextDuals(state.duals(), dualGradient, size),
                moved.velocity(),
                outcome.momenta(),
                aggregate.carry(),
                Double.isNaN(state.firstObjective()) && comparable ? objective : state.firstObjective(),
                stopping.checks(state.round()) ? objective : state.lastObjective(),
                step,
                best,
                early ? state.stage().after(Vectors.norm(aggregate.direction()), stopping, settles) : state.stage(),
                settles && !early);
        return new RoundRecord(
                after,
                size,
                outcome.norms(),
                aggregate.kept(),
                outcome.replies().faults(),
                objective,
                outcome.replies().precision(),
                aggregate.explanation());
    }

    private TrainingState.Best best(TrainingState.Best before, TrainingState.Best checked) {
        return settings.stopping().best(before, checked, reports.rise(before.losses(), checked.losses()));
    }

    /** Aggregates when all updates come to the server. */
    private RoundOutcome aggregateOnServer(TrainingState state, RoundRequest request) {
        WorkerMomentum.Averaged averaged =
                settings.workerMomentum().average(pool.ask(request), request, state.momenta(), replicas);
        Optional<double[]> trusted = trusted(request);
        ValidatedReplies replies = validated(attacked(averaged.replies(), state, request, trusted), request);
        refuseTooManyFaults(replies, state);
        Aggregate aggregate = rule.aggregate(round(state, replies, trusted));
        Check.that(
                aggregate != null && aggregate.direction().length == request.theta().length,
                "the rule must return a direction of %d numbers, got %s",
                request.theta().length,
                aggregate == null ? "none" : aggregate.direction().length);
        double[] norms = replies.valid().stream()
                .mapToDouble(update -> Vectors.norm(update.vector()))
                .toArray();
        return new RoundOutcome(replies, aggregate, averaged.momenta(), byWorker(replies, norms));
    }

    /**
     * Aggregates in two phases: norms, then one sum. Empty if the sum is lost, or if it overflows, which needs care
     * with every update.
     */
    private Optional<RoundOutcome> aggregateOnWorkers(
            TwoPhasePool keeping, NormRule byNorm, TrainingState state, RoundRequest request) {
        List<TwoPhasePool.Measured> measured = keeping.measure(request);
        ValidatedReplies replies = ValidatedReplies.ofMeasured(
                measured, request, settings.stopping().mayAbstain());
        refuseTooManyFaults(replies, state);
        int[] senders = replies.senders();
        double[] norms = measured.stream()
                .filter(m -> Arrays.binarySearch(senders, m.reply().worker()) >= 0)
                .mapToDouble(TwoPhasePool.Measured::norm)
                .toArray();
        if (!Vectors.finite(norms)) {
            return Optional.empty();
        }
        NormRule.Weights weights = byNorm.weigh(pool.workers(), senders, norms);
        return keeping.sum(request, weights.kept(), weights.factors())
                .map(weights::applyTo)
                .filter(aggregate -> Vectors.finite(aggregate.direction()))
                .map(aggregate -> new RoundOutcome(replies, aggregate, state.momenta(), byWorker(replies, norms)));
    }

    /** Norms by worker, NaN if there is no valid update. */
    private double[] byWorker(ValidatedReplies replies, double[] norms) {
        double[] all = new double[pool.workers()];
        Arrays.fill(all, Double.NaN);
        int[] senders = replies.senders();
        for (int i = 0; i < senders.length; i++) {
            all[senders[i]] = norms[i];
        }
        return all;
    }

    /**
     * Returns the replies as the server of a simulation sees them: with those of the liars replaced, unless the round
     * is lost without them.
     */
    private List<WorkerReply> attacked(
            List<WorkerReply> replies, TrainingState state, RoundRequest request, Optional<double[]> trusted) {
        if (!settings.attack().isActive()) {
            return replies;
        }
        ValidatedReplies honest = validated(replies, request.withoutLoss());
        if (honest.valid().isEmpty() || honest.faults().size() > rule.tolerated()) {
            return replies;
        }
        return settings.attack().forge(replies, round(state, honest, trusted), rule, seed("attack", state.round()));
    }

    private Round round(TrainingState state, ValidatedReplies replies, Optional<double[]> trusted) {
        return new Round(
                state.round(),
                pool.workers(),
                replies.valid().stream()
                        .map(update -> new WorkerUpdate(update.worker(), update.vector()))
                        .toList(),
                state.sharedTheta(),
                seed("rule", state.round()),
                state.carry(),
                trusted.orElse(null),
                pool.threads());
    }

    /** The server's own gradient, if it has rows. */
    private Optional<double[]> trusted(RoundRequest request) {
        return settings.trusted()
                .map(own -> pool.threads().call(() -> own.answer(request.withoutLoss())))
                .filter(WorkerReply.Update.class::isInstance)
                .map(reply -> ((WorkerReply.Update) reply).vector());
    }

    private Seed seed(String what, int round) {
        return settings.seed().child(what).child("round", round);
    }

    /**
     * Returns the result of a run: the parameters at its end or, if the stopping rule keeps the best, the best that
     * were checked.
     */
    public TrainingState.Best result(TrainingState end) {
        double[] losses = losses(end);
        TrainingState.Best last = new TrainingState.Best(end.round(), end.theta(), reports.objective(losses), losses);
        TrainingState.Best best = best(end.best(), last);
        return Double.isNaN(best.objective()) ? last : best;
    }

    /** Returns the objective at a state, NaN if no worker can report one. */
    public double objective(TrainingState state) {
        return reports.objective(losses(state));
    }

    /** Returns what workers report for the objective's own variables at a state, but at other values of these. */
    public double[] dualReports(TrainingState state, double[] duals) {
        RoundRequest request = new RoundRequest(
                new Iterate(state.round(), settings.isEarly(state), state.sharedTheta(), duals), false);
        return reports.dualGradient(validated(pool.ask(request), request).valid(), duals.length);
    }

    private double[] losses(TrainingState state) {
        RoundRequest request = state.request(settings.isEarly(state), true);
        return reports.losses(validated(pool.ask(request), request).valid());
    }

    private ValidatedReplies validated(List<WorkerReply> replies, RoundRequest request) {
        return ValidatedReplies.of(replies, request, settings.stopping().mayAbstain());
    }

    private void refuseTooManyFaults(ValidatedReplies replies, TrainingState state) {
        List<WorkerReply.Fault> faults = replies.faults();
        if (faults.size() <= rule.tolerated()) {
            return;
        }
        if (replies.notFinite() == pool.workers()) {
            throw diverged("no worker's update is finite any more", state);
        }
        WorkerReply.Fault first = faults.get(0);
        throw new TrainingException(
                "round " + state.round() + ": " + faults.size() + " workers failed, the rule tolerates "
                        + rule.tolerated() + " (first: worker " + first.worker() + ", " + first.reason() + ")",
                state);
    }

    private TrainingException diverged(String how, TrainingState state) {
        return new TrainingException(
                "training diverged in round " + state.round() + ": " + how + "; " + settings.advice(), state);
    }
}
