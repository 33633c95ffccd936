package holdfast.app.lab.redteam;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.Version;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.app.lab.ParallelTasks;
import holdfast.app.lab.Testbed;
import holdfast.attack.Attack;
import holdfast.attack.RawAttack;
import holdfast.attack.RowAttack;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.PluginJar;
import holdfast.plan.ResolvedPlan;
import holdfast.shift.Shift;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Trains every case of a plan with every seed and measures it under every shift. */
public final class RedTeam {
    private final RedTeamPlan plan;
    private final Table data;
    private final Testbed bench;
    private final Dataset sample;
    private final int workers;
    private final Map<String, String> refused = new LinkedHashMap<>();
    /** The rules that can also train without some of the sources. */
    private final List<String> leavingOut = new ArrayList<>();

    /** @throws InputException if plan and data do not fit together: at once, not after hours */
    public RedTeam(RedTeamPlan plan, Table data) {
        this.data = data;
        this.bench = new Testbed(data);
        this.workers = bench.workers(plan.training());
        int most = plan.liars().get(plan.liars().size() - 1);
        Check.that(most < workers, "--liars must be below the number of workers, got %d of %d", most, workers);
        this.sample = bench.sample(plan.training());
        bench.resolve(plan.training()).loss(sample.schema());
        RedTeamPlan fitting = plan.fitting(
                bench.target(plan.training()),
                bench.sourceGroups(plan.training(), plan.sourceGroups()).size());
        bench.requireFits(plan.training(), fitting.shiftList());
        this.plan = fitting.with(able(plan.attacks(), attack -> poison(plan.training(), attack)));
        able(plan.rules(), rule -> probe(plan.training().with("rule", rule)));
        if (plan.leavesSourcesOut()) {
            plan.rules().stream().filter(rule -> !refused.containsKey(rule)).forEach(this::tryWithoutSources);
        }
    }

    private void tryWithoutSources(String rule) {
        try {
            bench.requireTrainsOnOthers(plan.training().with("rule", rule), plan.sourceGroups());
            leavingOut.add(rule);
        } catch (InputException e) {
            refused.put(rule + ", new sources", "new sources: " + e.getMessage());
        }
    }

    /** Tries an attack on rows, because some need classes, text or weights. */
    private void poison(Plan training, String text) {
        Attack attack = training.catalogues().attacks().create(Spec.parse(text));
        if (attack instanceof RowAttack onShard) {
            onShard.poison(sample, Seed.of(1));
        } else if (attack instanceof RawAttack) {
            bench.sample(training.with("attack", text).with(PlanKey.LIARS, 1));
        }
    }

    /** Everything that decides the numbers of a case, in one line. More rules or attacks do not change it. */
    public String experiment() {
        return ("holdfast " + Version.current() + ", red team, sha256 "
                        + data.source().sha256() + ", shifts " + plan.shifts() + ", "
                        + plan.training().settings() + plugins())
                .replace('\n', ' ');
    }

    /** The jars of one's own rules and attacks, which decide numbers too. */
    private String plugins() {
        List<PluginJar> jars = plan.training().catalogues().plugins();
        return jars.isEmpty()
                ? ""
                : jars.stream().map(PluginJar::sha256).collect(Collectors.joining(", ", ", plugins ", ""));
    }

    /** The number of trainings. */
    public int trainings() {
        return cases().size() * plan.seeds() + leavingOut.size() * plan.seeds() * plan.sourceGroups();
    }

    /** The number of trainings that a journal already has. */
    public int done(Journal journal) {
        long single = cases().stream()
                .flatMap(one -> seeds().mapToObj(seed -> key(one, seed)))
                .filter(key -> journal.get(key) != null)
                .count();
        long grouped = leavingOut.stream()
                .flatMap(rule -> seeds().mapToObj(seed -> key(rule, seed)))
                .filter(key -> journal.get(key) != null)
                .count();
        return (int) (single + grouped * plan.sourceGroups());
    }

