package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.attack.RawAttack;
import holdfast.attack.RawContext;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.preparation.Encoding;
import holdfast.preparation.Scaling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The laws of every attack on raw rows: the same seed gives the same table, the given table stays untouched, only rows
 * of liars differ and each liar has one that does, what they become is valid, and sparse rows are poisoned like dense
 * ones.
 *
 * <p>To test an attack, extend this class and implement {@link #attack}. If its default strength draws nothing,
 * override {@link #draws}; if it needs text, override {@link #poisonsNumbers}.
 */
public abstract class RawAttackContract {
    private static final int WORKERS = 6;

    /** Returns the attack to test, with its default strength. */
    protected abstract RawAttack attack();

    /** Whether the attack draws from its seed at its default strength. */
    protected boolean draws() {
        return true;
    }

    /** Whether the attack works on a table of numbers. */
    protected boolean poisonsNumbers() {
        return true;
    }

    /** Makes a table of two classes with weights, three columns of numbers, one with missing cells, and one of text. */
    protected static Table table(Seed seed) {
        Randomness random = seed.child("table").random();
        Dataset numbers = Samples.dataset(seed, 250 + random.nextInt(50), 4, 3).reweigh(r -> 0.5 + random.nextDouble());
        int[] all = IntStream.range(0, numbers.rows()).toArray();
        List<TableColumn> columns = new ArrayList<>(Table.of(numbers).columns());
        columns.set(1, new TableColumn("x1", List.of(), TableColumn.Missing.INDICATOR));
        columns.set(2, new TableColumn("x2", List.of("b", "c", "a"), TableColumn.Missing.MEAN));
        return Table.of(columns, numbers.changed(all, (r, cells) -> {
            cells[1] = random.nextInt(5) == 0 ? Double.NaN : cells[1];
            cells[2] = random.nextInt(9) == 0 ? Double.NaN : random.nextInt(3);
        }));
    }

    /** Two of six workers lie; every seventh row is held out. */
    protected static RawContext context(Table table, Seed seed, int... byzantine) {
        int[] training =
                IntStream.range(0, table.rows()).filter(r -> r % 7 != 0).toArray();
        List<int[]> workers = IntStream.range(0, WORKERS)
                .mapToObj(w -> Arrays.stream(training)
                        .filter(r -> r / 2 % WORKERS == w)
                        .toArray())
                .toList();
        return new RawContext(
                table,
                workers,
                byzantine,
                (changed, rows) -> {
                    Encoding encoding = changed.isNumbers() ? Encoding.NONE : Encoding.learn(changed, training);
                    return Scaling.fit(Scaling.Kind.SD, encoding.apply(changed, training))
                            .apply(encoding.apply(changed, rows));
                },
                seed);
    }

    private Table poisoned(Table table, Seed seed) {
        return attack().poison(context(table, seed, 1, 4));
    }

    private static boolean lies(int row) {
        return row % 7 != 0 && (row / 2 % WORKERS == 1 || row / 2 % WORKERS == 4);
    }

    /** Returns the rows that differ between two tables with the same number of rows. */
    protected static int[] changed(Table a, Table b) {
        Dataset left = a.cells();
        Dataset right = b.cells();
        IntPredicate same = r -> left.label(r) == right.label(r)
                && left.weight(r) == right.weight(r)
                && Arrays.equals(left.row(r), right.row(r));
        return IntStream.range(0, a.rows()).filter(same.negate()).toArray();
    }

    @Test
    protected void theSameSeedGivesTheSameTableAndTheGivenOneStaysUntouched() {
        Laws.check(20, seed -> {
            Table table = table(seed);
            Table once = poisoned(table, seed);
            assertThat(changed(once, poisoned(table, seed))).isEmpty();
            assertThat(changed(table, table(seed))).isEmpty();
            assertThat(once.columns()).isEqualTo(poisoned(table, seed).columns());
        });
    }

    @Test
    protected void onlyRowsOfLiarsDifferAndEachLiarHasOne() {
        Laws.check(20, seed -> {
            Table table = table(seed);
            int[] rows = changed(table, poisoned(table, seed));
            assertThat(Arrays.stream(rows)).allMatch(RawAttackContract::lies);
            assertThat(Arrays.stream(rows).map(r -> r / 2 % WORKERS).distinct()).containsExactlyInAnyOrder(1, 4);
        });
    }

    @Test
    protected void withoutLiarsNothingChanges() {
        Laws.check(5, seed -> {
            Table table = table(seed);
            Table same = attack().poison(context(table, seed));
            assertThat(changed(table, same)).isEmpty();
            assertThat(same.columns()).isEqualTo(table.columns());
        });
    }

    @Test
    protected void poisonedRowsAreValidAndKeepTheirSources() {
        Laws.check(20, seed -> {
            Table table = table(seed);
            Table poisoned = poisoned(table, seed);
            assertThat(poisoned.schema()).isEqualTo(table.schema());
            assertThat(poisoned.rows()).isEqualTo(table.rows());
            for (int c = 0; c < table.columns().size(); c++) {
                TableColumn before = table.columns().get(c);
                TableColumn after = poisoned.columns().get(c);
                assertThat(after.missing()).isEqualTo(before.missing());
                assertThat(after.categories())
                        .startsWith(before.categories().toArray(new String[0]))
                        .doesNotHaveDuplicates();
                assertThat(after.isText()).isEqualTo(before.isText());
            }
            for (int r = 0; r < poisoned.rows(); r++) {
                Dataset cells = poisoned.cells();
                assertThat(cells.group(r)).isEqualTo(table.cells().group(r));
                assertThat(cells.label(r)).isIn(0.0, 1.0);
                assertThat(cells.weight(r)).isPositive().isFinite();
                double[] row = cells.row(r);
                for (int c = 0; c < row.length; c++) {
                    TableColumn column = poisoned.columns().get(c);
                    boolean missing = Double.isNaN(row[c]) && column.missing() != TableColumn.Missing.FAIL;
                    if (!missing && column.isText()) {
                        assertThat(column.categories()).element((int) row[c]).isNotNull();
                    } else if (!missing) {
                        assertThat(row[c]).isFinite();
                    }
                }
            }
        });
    }

    @Test
    protected void anotherSeedPoisonsOtherwise() {
        Laws.check(5, seed -> {
            Table table = table(seed);
            int[] rows = changed(poisoned(table, seed), poisoned(table, seed.child("other")));
            assertThat(rows.length > 0).isEqualTo(draws());
        });
    }

    @Test
    protected void sparseRowsArePoisonedLikeDenseOnes() {
        if (!poisonsNumbers()) {
            return;
        }
        Laws.check(5, seed -> {
            Table sparse = poisoned(Table.of(Samples.sparse(seed, 300, 12, 2)), seed);
            Table dense = poisoned(Table.of(Samples.dense(seed, 300, 12, 2)), seed);
            assertThat(sparse.cells().sparse()).isTrue();
            assertThat(changed(sparse, dense)).isEmpty();
        });
    }
}
