package holdfast.benchmarks;

import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Threads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rules against the plain mean of the same vectors, both on two threads. */
final class Aggregations {
    private Aggregations() {}

    static List<Measured> measure() {
        Map<String, Double> goals = new LinkedHashMap<>();
        goals.put("norm-screening", 2.0);
        goals.put("centered-clipping(steps=1)", 3.0);
        goals.put("monna", 3.0);
        goals.put("geometric-median(steps=3)", 8.0);
        goals.put("median", 8.0);
        goals.put("krum", 10.0);
        goals.put("multi-krum", 10.0);
        goals.put("trimmed-mean", 12.0);
        goals.put("meamed", 20.0);
        goals.put("nnm + mean", 20.0);
        List<Measured> out = new ArrayList<>();
        Round round = round(50, 200_000);
        goals.forEach((rule, most) -> out.add(compare(rule, 10, round, most)));
        out.add(compare("norm-screening", 2000, round(10_000, 10_000), 2));
        return out;
    }

    private static Measured compare(String rule, int f, Round round, double most) {
        Aggregator mean = Aggregators.create("mean", 0);
        Aggregator robust = Aggregators.create(rule, f);
        Turns turns;
        try (Threads threads = Threads.of(2)) {
            Round both = round.on(threads);
            turns = Turns.of(7, () -> mean.aggregate(both), () -> robust.aggregate(both));
        }
        String what = rule + " / mean, m = " + round.updates().size() + ", d = "
                + round.updates().get(0).vector().length;
        return Measured.atMost(what, turns.ratio(1, 0), most);
    }

    private static Round round(int m, int d) {
        List<WorkerUpdate> votes = new ArrayList<>();
        for (int w = 0; w < m; w++) {
            votes.add(new WorkerUpdate(w, Seed.of(1).child("vote", w).random().gaussians(d)));
        }
        return new Round(0, m, votes, new double[d], Seed.of(1), Carry.NONE, null);
    }
}