    private List<RedTeamPlan.Case> cases() {
        return plan.cases().stream().filter(c -> !refused.containsKey(c.rule())).toList();
    }

    private LongStream seeds() {
        long first = plan.training().get(PlanKey.SEED);
        return LongStream.range(first, first + plan.seeds());
    }

    /** Runs the trainings that are not in the journal and adds each to it. */
    public RedTeamResults run(int threads, Journal journal, DoubleConsumer progress) throws InterruptedException {
        List<Shift> shifts = plan.shiftList();
        ParallelTasks jobs = new ParallelTasks();
        seeds().forEach(seed -> cases().forEach(one -> add(
                jobs,
                1,
                journal,
                key(one, seed),
                () -> bench.errors(one.plan(plan.training()).with(PlanKey.SEED, seed), shifts))));
        seeds().forEach(seed ->
                leavingOut.forEach(rule -> add(jobs, plan.sourceGroups(), journal, key(rule, seed), () -> new double[] {
                    bench.errorOnNewSources(
                            plan.training().with("rule", rule).with(PlanKey.SEED, seed), plan.sourceGroups())
                })));
        jobs.run(threads, progress);
        Map<RedTeamPlan.Case, double[][]> errors = new LinkedHashMap<>();
        cases().forEach(one -> errors.put(
                one, seeds().mapToObj(seed -> journal.get(key(one, seed))).toArray(double[][]::new)));
        Map<String, double[]> newSources = new LinkedHashMap<>();
        leavingOut.forEach(rule -> newSources.put(
                rule,
                seeds().mapToDouble(seed -> journal.get(key(rule, seed))[0]).toArray()));
        return new RedTeamResults(
                plan,
                data.source(),
                plan.shiftList().stream()
                        .map(shift -> shift.name(plan.training().model(sample.schema())))
                        .toList(),
                workers,
                bench.metric(plan.training()),
                bench.guessing(plan.training()),
                errors,
                newSources,
                refused);
    }

    private static void add(ParallelTasks jobs, int size, Journal journal, String key, Supplier<double[]> work) {
        if (journal.get(key) == null) {
            jobs.add(size, () -> journal.put(key, work.get()));
        } else {
            jobs.skip(size);
        }
    }

    /** The key of the error on sources that the model of a rule has not seen. */
    private String key(String rule, long seed) {
        return rule + "\tnew sources\t" + plan.sourceGroups() + "\t" + seed;
    }

    private static String key(RedTeamPlan.Case one, long seed) {
        return one.rule() + "\t" + one.attack() + "\t" + one.liars() + "\t" + seed;
    }

    /**
     * Returns the names that pass a trial on this data with this number of workers, and records why the others do not.
     *
     * @throws InputException if none does
     */
    private List<String> able(List<String> names, Consumer<String> trial) {
        List<String> able = new ArrayList<>();
        InputException last = null;
        for (String name : names) {
            try {
                trial.accept(name);
                able.add(name);
            } catch (InputException e) {
                refused.put(name, e.getMessage());
                last = e;
            }
        }
        if (last != null && able.isEmpty()) {
            throw last;
        }
        return able;
    }

    /** Tries one round, because some rules find out only then that their search would take too long. */
    private void probe(Plan training) {
        List<WorkerUpdate> votes = new ArrayList<>();
        int replicas = training.get(PlanKey.REPLICAS);
        int parameters = training.model(sample.schema()).parameters(sample.columns());
        for (int w = 0; w < workers; w++) {
            votes.add(new WorkerUpdate(
                    w, Seed.of(1).child("probe", w / replicas).random().gaussians(parameters)));
        }
        double[] first = votes.get(0).vector();
        ResolvedPlan.rule(training, workers)
                .aggregate(new Round(0, workers, votes, first, Seed.of(1), Carry.NONE, first));
    }
}
