package holdfast.app.redteam;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.Version;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.app.Bench;
import holdfast.app.ParallelTasks;
import holdfast.attack.AttackContext;
import holdfast.attack.Strongest;
import holdfast.data.Table;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.shift.Shift;
import holdfast.theory.ProvenBreakpoint;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The fewest liars that defeat a rule, in two senses. A round: all honest updates equal g and the attack strongest makes
 * &lt;G, g&gt; &lt;= 0, so that the step no longer descends. (Where honest updates differ, near a stationary point, that sign
 * says nothing.) Training: under one of {@link #ATTACKS} the model does no better than guessing. The rule is told how many
 * lie; where it cannot be set up for so many, the most that it can.
 */
public final class Breakpoints {
    /** An update just shorter than another still counts as its opposite. */
    private static final double NO_PROGRESS = 1e-6;

    /**
     * The attacks of the trainings, the most harmful first. The attack strongest is greedy, so others leave worse models of
     * some rules; docs/redteam.md has the measurements by which these five of all were chosen.
     */
    public static final List<String> ATTACKS =
            List.of("strongest", "optimised-alie", "mimic", "aggressive", "label-flip");

    /** The length of the updates in the round. */
    private static final int LENGTH = 10;

    private final List<String> rules;
    private final Plan plan;
    private final int seeds;
    private final Table data;
    private final Bench bench;
    private final int workers;

    /**
     * One rule's answer.
     *
     * @param proven the fewest liars that no proof covers, for so many workers; -1 if every number below m is covered
     * @param source of the proof; null if there is none
     * @param round the fewest liars that stop the descent in a round; -1 if no number below m does
     * @param trained the fewest liars with whom the model is useless, 0 if it is without any; -1 if no number below m does
     * @param by the attack that does it in training; null if none is needed or none does
     */
    public record Found(String rule, int proven, String source, int round, int trained, String by) {}

    /** @param plan of the trainings; its workers are those of the round as well */
    public Breakpoints(List<String> rules, Plan plan, int seeds, Table data) {
        Check.that(seeds >= 1, "seeds must be at least 1, got %d", seeds);
        Check.that(
                plan.get(PlanKey.REPLICAS) == 1,
                "breakpoints are those of a rule alone: replicas must be 1, got %d",
                plan.get(PlanKey.REPLICAS));
        this.rules = rules;
        this.plan = plan;
        this.seeds = seeds;
        this.data = data;
        this.bench = new Bench(data);
        this.workers = bench.workers(plan);
    }

    public List<Found> find(int threads, DoubleConsumer progress) throws InterruptedException {
        Found[] found = new Found[rules.size()];
        ParallelTasks jobs = new ParallelTasks();
        IntStream.range(0, found.length)
                .forEach(i -> jobs.add(1, () -> {
                    String rule = rules.get(i);
                    Optional<ProvenBreakpoint> proven = ProvenBreakpoint.of(rule);
                    Defeat trained = trained(rule);
                    found[i] = new Found(
                            rule,
                            proven.map(p -> unproven(p, rule)).orElse(-1),
                            proven.map(ProvenBreakpoint::source).orElse(null),
                            fewest(liars -> progress(rule, liars) <= NO_PROGRESS),
                            trained.liars,
                            trained.by);
                }));
        jobs.run(threads, progress);
        return Arrays.asList(found);
    }

    private int fewest(IntPredicate defeat) {
        return IntStream.range(0, workers).filter(defeat).findFirst().orElse(-1);
    }

    /** The first number of liars that reaches the share or for which the rule cannot be set up. */
    private int unproven(ProvenBreakpoint proven, String rule) {
        return fewest(liars -> liars > 0 && liars >= proven.share() * workers
                || against(rule, liars).tolerated() < liars);
    }

    /** The rule set up for so many liars, or for the most below that it can be. */
    private Aggregator against(String rule, int liars) {
        InputException why = null;
        for (int f = liars; f >= 0; f--) {
            try {
                Aggregator made = Aggregators.create(rule, f);
                made.requireServes(workers);
                return made;
            } catch (InputException e) {
                why = e;
            }
        }
        throw why;
    }

    /** &lt;G, g&gt;/||g||^2 when every honest update is g; the liars have the lowest ids, which win ties. */
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

    private record Defeat(int liars, String by) {}

    /** The fewest liars whose model is useless, and the first attack that makes it so. */
    private Defeat trained(String rule) {
        if (excess(rule, 0, "none") >= 0) {
            return new Defeat(0, null);
        }
        for (int liars = 1; liars < workers; liars++) {
            for (String attack : ATTACKS) {
                if (excess(rule, liars, attack) >= 0) {
                    return new Defeat(liars, attack);
                }
            }
        }
        return new Defeat(-1, null);
    }

    /** By how much the errors of all seeds are worse than guessing. */
    private double excess(String rule, int liars, String attack) {
        int f = against(rule, liars).tolerated();
        double sum = 0;
        for (int s = 0; s < seeds; s++) {
            Plan attacked = plan.with(PlanKey.RULE, rule)
                    .with(PlanKey.SCREENED, Integer.toString(f))
                    .with("attack", attack)
                    .with(PlanKey.LIARS, liars)
                    .with(PlanKey.SEED, plan.get(PlanKey.SEED) + s);
            double error = bench.errors(attacked, List.of(Shift.NONE))[0];
            // Seed by seed: what equals guessing then adds an exact 0.
            sum += error - bench.guessing(attacked);
        }
        return sum;
    }

    /** The table for the terminal. */
    public String text(List<Found> all) {
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%nThe smallest share of %d workers who defeat a rule by lying, and their number.%n"
                        + "Proven: the first that no proof covers. Round: honest updates are equal and after the attack%n"
                        + "strongest the step no longer descends. Trained: the model is no better than guessing, by the%n"
                        + "first of these attacks that does it: %s.%n%n%-20s %-14s %-14s %-14s %s%n",
                workers,
                String.join(", ", ATTACKS),
                "rule",
                "proven",
                "round",
                "trained",
                "by"));
        all.forEach(f -> out.append(String.format(
                                Locale.ROOT,
                                "%-20s %-14s %-14s %-14s %s",
                                f.rule,
                                f.source == null ? "-" : count(f.proven),
                                count(f.round),
                                count(f.trained),
                                f.by == null ? "" : f.by)
                        .stripTrailing())
                .append('\n'));
        return out.toString();
    }

    private String count(int liars) {
        return liars < 0 ? "none" : String.format(Locale.ROOT, "%.3f (%d)", (double) liars / workers, liars);
    }

    public ObjectNode json(List<Found> all) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("holdfast", Version.current());
        root.put("data", data.source().name());
        root.put("sha256", data.source().sha256());
        root.put("workers", workers);
        root.put("seeds", seeds);
        ATTACKS.forEach(root.putArray("attacks")::add);
        ObjectNode settings = root.putObject("plan");
        plan.settings().forEach(settings::put);
        var list = root.putArray("rules");
        all.forEach(f -> {
            ObjectNode line = list.addObject().put("rule", f.rule);
            if (f.source != null) {
                put(line, "proven", f.proven);
                line.put("source", f.source);
            }
            put(line, "round", f.round);
            put(line, "trained", f.trained);
            line.put("by", f.by);
        });
        return root;
    }

    private static void put(ObjectNode line, String key, int liars) {
        line.put(key, liars < 0 ? null : liars);
    }
}
