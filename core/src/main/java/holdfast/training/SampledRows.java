package holdfast.training;

import holdfast.attack.UpdateAttack;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowRoles;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which rows of a table are in a sample of every worker's rows. This is decided from sources alone, so that every
 * engine decides the same before it reads a value.
 *
 * @param names the workers
 * @param rows numbers of rows of the table, ascending
 * @param workers the worker of each of them
 * @param heldOut whether each of them takes no part in training
 */
public record SampledRows(List<String> names, int[] rows, int[] workers, boolean[] heldOut) {
    private record Place(int worker, boolean heldOut) {}

    /**
     * Chooses at most {@code limit} rows of each worker at random; see {@link SourceProbe#sample}.
     *
     * @param outline labels and sources of all rows of the table
     */
    public static SampledRows of(RowRoles roles, Dataset outline, Plan plan, int limit) {
        Partition partition = roles.partition();
        int[] poisoned =
                plan.attack() instanceof UpdateAttack ? new int[0] : ResolvedPlan.liars(plan, partition.size());
        Map<String, int[]> heldOut = heldOutBySource(roles, outline);
        Map<Integer, Place> places = new TreeMap<>();
        for (int w = 0; w < partition.size(); w++) {
            int[] training = Arrays.stream(partition.rows().get(w))
                    .map(r -> roles.learning()[roles.training()[r]])
                    .toArray();
            boolean honest = Arrays.binarySearch(poisoned, w) < 0;
            int[] others = honest && outline.hasGroups()
                    ? heldOut.getOrDefault(partition.workers().get(w), new int[0])
                    : new int[0];
            int[] all = IntStream.concat(Arrays.stream(training), Arrays.stream(others))
                    .toArray();
            int[] chosen = all.length <= limit
                    ? IntStream.range(0, all.length).toArray()
                    : plan.seed().child("sample").child("worker", w).random().choose(limit, all.length);
            for (int i : chosen) {
                places.put(all[i], new Place(w, i >= training.length));
            }
        }
        int[] rows = places.keySet().stream().mapToInt(r -> r).toArray();
        int[] workers = places.values().stream().mapToInt(Place::worker).toArray();
        boolean[] flags = new boolean[rows.length];
        IntStream.range(0, rows.length).forEach(i -> flags[i] = places.get(rows[i]).heldOut);
        return new SampledRows(partition.workers(), rows, workers, flags);
    }

    private static Map<String, int[]> heldOutBySource(RowRoles roles, Dataset outline) {
        Map<String, IntStream.Builder> bySource = new HashMap<>();
        if (outline.hasGroups()) {
            for (int r : roles.heldOut()) {
                bySource.computeIfAbsent(outline.schema().groups().get(outline.group(r)), name -> IntStream.builder())
                        .add(r);
            }
        }
        Map<String, int[]> rows = new HashMap<>();
        bySource.forEach((name, own) -> rows.put(name, own.build().toArray()));
        return rows;
    }

    /** Returns the sample of a table. */
    public SourceSample of(Table table) {
        return chosen(table.with(table.columns(), table.cells().select(rows)));
    }

    /**
     * Returns the sample.
     *
     * @param chosen just these rows, in this order
     */
    public SourceSample chosen(Table chosen) {
        return new SourceSample(chosen.with(chosen.columns(), chosen.cells().grouped(names, workers)), heldOut);
    }
}
