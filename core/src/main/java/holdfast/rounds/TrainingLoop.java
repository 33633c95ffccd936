package holdfast.rounds;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.MajorityVote;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.PreAggregator;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.UpdateAttack;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/**
 * The server's side of Algorithm 2, for every engine: ask, validate, combine, step theta &lt;- theta - eta_t v, where v = G
 * or, with momentum, v &lt;- momentum v + G. Nothing in it depends on threads, arrival or time.
 */
public final class TrainingLoop {
    /** The objective is asked for, and the stopping rule applied, once in this many rounds. */
    static final int CHECK_EVERY = 10;
    /** Without a stopping rule the objective only informs. */
    private static final int INFORM_EVERY = 100;

    /** An objective this many times the first one is not coming back. */
    private static final double DIVERGED = 10;

    /**
     * An objective this many times the first one below zero falls without bound. Losses are never negative, but for Poisson's,
     * whose least value depends on the counts.
     */
    private static final double FELL = 1000;

    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final Plan plan;
    private final WorkerPool pool;
    private final int features;
    private final double learningRate;
    private final StepSchedule schedule;
    private final double momentum;
    private final double workerMomentum;
    private final double tolerance;
    private final boolean validated;
    private final int patience;
    private final Aggregator rule;
    /** The rule, if shards have replicas; else null. */
    private final MajorityVote vote;

    private final UpdateAttack attack;
    private final int[] byzantine;
    private final Model model;

    private final Worker root;

    /** @param plan with a learning rate that is a number */
    public TrainingLoop(Plan plan, WorkerPool pool, Schema schema) {
        this(plan, pool, schema, null);
    }

    /** @param root answers for the server's own trusted rows; null if it has none */
    public TrainingLoop(Plan plan, WorkerPool pool, Schema schema, Worker root) {
        this.root = root;
        this.plan = plan;
        this.pool = pool;
        this.features = schema.features().size();
        this.learningRate = plan.get(PlanKey.LEARNING_RATE);
        Check.that(learningRate > 0, "the loop needs a learning rate, got %s", learningRate);
        this.schedule = plan.schedule();
        this.momentum = plan.get(PlanKey.SERVER_MOMENTUM);
        this.workerMomentum = plan.get(PlanKey.WORKER_MOMENTUM);
        this.tolerance = plan.get(PlanKey.TOLERANCE);
        this.validated = plan.get(PlanKey.VALIDATION) > 0;
        this.patience = plan.patience();
        this.rule = plan.aggregator(pool.workers());
        this.vote = rule instanceof MajorityVote voted ? voted : null;
        this.attack = plan.attack() instanceof UpdateAttack forger ? forger : Attacks.NONE;
        this.byzantine = plan.byzantine(pool.workers());
        this.model = plan.model(schema);
        warnOfTooFewReplicas();
    }

    public Model model() {
        return model;
    }

    public TrainingState start() {
        return TrainingState.start(plan.start(model.parameters(features)));
    }

