package holdfast.training;

import holdfast.Check;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Round;
import holdfast.aggregate.Vote;
import holdfast.attack.Situation;
import holdfast.attack.UpdateAttack;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The server's side of Algorithm 2, for every engine: ask, validate, combine, step theta &lt;- theta - eta G. Nothing in
 * it depends on threads, arrival or time.
 */
public final class TrainingLoop {
    /** The objective is asked for, and the stopping rule applied, once in this many rounds. */
    static final int CHECK_EVERY = 10;
    /** An objective this many times the first one is not coming back. */
    private static final double DIVERGED = 10;

    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final TrainingPlan plan;
    private final WorkerPool pool;
    private final int features;
    private final double learningRate;
    private final Aggregator rule;
    private final UpdateAttack attack;
    private final int[] byzantine;
    private final LinearModel model;
    private boolean warned;

    /** @param plan with a learning rate that is a number */
    public TrainingLoop(TrainingPlan plan, WorkerPool pool, int features) {
        this.plan = plan;
        this.pool = pool;
        this.features = features;
        this.learningRate = plan.get(PlanKey.LEARNING_RATE);
        Check.that(learningRate > 0, "the loop needs a learning rate, got %s", learningRate);
        this.rule = plan.aggregator(pool.workers());
        this.attack = plan.attack();
        this.byzantine = plan.byzantine(pool.workers());
        this.model = plan.model();
    }

    public TrainingState start() {
        return TrainingState.start(plan.start(model.parameters(features)));
    }

    /**
     * Runs from a state to the end: the plan's number of rounds, or earlier when the objective hardly falls any more.
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
        double tolerance = plan.get(PlanKey.TOLERANCE);
        boolean withLoss = tolerance > 0 && number % CHECK_EVERY == 0;
        List<WorkerReply> replies = pool.ask(new RoundRequest(number, state.theta(), withLoss));
        List<WorkerReply.Update> valid = new ArrayList<>();
        List<WorkerReply.Fault> faults = new ArrayList<>();
        validate(replies, state, valid, faults);
        forge(state, valid);
        Aggregate aggregate = rule.aggregate(new Round(
                number,
                pool.workers(),
                valid.stream().map(u -> new Vote(u.worker(), u.vector())).toList(),
                state.theta(),
                seed("rule", number),
                state.carry(),
                null));
        double[] theta = state.theta().clone();
        Vectors.addScaled(theta, -learningRate, aggregate.direction(), theta.length);
        double objective = withLoss ? objective(valid, aggregate.kept()) : Double.NaN;
        refuseDivergence(theta, objective, state);
        boolean assumption3 = plan.get(PlanKey.LAMBDA)
                > model.smoothness(state.theta(), features, 0).zz();
        warnOnce(assumption3, number);
        TrainingState after = new TrainingState(
                number + 1,
                theta,
                aggregate.carry(),
                Double.isNaN(state.firstObjective()) ? objective : state.firstObjective(),
                withLoss ? objective : state.lastObjective(),
                state.lastObjective() - objective <= tolerance * Math.abs(state.lastObjective()));
        double[] norms = new double[pool.workers()];
        Arrays.fill(norms, Double.NaN);
        valid.forEach(u -> norms[u.worker()] = Vectors.norm(u.vector()));
        return new RoundRecord(
                after,
                norms,
                aggregate.kept(),
                faults,
                objective,
                valid.stream().mapToDouble(WorkerReply.Update::precision).max().orElse(Double.POSITIVE_INFINITY),
                assumption3,
                aggregate.explanation());
    }

    private Seed seed(String what, int round) {
        return plan.seed().child(what).child("round", round);
    }

    /** Everything is checked before anything is used; what fails is charged to the rule's budget. */
    private void validate(
            List<WorkerReply> replies,
            TrainingState state,
            List<WorkerReply.Update> valid,
            List<WorkerReply.Fault> faults) {
        for (WorkerReply reply : replies) {
            if (reply instanceof WorkerReply.Fault fault) {
                faults.add(fault);
            } else if (reply instanceof WorkerReply.Update update) {
                if (update.vector().length != state.theta().length) {
                    faults.add(new WorkerReply.Fault(
                            update.worker(),
                            "update has " + update.vector().length + " elements instead of " + state.theta().length));
                } else if (!Vectors.finite(update.vector())) {
                    faults.add(new WorkerReply.Fault(update.worker(), "update is not finite"));
                } else {
                    valid.add(update);
                }
            }
        }
        if (faults.size() > rule.budget()) {
            throw new TrainingException(
                    "round " + state.round() + ": " + faults.size() + " workers failed, the rule is set up for "
                            + rule.budget() + " (first: worker " + faults.get(0).worker() + ", "
                            + faults.get(0).reason() + ")",
                    state);
        }
    }

    /** Simulation only: liars replace what they would truthfully have sent. */
    private void forge(TrainingState state, List<WorkerReply.Update> updates) {
        if (byzantine.length == 0) {
            return;
        }
        List<Vote> honest =
                updates.stream().map(u -> new Vote(u.worker(), u.vector())).toList();
        int[] liars = Arrays.stream(byzantine)
                .filter(b -> honest.stream().anyMatch(v -> v.worker() == b))
                .toArray();
        List<double[]> forged = attack.forge(new Situation(
                state.round(), state.theta(), honest, liars, rule, state.carry(), seed("attack", state.round())));
        for (int i = 0; i < updates.size(); i++) {
            WorkerReply.Update u = updates.get(i);
            int liar = Arrays.binarySearch(liars, u.worker());
            if (liar >= 0) {
                updates.set(i, new WorkerReply.Update(u.worker(), forged.get(liar), u.loss(), u.precision()));
            }
        }
    }

    private static double objective(List<WorkerReply.Update> updates, int[] kept) {
        double[] losses = updates.stream()
                .filter(u -> Arrays.binarySearch(kept, u.worker()) >= 0)
                .mapToDouble(WorkerReply.Update::loss)
                .toArray();
        return Vectors.sum(losses, losses.length) / losses.length;
    }

    private void refuseDivergence(double[] theta, double objective, TrainingState state) {
        boolean grown = objective > DIVERGED * Math.max(state.firstObjective(), 1);
        if (!Vectors.finite(theta) || grown) {
            throw new TrainingException(
                    "training diverged in round " + state.round()
                            + (grown
                                    ? ": the objective grew from " + state.firstObjective() + " to " + objective
                                    : ": the parameters are no longer finite")
                            + "; use a smaller learning-rate (now " + learningRate + ")",
                    state);
        }
    }

    private void warnOnce(boolean assumption3, int round) {
        if (!assumption3 && !warned) {
            warned = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "round {0}: lambda = {1} is not above L_zz = ||theta||^2/4, so Assumption 3 of the convergence"
                            + " theorems does not hold there; a larger lambda would satisfy it",
                    Integer.toString(round),
                    plan.get(PlanKey.LAMBDA));
        }
    }
}
