package holdfast.app.redteam;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.Version;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.Vote;
import holdfast.app.Bench;
import holdfast.app.Jobs;
import holdfast.attack.Attacks;
import holdfast.attack.DataAttack;
import holdfast.data.Dataset;
import holdfast.data.LabelScaling;
import holdfast.model.Model;
import holdfast.shift.Shift;
import holdfast.training.Evaluation;
import holdfast.training.PlanKey;
import holdfast.training.TrainingException;
import holdfast.training.TrainingPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.stream.LongStream;

/** Trains every case of a plan with every seed and measures it under every shift. */
public final class RedTeam {
    /** A training that cannot go on leaves no model; that is as bad as one that is always wrong. */
    static final double NO_MODEL = 1;

    private final RedTeamPlan plan;
    private final Dataset data;
    private final Bench bench;
    private final int workers;
    private final Map<String, String> refused;

    /** @throws InputException for what plan and data do not allow together: now, and not after hours */
    public RedTeam(RedTeamPlan plan, Dataset data) {
        this.plan = plan;
        this.data = data;
        this.bench = new Bench(data);
        this.workers = bench.workers(plan.training());
        mustFit();
        this.refused = refused();
    }

    private void mustFit() {
        int most = plan.liars().get(plan.liars().size() - 1);
        Check.that(most < workers, "liars must be below the number of workers, got %d of %d", most, workers);
        plan.training().loss(data.schema());
        Dataset row = data.select(new int[] {0});
        Model model = plan.training().model(data.schema());
        double[] theta = new double[model.parameters(row.columns())];
        plan.shiftList().forEach(shift -> Evaluation.ofScaled(model, theta, 0.5, LabelScaling.NONE, row, shift));
        for (String text : plan.attacks()) {
            if (Attacks.catalogue().create(Spec.parse(text)) instanceof DataAttack attack) {
                attack.poison(row, Seed.of(1));
            }
        }
    }

    /** What decides the numbers of a case, in one line; so more rules or attacks do not make it another experiment. */
    public String experiment() {
        return ("holdfast " + Version.current() + ", red team, sha256 "
                        + data.source().sha256() + ", shifts " + plan.shifts() + ", "
                        + plan.training().settings())
                .replace('\n', ' ');
    }

    /** How many trainings there are. */
    public int trainings() {
        return cases().size() * plan.seeds();
    }

    /** How many of them a journal knows. */
    public int done(Journal journal) {
        return (int) cases().stream()
                .flatMap(one -> seeds().mapToObj(seed -> key(one, seed)))
                .filter(key -> journal.get(key) != null)
                .count();
    }

    private List<RedTeamPlan.Case> cases() {
        return plan.cases().stream().filter(c -> !refused.containsKey(c.rule())).toList();
    }

    private LongStream seeds() {
        long first = plan.training().get(PlanKey.SEED);
        return LongStream.range(first, first + plan.seeds());
    }

    /** What is in the journal is not done again; what is done is put into it. */
    public RedTeamResults run(int threads, Journal journal, DoubleConsumer progress) throws InterruptedException {
        List<Shift> shifts = plan.shiftList();
        Jobs jobs = new Jobs();
        seeds().forEach(seed -> cases().forEach(one -> {
            if (journal.get(key(one, seed)) == null) {
                jobs.add(1, () -> journal.put(key(one, seed), errors(one, seed, shifts)));
            } else {
                jobs.skip(1);
            }
        }));
        jobs.run(threads, progress);
        Map<RedTeamPlan.Case, double[][]> errors = new LinkedHashMap<>();
        cases().forEach(one -> errors.put(
                one, seeds().mapToObj(seed -> journal.get(key(one, seed))).toArray(double[][]::new)));
        return new RedTeamResults(plan, data.source(), workers, errors, refused);
    }

    private static String key(RedTeamPlan.Case one, long seed) {
        return one.rule() + "\t" + one.attack() + "\t" + one.liars() + "\t" + seed;
    }

    private double[] errors(RedTeamPlan.Case one, long seed, List<Shift> shifts) {
        try {
            return bench.errors(one.plan(plan.training()).with(PlanKey.SEED, seed), shifts);
        } catch (TrainingException e) {
            double[] none = new double[shifts.size()];
            Arrays.fill(none, NO_MODEL);
            return none;
        }
    }

    /** Rules that cannot serve so many workers with so many liars, and why; at least one must. */
    private Map<String, String> refused() {
        Map<String, String> refused = new LinkedHashMap<>();
        for (String rule : plan.rules()) {
            try {
                probe(plan.training().with(PlanKey.RULE, rule));
            } catch (InputException e) {
                refused.put(rule, e.getMessage());
            }
        }
        if (refused.size() == plan.rules().size()) {
            throw new InputException(refused.values().iterator().next());
        }
        return refused;
    }

    /** Some rules see only in a round that they cannot: those that would have to search too long. */
    private void probe(TrainingPlan training) {
        List<Vote> votes = new ArrayList<>();
        int replicas = training.get(PlanKey.REPLICAS);
        for (int w = 0; w < workers; w++) {
            votes.add(
                    new Vote(w, Seed.of(1).child("probe", w / replicas).random().gaussians(data.columns() + 1)));
        }
        double[] first = votes.get(0).vector();
        training.aggregator(workers).aggregate(new Round(0, workers, votes, first, Seed.of(1), Carry.NONE, first));
    }
}