    /**
     * Runs from a state to the end: the plan's number of rounds, or earlier when the objective hardly falls any more or,
     * with validation, has not reached a new lowest value for some checks.
     *
     * @throws TrainingException when it diverges or more workers fail than the rule is set up for
     * @throws CancellationException when the thread is interrupted; the flag stays set
     */
    public TrainingState run(TrainingState from, RoundListener listener) {
        TrainingState state = from;
        while (!state.settled() && state.round() < plan.get(PlanKey.ROUNDS)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("training was interrupted before round " + state.round());
            }
            RoundRecord record = next(state);
            listener.finished(record);
            state = record.state();
        }
        return state;
    }

    /** One round. */
    public RoundRecord next(TrainingState state) {
        int number = state.round();
        boolean withLoss = number % (validated || tolerance > 0 ? CHECK_EVERY : INFORM_EVERY) == 0;
        RoundRequest request = new RoundRequest(number, state.sharedTheta(), withLoss);
        RoundOutcome heard = heard(state, request);
        ValidatedReplies checked = heard.checked;
        Aggregate aggregate = heard.aggregate;
        double[] momenta = heard.momenta;
        List<WorkerReply.Update> valid = checked.valid();
        double[] theta = state.theta();
        double[] velocity = velocity(state, aggregate.direction());
        Vectors.addScaled(theta, -learningRate * schedule.factor(number), velocity, theta.length);
        double objective = withLoss ? objective(valid) : Double.NaN;
        refuseDivergence(theta, objective, state);
        TrainingState.Best best = best(state, objective);
        TrainingState after = new TrainingState(
                number + 1,
                theta,
                momentum == 0 ? state.velocity() : velocity,
                momenta,
                aggregate.carry(),
                Double.isNaN(state.firstObjective()) ? objective : state.firstObjective(),
                withLoss ? objective : state.lastObjective(),
                best,
                validated
                        ? withLoss && (number - best.round()) / CHECK_EVERY >= patience
                        : tolerance > 0
                                && Math.abs(state.lastObjective() - objective)
                                        <= tolerance * Math.abs(state.lastObjective()));
        return new RoundRecord(
                after,
                heard.norms,
                aggregate.kept(),
                checked.faults(),
                objective,
                valid.stream().mapToDouble(WorkerReply.Update::precision).max().orElse(Double.POSITIVE_INFINITY),
                aggregate.explanation());
    }

    /**
     * A round's replies and what the rule made of them.
     *
     * @param norms by worker, NaN where there is no valid update
     */
    private record RoundOutcome(ValidatedReplies checked, Aggregate aggregate, double[] momenta, double[] norms) {}

    private RoundOutcome heard(TrainingState state, RoundRequest request) {
        try {
            RoundOutcome afar = screensAfar(state) ? afar(state, request) : null;
            return afar == null ? here(state, request) : afar;
        } catch (MajorityVote.NoMajority | InputException e) {
            throw new TrainingException("round " + state.round() + ": " + e.getMessage(), state);
        }
    }

    /** All updates come here. */
    private RoundOutcome here(TrainingState state, RoundRequest request) {
        List<WorkerReply> replies = new ArrayList<>(pool.ask(request));
        double[] momenta = workerMomentum == 0 ? state.momenta() : average(replies, state);
        double[] trusted = trusted(state);
        ValidatedReplies checked = ValidatedReplies.of(
                isTruthful() ? replies : forge(state, replies, trusted), request.theta().length, request.withLoss());
        refuseTooManyFaults(checked, state);
        Aggregate aggregate = rule.aggregate(round(state, checked.valid(), trusted));
        double[] norms = noNorms();
        checked.valid().forEach(u -> norms[u.worker()] = Vectors.norm(u.vector()));
        return new RoundOutcome(checked, aggregate, momenta, norms);
    }

    private boolean isTruthful() {
        return byzantine.length == 0 || attack == Attacks.NONE;
    }

    private double[] noNorms() {
        double[] norms = new double[pool.workers()];
        Arrays.fill(norms, Double.NaN);
        return norms;
    }

    /** Whether norms decide and nobody needs to see the updates themselves. */
    private boolean screensAfar(TrainingState state) {
        return pool instanceof TwoPhasePool keeping
                && keeping.keeps(state.sharedTheta().length)
                && rule instanceof NormScreening
                && workerMomentum == 0
                && isTruthful();
    }

    /** Two phases: norms, then the sum of what is kept. Null if that is lost, or overflows and needs care with every update. */
    private RoundOutcome afar(TrainingState state, RoundRequest request) {
        TwoPhasePool keeping = (TwoPhasePool) pool;
        ValidatedReplies checked = new ValidatedReplies();
        double[] norms = noNorms();
        for (TwoPhasePool.Measured m : keeping.measure(request)) {
            if (m.fault() != null) {
                checked.add(new WorkerReply.Fault(m.worker(), m.fault()));
            } else if (checked.add(
                    new WorkerReply.Update(m.worker(), new double[0], m.loss(), m.precision()),
                    m.finite(),
                    request.withLoss())) {
                norms[m.worker()] = m.norm();
            }
        }
        refuseTooManyFaults(checked, state);
        int[] voters =
                checked.valid().stream().mapToInt(WorkerReply.Update::worker).toArray();
        NormScreening.Kept kept = ((NormScreening) rule)
                .keep(
                        pool.workers(),
                        voters,
                        Arrays.stream(voters).mapToDouble(w -> norms[w]).toArray());
        double[] sum = keeping.sum(request, kept.workers());
        if (sum == null || !Vectors.finite(sum)) {
            return null;
        }
        double[] mean = new double[sum.length];
        Arrays.setAll(mean, i -> sum[i] / kept.workers().length);
        return new RoundOutcome(
                checked, new Aggregate(mean, kept.workers(), Carry.NONE, kept.explanation()), state.momenta(), norms);
    }

    private void refuseTooManyFaults(ValidatedReplies checked, TrainingState state) {
        if (checked.faults().size() > rule.tolerated()) {
            throw tooManyFaults(checked, state);
        }
    }

    /**
     * m_i = beta m_i + (1 - beta) g_i takes the place of every valid update g_i; what is not valid stays as it is. The
     * server keeps the m_i, whatever the engine: so they are part of a checkpoint, and a worker that restarts loses
     * nothing.
     */
    private double[] average(List<WorkerReply> replies, TrainingState state) {
        int d = state.sharedTheta().length;
        double[] momenta = Arrays.copyOf(state.momenta(), d * pool.workers());
        for (WorkerReply.Update update : ValidatedReplies.of(replies, d, false).valid()) {
            int from = update.worker() * d;
            for (int i = 0; i < d; i++) {
                momenta[from + i] = workerMomentum * momenta[from + i] + (1 - workerMomentum) * update.vector()[i];
            }
            double[] own = Arrays.copyOfRange(momenta, from, from + d);
            replies.set(
                    update.worker(), new WorkerReply.Update(update.worker(), own, update.loss(), update.precision()));
        }
        if (vote != null) {
            agree(momenta, d);
        }
        return momenta;
    }

    /** A replica that failed for a round would differ ever after, so all of them go on with what most have gathered. */
    private void agree(double[] momenta, int d) {
        List<WorkerUpdate> gathered = IntStream.range(0, pool.workers())
                .mapToObj(w -> new WorkerUpdate(w, Arrays.copyOfRange(momenta, w * d, (w + 1) * d)))
                .toList();
        for (PreAggregator.Mixed shard : vote.agreed(gathered)) {
            int first = shard.update().worker() * vote.replicas();
            for (int w = first; w < first + vote.replicas(); w++) {
                System.arraycopy(shard.update().vector(), 0, momenta, w * d, d);
            }
        }
    }

    /** v = momentum v + G, the direction itself without momentum. */
    private double[] velocity(TrainingState state, double[] direction) {
        if (momentum == 0 || state.velocity().length == 0) {
            return direction;
        }
        double[] v = Vectors.scaled(momentum, state.velocity());
        return Vectors.add(v, direction);
    }

    private Round round(TrainingState state, List<WorkerReply.Update> updates, double[] trusted) {
        return new Round(
                state.round(),
                pool.workers(),
                updates.stream()
                        .map(u -> new WorkerUpdate(u.worker(), u.vector()))
                        .toList(),
                state.sharedTheta(),
                seed("rule", state.round()),
                state.carry(),
                trusted,
                pool.threads());
    }

    /** The server's own gradient, null if it has no rows. */
    private double[] trusted(TrainingState state) {
        return root != null
                        && pool.threads()
                                        .call(() -> root.answer(
                                                new RoundRequest(state.round(), state.sharedTheta(), false)))
                                instanceof WorkerReply.Update own
                ? own.vector()
                : null;
    }

    private Seed seed(String what, int round) {
        return plan.seed().child(what).child("round", round);
    }

    /** The best of the states that were checked on validation rows, this one included; the earlier of equals. */
    private TrainingState.Best best(TrainingState state, double objective) {
        TrainingState.Best best = state.best();
        boolean better = !Double.isNaN(objective) && !(objective >= best.objective());
        return validated && better ? new TrainingState.Best(state.round(), state.sharedTheta(), objective) : best;
    }

    /** What a run amounts to: the parameters at its end or, with validation, the best of those checked and these. */
    public TrainingState.Best result(TrainingState end) {
        TrainingState.Best last = new TrainingState.Best(end.round(), end.theta(), objective(end));
        TrainingState.Best best = best(end, last.objective());
        return Double.isNaN(best.objective()) ? last : best;
    }

    /** The objective at a state, NaN if no worker can say. */
    public double objective(TrainingState state) {
        List<WorkerReply.Update> valid = ValidatedReplies.of(
                        pool.ask(new RoundRequest(state.round(), state.sharedTheta(), true)),
                        state.sharedTheta().length,
                        true)
                .valid();
        return valid.isEmpty() ? Double.NaN : objective(valid);
    }

    private TrainingException tooManyFaults(ValidatedReplies checked, TrainingState state) {
        if (checked.notFinite() == pool.workers()) {
            return diverged("no worker's update is finite any more", state);
        }
        List<WorkerReply.Fault> faults = checked.faults();
        WorkerReply.Fault first = faults.get(0);
        return new TrainingException(
                "round " + state.round() + ": " + faults.size() + " workers failed, the rule is set up for "
                        + rule.tolerated() + " (first: worker " + first.worker() + ", " + first.reason() + ")",
                state);
    }

    /** Simulation only: liars replace what they would truthfully have sent. */
    private List<WorkerReply> forge(TrainingState state, List<WorkerReply> replies, double[] trusted) {
        ValidatedReplies honest = ValidatedReplies.of(replies, state.sharedTheta().length, false);
        if (honest.valid().isEmpty() || honest.faults().size() > rule.tolerated()) {
            return replies; // The round is lost without them.
        }
        Round truth = round(state, honest.valid(), trusted);
        int[] liars = Arrays.stream(truth.senders())
                .filter(w -> Arrays.binarySearch(byzantine, w) >= 0)
                .toArray();
        List<double[]> forged = attack.forge(new AttackContext(truth, liars, rule, seed("attack", state.round())));
        List<WorkerReply> all = new ArrayList<>(replies);
        all.replaceAll(reply -> {
            int liar = Arrays.binarySearch(liars, reply.worker());
            return liar >= 0 && reply instanceof WorkerReply.Update u
                    ? new WorkerReply.Update(u.worker(), forged.get(liar), u.loss(), u.precision())
                    : reply;
        });
        return all;
    }

    /**
     * The mean of the reported losses without the largest and smallest ones that liars might have sent; of replicas' only
     * what most of them report.
     */
    private double objective(List<WorkerReply.Update> updates) {
        List<WorkerUpdate> reports = updates.stream()
                .map(u -> new WorkerUpdate(u.worker(), new double[] {u.loss()}))
                .toList();
        double[] losses = (vote == null
                        ? reports.stream()
                        : vote.agreed(reports).stream().map(PreAggregator.Mixed::update))
                .mapToDouble(v -> v.vector()[0])
                .sorted()
                .toArray();
        int lies = vote == null ? rule.tolerated() : vote.rule().tolerated();
        int drop = Math.min(lies, (losses.length - 1) / 2);
        double[] middle = Arrays.copyOfRange(losses, drop, losses.length - drop);
        return Vectors.sum(middle, middle.length) / middle.length;
    }

    private void refuseDivergence(double[] theta, double objective, TrainingState state) {
        // Whoever asks for a fixed number of rounds gets them: experiments want to see a collapse.
        boolean grown = (validated || tolerance > 0) && objective > DIVERGED * Math.max(state.firstObjective(), 1);
        boolean fallen = objective < -FELL * Math.max(Math.abs(state.firstObjective()), 1);
        if (!Vectors.finite(theta) || grown || fallen) {
            throw diverged(
                    grown || fallen
                            ? "the objective " + (grown ? "grew" : "fell") + " from " + state.firstObjective() + " to "
                                    + objective
                            : "the parameters are no longer finite",
                    state);
        }
    }

    private void warnOfTooFewReplicas() {
        if (vote != null && !vote.isExact()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "replicas = {0} is below 2f+1 for f = {1} liars: they can spoil up to {2} of {3} shards, which the rule"
                            + " must bear",
                    Integer.toString(vote.replicas()),
                    Integer.toString(vote.tolerated()),
                    Integer.toString(vote.rule().tolerated()),
                    Integer.toString(pool.workers() / vote.replicas()));
        }
    }

    private TrainingException diverged(String how, TrainingState state) {
        return new TrainingException(
                "training diverged in round " + state.round() + ": " + how + "; use a smaller learning-rate (now "
                        + learningRate + ")"
                        + (plan.get(PlanKey.LOCAL_STEPS) > 1 ? " or local-rate" : "")
                        + (plan.box(model).bounded() ? " or a smaller box" : "")
                        + ", or screen as many as lie",
                state);
    }
}
