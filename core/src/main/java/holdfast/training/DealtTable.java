package holdfast.training;

import holdfast.Check;
import holdfast.attack.RawAttack;
import holdfast.attack.RawContext;
import holdfast.data.Dataset;
import holdfast.data.DatePart;
import holdfast.data.Partition;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.math.ExactMean;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.Preparation;
import holdfast.preparation.RowRoles;
import holdfast.preparation.SourceGroups;
import holdfast.preparation.TableRows;
import holdfast.preparation.WorkerWeights;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A table whose rows have been dealt to workers, before anything is learnt from their values.
 *
 * @param outline labels, sources and weights of all rows
 * @param groups the workers whose statistics are taken together; empty if all rows are pooled
 * @param replicas how many workers hold the same rows
 * @param ignored a column of text or dates that only split the rows and is no feature
 */
public record DealtTable(
        Table table,
        Dataset outline,
        RowRoles roles,
        Optional<SourceGroups> groups,
        int replicas,
        Optional<String> ignored) {
    /** Deals the rows of a table. Their values are not read, unless the plan splits by a column. */
    public static DealtTable of(Table given, Plan plan) {
        Table table = given.withoutSources(plan.get(PlanKey.WITHOUT));
        Dataset outline = table.cells().outline();
        RowRoles roles = PreparedData.roles(table, outline, plan);
        int replicas = plan.get(PlanKey.REPLICAS);
        long[] sizes = sizes(roles.partition(), replicas);
        return new DealtTable(
                table,
                outline,
                roles,
                ResolvedPlan.statistics(plan, sizes, table.unusable().size()),
                replicas,
                plan.get(PlanKey.SPLIT_BY).filter(column -> isTextOrDate(table, column)));
    }

    private static boolean isTextOrDate(Table table, String column) {
        return table.columns().stream()
                .anyMatch(c -> c.name().equals(column) && (c.isText() || c.date() != DatePart.NONE));
    }

    /**
     * Returns the table as the plan's liars hand it in, if the plan attacks raw rows. Roles of rows are those of the
     * table without poison, and held-out rows stay as they are.
     */
    DealtTable poisoned(Plan plan) {
        if (!(plan.attack() instanceof RawAttack attack)) {
            return this;
        }
        Check.that(
                replicas == 1,
                "--attack %s poisons rows before they are dealt, so all replicas would hold them; it needs --replicas 1,"
                        + " got %d",
                plan.get(PlanKey.ATTACK),
                replicas);
        List<int[]> workers = roles.partition().rows().stream()
                .map(rows -> Arrays.stream(rows)
                        .map(r -> roles.learning()[roles.training()[r]])
                        .toArray())
                .toList();
        return with(attack.poison(new RawContext(
                table,
                workers,
                ResolvedPlan.liars(plan, workers.size()),
                (changed, rows) -> {
                    DealtTable other = with(changed);
                    Preparation learnt = other.learn(other.raw(), plan);
                    return learnt.scaling().apply(learnt.encoding().apply(changed, rows));
                },
                plan.seed().child("poison"))));
    }

    private DealtTable with(Table changed) {
        return new DealtTable(changed, changed.cells().outline(), roles, groups, replicas, ignored);
    }

    /** Returns the rows as the workers hold them. */
    SourceProbe probe(Plan plan) {
        return new SourceProbe() {
            @Override
            public int workers() {
                return roles.partition().size();
            }

            @Override
            public List<UnusableSource> unusable() {
                return table.unusable();
            }

            @Override
            public int columns() {
                return table.cells().columns();
            }

            @Override
            public long rows() {
                return table.rows();
            }

            @Override
            public SourceSample sample(int rowsPerWorker) {
                return SampledRows.of(roles, outline, plan, rowsPerWorker).of(table);
            }
        };
    }

    /**
     * Learns a preparation for the plan's model.
     *
     * @param raw what {@link #raw} returned
     */
    Preparation learn(TableRows raw, Plan plan) {
        return Preparation.learn(
                raw,
                PreparedData.settings(plan, plan.model(table.schema()), across()),
                sizes(roles.partition(), replicas),
                weights());
    }

    private static List<int[]> shards(Partition partition, int replicas) {
        return IntStream.range(0, partition.size() / replicas)
                .mapToObj(s -> partition.rows().get(s * replicas))
                .toList();
    }

    private static long[] sizes(Partition partition, int replicas) {
        return shards(partition, replicas).stream()
                .mapToLong(rows -> rows.length)
                .toArray();
    }

    AcrossSources across() {
        return groups.map(SourceGroups::across).orElse(AcrossSources.POOLED);
    }

    /** Returns the rows to learn from. */
    TableRows raw() {
        return new TableRows(
                table,
                roles.learning(),
                groups.map(SourceGroups::names).orElse(List.of()),
                groups.isEmpty() ? new int[0] : groupByRow(),
                ignored,
                weights().groups());
    }

    /**
     * Returns the group of each row to learn from. Rows that no worker has are in the first group. Rows that the server
     * keeps are with their source or, if they name none, in the last group.
     */
    public int[] groupByRow() {
        int[] groupOf = groups.orElseThrow().groupOf();
        List<int[]> shards = shards(roles.partition(), replicas);
        int[] byRow = new int[roles.learning().length];
        int[] bySource = new int[outline.schema().groups().size()];
        for (int s = 0; s < shards.size(); s++) {
            for (int r : shards.get(s)) {
                int at = roles.training()[r];
                byRow[at] = groupOf[s];
                if (bySource.length > 0) {
                    bySource[outline.group(roles.learning()[at])] = groupOf[s];
                }
            }
        }
        for (int at : roles.root()) {
            byRow[at] = bySource.length > 0
                    ? bySource[outline.group(roles.learning()[at])]
                    : groups.get().count() - 1;
        }
        return byRow;
    }

    /** Returns the mean weights of the rows of shards and groups. */
    private WorkerWeights weights() {
        return !outline.weighted()
                ? WorkerWeights.NONE
                : WorkerWeights.of(
                        shards(roles.partition(), replicas).stream()
                                .map(rows -> {
                                    ExactMean mean = new ExactMean();
                                    for (int r : rows) {
                                        mean.add(weight(r));
                                    }
                                    return mean;
                                })
                                .toList(),
                        groups.map(SourceGroups::groupOf)
                                .orElseGet(() -> new int[roles.partition().size() / replicas]));
    }

    /** Returns the weight that a training row was given. */
    double weight(int trainingRow) {
        return outline.weight(roles.learning()[roles.training()[trainingRow]]);
    }
}
