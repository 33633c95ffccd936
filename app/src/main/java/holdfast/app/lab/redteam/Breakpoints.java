package holdfast.app.lab.redteam;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.app.lab.ParallelTasks;
import holdfast.app.lab.Testbed;
import holdfast.attack.AttackContext;
import holdfast.attack.Strongest;
import holdfast.data.DataSource;
import holdfast.data.Table;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Tolerated;
import holdfast.shift.Shift;
import holdfast.theory.Proof;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds the fewest liars that defeat a rule, in two senses. In a round: all honest updates equal g, and the attack
 * strongest makes &lt;G, g&gt; &lt;= 0, so that the step no longer descends. (If honest updates differ, as they do near
 * a stationary point, that sign says nothing.) In training: under one of {@link #ATTACKS} the model is no better than
 * guessing. The rule is set up to tolerate as many liars as there are, or, if it cannot, as many as it can.
 */
public final class Breakpoints {
    /** An update just shorter than another one still counts as cancelling it. */
    private static final double NO_PROGRESS = 1e-6;

    /**
     * The attacks used in training, the most harmful first. The attack strongest is greedy, so against some rules other
     * attacks leave worse models; docs/redteam.md has the measurements by which these five were chosen.
     */
    public static final List<String> ATTACKS =
            List.of("strongest", "optimised-alie", "mimic", "aggressive", "label-flip");

    /** The length of the updates in the round. */
    private static final int LENGTH = 10;

    private final List<String> rules;
    private final Plan plan;
    private final int seeds;
    private final Table data;
    private final Testbed bench;
    private final int workers;

    /**
     * The result for one rule.
     *
     * @param proof who proved something about the rule; empty if nobody did
     * @param proven the fewest liars that the proof does not cover; empty if there is no proof, or it covers all
     *     numbers below m
     * @param round the fewest liars that stop the descent in a round; empty if no number below m does
     * @param trained the fewest liars with which the model is useless, 0 if it is useless without any; empty if no
     *     number below m makes it so
     * @param by the attack that makes it useless in training; empty if none is needed or none does
     */
    public record RuleBreakpoint(
            String rule,
            Optional<String> proof,
            OptionalInt proven,
            OptionalInt round,
            OptionalInt trained,
            Optional<String> by) {}

    /** @param plan of the trainings; the round has the same number of workers */
    public Breakpoints(List<String> rules, Plan plan, int seeds, Table data) {
        Check.that(seeds >= 1, "--seeds must be at least 1, got %d", seeds);
        Check.that(
                plan.get(PlanKey.REPLICAS) == 1,
                "--replicas must be 1: breakpoints are those of a rule alone; got %d",
                plan.get(PlanKey.REPLICAS));
        this.rules = rules;
        this.plan = plan;
        this.seeds = seeds;
        this.data = data;
        this.bench = new Testbed(data);
        this.workers = bench.workers(plan);
    }

    /** The plan of the trainings. */
    public Plan plan() {
        return plan;
    }

    public int workers() {
        return workers;
    }

    /** The number of trainings per rule, number of liars and attack. */
    public int seeds() {
        return seeds;
    }

    /** Where the rows came from. */
    public DataSource data() {
        return data.source();
    }

    public List<RuleBreakpoint> find(int threads, DoubleConsumer progress) throws InterruptedException {
        RuleBreakpoint[] found = new RuleBreakpoint[rules.size()];
        ParallelTasks jobs = new ParallelTasks();
        IntStream.range(0, found.length)
                .forEach(i -> jobs.add(1, () -> {
                    String rule = rules.get(i);
                    Optional<Proof> proof = against(rule, 0).proof(workers);
                    Defeat trained = trained(rule);
                    found[i] = new RuleBreakpoint(
                            rule,
                            proof.map(Proof::source),
                            proof.isPresent()
                                    ? fewest(liars -> liars > 0 && !isProven(rule, liars))
                                    : OptionalInt.empty(),
                            fewest(liars -> progress(rule, liars) <= NO_PROGRESS),
                            trained.liars,
                            trained.by);
                }));
        jobs.run(threads, progress);
        return Arrays.asList(found);
    }

    private OptionalInt fewest(IntPredicate defeat) {
        return IntStream.range(0, workers).filter(defeat).findFirst();
    }

    /** Returns whether the rule can be set up for this many liars and is proven to withstand them. */
    private boolean isProven(String rule, int liars) {
        Aggregator made = against(rule, liars);
        return made.tolerated() >= liars
                && made.proof(workers).filter(Proof::holds).isPresent();
    }

    /** Returns the rule set up for a number of liars, or for the largest number below it that is possible. */
    private Aggregator against(String rule, int liars) {
        InputException why = null;
        for (int f = liars; f >= 0; f--) {
            try {
                Aggregator made =
                        plan.with("rule", rule).get(PlanKey.RULE).value().tolerating(f);
                made.requireServes(workers);
                return made;
            } catch (InputException e) {
                why = e;
            }
        }
        throw why;
    }

    /** Returns &lt;G, g&gt;/||g||^2 when every honest update is g; the liars have the lowest ids, which win ties. */
    private double progress(String rule, int liars) {
        double[] g = Seed.of(1).child("honest").random().gaussians(LENGTH);
        List<WorkerUpdate> votes = IntStream.range(0, workers)
                .mapToObj(w -> new WorkerUpdate(w, g))
                .toList();
        Round truth = new Round(0, workers, votes, new double[LENGTH], Seed.of(1), Carry.NONE, g);
        int[] byzantine = IntStream.range(0, liars).toArray();
        AttackContext situation = new AttackContext(truth, byzantine, against(rule, liars), Seed.of(2));
        double[] direction = situation.attempt(new Strongest().forge(situation)).direction();
        return Vectors.dot(direction, g, LENGTH) / Vectors.dot(g, g, LENGTH);
    }

    private record Defeat(OptionalInt liars, Optional<String> by) {}

    /** Finds the fewest liars that make the model useless, and the first attack that does. */
    private Defeat trained(String rule) {
        if (excess(rule, 0, "none") >= 0) {
            return new Defeat(OptionalInt.of(0), Optional.empty());
        }
        for (int liars = 1; liars < workers; liars++) {
            for (String attack : ATTACKS) {
                if (excess(rule, liars, attack) >= 0) {
                    return new Defeat(OptionalInt.of(liars), Optional.of(attack));
                }
            }
        }
        return new Defeat(OptionalInt.empty(), Optional.empty());
    }

    /** Returns how much worse than guessing the model is, summed over all seeds. */
    private double excess(String rule, int liars, String attack) {
        int f = against(rule, liars).tolerated();
        double sum = 0;
        for (int s = 0; s < seeds; s++) {
            Plan attacked = plan.with("rule", rule)
                    .with(PlanKey.TOLERATED, Tolerated.count(f))
                    .with("attack", attack)
                    .with(PlanKey.LIARS, liars)
                    .with(PlanKey.SEED, plan.get(PlanKey.SEED) + s);
            double error = bench.errors(attacked, List.of(Shift.NONE))[0];
            // Subtracts seed by seed, so that a model equal to guessing adds exactly 0.
            sum += error - bench.guessing(attacked);
        }
        return sum;
    }
}
