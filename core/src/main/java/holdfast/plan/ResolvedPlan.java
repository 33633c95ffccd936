package holdfast.plan;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.MajorityVote;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.attack.UpdateAttack;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.model.Model;
import holdfast.objective.Objective;
import holdfast.objective.WassersteinBall;
import holdfast.preparation.SourceGroups;
import holdfast.rounds.LocalWork;
import holdfast.rounds.LoopSettings;
import holdfast.rounds.RowSampling;
import holdfast.rounds.ServerStep;
import holdfast.rounds.SimulatedAttack;
import holdfast.rounds.StepSize;
import holdfast.rounds.StoppingRule;
import holdfast.rounds.ValidationRows;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerMomentum;
import java.util.List;
import java.util.Optional;

/**
 * The objects that a plan's choices stand for, made for data of one schema and a number of workers.
 *
 * @param plan with numbers for everything that it left to the data
 * @param schema of the features
 * @param workers m
 * @param model what is learnt
 * @param objective what each worker minimises
 * @param rule combines updates, after a majority vote where shards have replicas
 * @param liars ids of the workers whom the simulated attack turns into liars, ascending
 * @param stepSize the length of the server's steps before its schedule
 */
public record ResolvedPlan(
        Plan plan,
        Schema schema,
        int workers,
        Model model,
        Objective objective,
        Aggregator rule,
        int[] liars,
        StepSize stepSize) {
    private static final int CHANGE_EVERY = 10;

    static ResolvedPlan of(Plan plan, Schema schema, int workers) {
        Objective objective = plan.loss(schema);
        Aggregator rule = rule(plan, workers);
        ReplicaAgreement replicas = ReplicaAgreement.of(rule);
        Check.that(
                plan.get(PlanKey.VALIDATION) == 0 || objective.isComparable(objective.startDuals()),
                "--validation chooses among rounds by their losses, which --objective %s reports in other units in its first"
                        + " rounds; use --tolerance or --rounds",
                plan.get(PlanKey.OBJECTIVE));
        Check.that(
                plan.get(PlanKey.RADIUS).isEmpty() || plan.get(PlanKey.BATCH).isEmpty(),
                "--radius finds its price from all rows of a worker in every round; leave out --batch");
        plan.objective().requireServes(workers / replicas.replicas(), replicas.toleratedShards());
        return new ResolvedPlan(
                plan, schema, workers, objective.model(), objective, rule, liars(plan, workers), stepSize(plan));
    }

    private static StepSize stepSize(Plan plan) {
        LearningRate rate = plan.get(PlanKey.LEARNING_RATE);
        double first = rate.first().orElseThrow(() -> new InputException("the loop needs a learning rate, got auto"));
        int every = findsLossOnTheWay(plan) ? 1 : CHANGE_EVERY;
        if (rate instanceof LearningRate.Adaptive adaptive) {
            return new StepSize.Adaptive(first, adaptive.shortest(), every);
        }
        if (rate instanceof LearningRate.QuasiNewton turning) {
            return new StepSize.QuasiNewton(new StepSize.Spectral(first, turning.shortest(), every));
        }
        return rate instanceof LearningRate.Spectral spectral
                ? new StepSize.Spectral(first, spectral.shortest(), every)
                : new StepSize.Fixed(first);
    }

    /** Returns whether workers get the objective with their gradients, without another pass over their rows. */
    private static boolean findsLossOnTheWay(Plan plan) {
        return plan.get(PlanKey.BATCH).isEmpty() && plan.get(PlanKey.VALIDATION) == 0;
    }

    /** Returns a copy. */
    @Override
    public int[] liars() {
        return liars.clone();
    }

    /**
     * Makes the rule, after a majority vote if shards have replicas.
     *
     * @param workers m; {@code tolerated} may be a share of it
     */
    public static Aggregator rule(Plan plan, int workers) {
        int f = plan.get(PlanKey.TOLERATED).among(workers);
        int replicas = plan.get(PlanKey.REPLICAS);
        try {
            Aggregator rule = replicas == 1
                    ? plan.get(PlanKey.RULE).value().tolerating(f)
                    : new MajorityVote(replicas, f, shardRule(plan, MajorityVote.spoiled(f, replicas)));
            rule.requireServes(workers);
            return rule;
        } catch (InputException e) {
            throw new InputException("--rule " + plan.get(PlanKey.RULE) + ": " + e.getMessage());
        }
    }

    /**
     * Returns the groups of sources by which numbers are learnt before training, such that as many sources may lie as
     * plan and rule tolerate liars; empty if the numbers are learnt from all rows together.
     *
     * @param sizes how many training rows each source has
     * @param unusable how many more sources there are, which count among those that lie
     */
    public static Optional<SourceGroups> statistics(Plan plan, long[] sizes, int unusable) {
        int tolerated = toleratedSources(plan, sizes.length + unusable);
        return tolerated <= 0 ? Optional.empty() : Optional.of(SourceGroups.of(sizes, tolerated));
    }

    /**
     * Returns how many of these sources may contain anything without deciding what is learnt before training: as many
     * as plan and rule tolerate liars; 0 if statistics are pooled.
     */
    public static int toleratedSources(Plan plan, int sources) {
        return plan.get(PlanKey.STATISTICS) == Statistics.POOLED
                ? 0
                : tolerated(plan, sources * plan.get(PlanKey.REPLICAS));
    }

    /** Returns how many of the workers may lie: as many as the plan says or, if that is more, as the rule tolerates. */
    public static int tolerated(Plan plan, int workers) {
        int f = plan.get(PlanKey.TOLERATED).among(workers);
        return Math.max(f, plan.get(PlanKey.RULE).value().tolerating(f).tolerated());
    }

    private static Aggregator shardRule(Plan plan, int f) {
        Aggregator rule = plan.get(PlanKey.RULE).value().tolerating(f);
        // With an f of its own in the rule, it would be unclear whether that counts workers or shards.
        Check.that(
                plan.get(PlanKey.RULE).value().tolerating(f + 1).tolerated() != rule.tolerated()
                        || rule.tolerated() == 0,
                "with --replicas, --tolerated says how many workers may lie, and the rule's own number follows from it");
        return rule;
    }

    /** Returns which rows each step on a shard uses. */
    public static RowSampling batch(Plan plan, int shard) {
        return plan.get(PlanKey.BATCH)
                .<RowSampling>map(size ->
                        new RowSampling.Batch(size, plan.seed().child("batch").child("worker", shard)))
                .orElse(RowSampling.ALL);
    }

    /** Returns which rows of a shard its worker sets aside for validation. */
    private static ValidationRows validation(Plan plan, int shard) {
        return new ValidationRows(
                plan.get(PlanKey.VALIDATION), plan.seed().child("validation").child("worker", shard));
    }

    /**
     * Makes the plan's worker, which is the same on every engine. What it draws depends on the shard and not on who
     * holds it. The plan's rates must be numbers.
     *
     * @param held all its rows
     */
    public static Worker worker(Plan plan, int id, Dataset held, Objective objective) {
        int shard = id / plan.get(PlanKey.REPLICAS);
        return Worker.of(id, held, objective, localWork(plan, batch(plan, shard)), validation(plan, shard));
    }

    /**
     * Returns what the server does in a round.
     *
     * @param trusted answers for the server's own rows, if it has any
     */
    public LoopSettings loop(Optional<Worker> trusted) {
        return new LoopSettings(
                rule,
                objective,
                start(plan, model, schema.features().size()),
                plan.get(PlanKey.ROUNDS),
                new ServerStep(stepSize, plan.schedule(), plan.get(PlanKey.SERVER_MOMENTUM)),
                new WorkerMomentum(plan.get(PlanKey.WORKER_MOMENTUM)),
                stopping(plan),
                plan.objective().firstStage(),
                plan.attack() instanceof UpdateAttack forger
                        ? new SimulatedAttack(forger, liars)
                        : SimulatedAttack.NONE,
                trusted,
                plan.seed(),
                "use a smaller --learning-rate (now " + stepSize.first() + ")"
                        + (plan.get(PlanKey.LOCAL_STEPS) > 1 ? " or --local-rate" : "")
                        + (plan.box(model).bounded() ? " or a smaller --box" : "")
                        + (plan.objective() instanceof WassersteinBall ? " or a smaller --radius" : "")
                        + ", or let --tolerated be the number of liars");
    }

    private static StoppingRule stopping(Plan plan) {
        int patience = patience(plan);
        double tolerance = plan.get(PlanKey.TOLERANCE);
        if (plan.get(PlanKey.VALIDATION) > 0) {
            return new StoppingRule.Patience(patience);
        }
        return tolerance > 0 ? new StoppingRule.Tolerance(tolerance) : StoppingRule.NEVER;
    }

    /**
     * Checks that workers have the rows that a plan needs.
     *
     * @param workers their names
     * @param sizes how many rows each holds
     * @throws InputException if a worker would have to draw more rows than it trains on, or if too few of them can set
     *     rows aside: of those who report losses, liars must be fewer than half
     */
    public static void requireEnoughRows(Plan plan, List<String> workers, long[] sizes) {
        ValidationRows validation = validation(plan, 0);
        int batch = plan.get(PlanKey.BATCH).orElse(0);
        int reporting = 0;
        for (int w = 0; w < sizes.length; w++) {
            int held = (int) Math.min(sizes[w], Integer.MAX_VALUE);
            int trained = held - validation.count(held);
            Check.that(
                    batch <= trained,
                    "--batch must be at most the rows of every worker, got %d, but worker %s trains on %d",
                    batch,
                    workers.get(w),
                    trained);
            reporting += trained < held ? 1 : 0;
        }
        int tolerated = plan.get(PlanKey.TOLERATED).among(sizes.length);
        Check.that(
                validation.share() == 0 || reporting > 2 * tolerated || reporting == sizes.length,
                "--validation needs more than 2 x %d workers (--tolerated) that have two rows or more, got %d",
                tolerated,
                reporting);
    }

    /**
     * The number of checks without a new best after which a run with validation ends.
     *
     * @throws InputException if it is given without validation
     */
    public static int patience(Plan plan) {
        int patience = plan.get(PlanKey.PATIENCE);
        Check.that(
                plan.get(PlanKey.VALIDATION) > 0 || patience == PlanKey.PATIENCE.defaultValue(),
                "--patience needs --validation above 0");
        return patience;
    }

    /**
     * Returns what workers do in a round. A local rate that is not given is the learning rate, which must be a number.
     */
    public static LocalWork localWork(Plan plan, RowSampling batch) {
        LocalWork.Sent sent = plan.get(PlanKey.UPDATE).value();
        int steps = plan.get(PlanKey.LOCAL_STEPS);
        Optional<Double> given = plan.get(PlanKey.LOCAL_RATE);
        boolean moves = steps > 1 || sent instanceof LocalWork.Delta;
        Check.that(moves || given.isEmpty(), "--local-rate needs --local-steps above 1 or --update delta");
        double rate = !moves
                ? 1
                : given.orElseGet(() -> plan.get(PlanKey.LEARNING_RATE)
                        .first()
                        .orElseThrow(() -> new InputException("--local-rate auto needs a learning rate")));
        return new LocalWork(batch, steps, rate, sent);
    }

    /** Returns the ids of the workers that the attack turns into liars, ascending. */
    public static int[] liars(Plan plan, int workers) {
        List<Integer> given = plan.get(PlanKey.BYZANTINE);
        int count = plan.get(PlanKey.LIARS);
        boolean attacked = !plan.get(PlanKey.ATTACK).equals(PlanKey.ATTACK.defaultValue());
        boolean lying = count > 0 || !given.isEmpty();
        Check.that(attacked || !lying, "--liars and --byzantine need an attack, such as --attack aggressive");
        Check.that(lying || !attacked, "--attack %s needs --liars or --byzantine", plan.get(PlanKey.ATTACK));
        if (given.isEmpty()) {
            Check.that(count <= workers, "--liars must be at most the number of workers, got %d of %d", count, workers);
            return plan.seed().child("byzantine").random().choose(count, workers);
        }
        Check.that(count == 0, "give --liars or --byzantine, not both");
        int highest = given.get(given.size() - 1);
        Check.that(highest < workers, "--byzantine: worker %d is not among 0..%d", highest, workers - 1);
        return given.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns theta at round 0: standard normal, or else the model's own start. */
    public static double[] start(Plan plan, Model model, int features) {
        Seed seed = plan.seed().child("init");
        return plan.get(PlanKey.INIT) == Start.NORMAL
                ? seed.random().gaussians(model.parameters(features))
                : model.start(features, seed);
    }
}
