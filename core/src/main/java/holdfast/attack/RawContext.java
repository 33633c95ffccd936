package holdfast.attack;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Everything that liars know when they poison the rows they hand in.
 *
 * @param table all rows, as they are if everybody tells the truth
 * @param workers for each worker the numbers of its training rows, ascending; other rows must stay as they are
 * @param byzantine ids of the liars, ascending
 * @param defence prepares rows as the server does; pure, so trying it changes nothing
 * @param seed of the attack
 */
public record RawContext(Table table, List<int[]> workers, int[] byzantine, Defence defence, Seed seed) {

    /** Prepares rows for training. */
    @FunctionalInterface
    public interface Defence {
        /** Learns from all training rows of a table, and returns some of its rows as features, scaled. */
        Dataset prepare(Table table, int[] rows);
    }

    /**
     * A worker that lies.
     *
     * @param rows numbers of its training rows in the table, ascending
     * @param seed of its poison
     */
    public record Liar(int[] rows, Seed seed) {}

    public List<Liar> liars() {
        return Arrays.stream(byzantine)
                .mapToObj(w -> new Liar(workers.get(w), seed.child("worker", w)))
                .toList();
    }

    /** Returns the rows of each honest worker; of all workers if everybody lies. */
    public List<int[]> honest() {
        List<int[]> honest = IntStream.range(0, workers.size())
                .filter(w -> Arrays.binarySearch(byzantine, w) < 0)
                .mapToObj(workers::get)
                .toList();
        return honest.isEmpty() ? workers : honest;
    }

    /** Returns what the server would make of the honest workers' rows if the liars handed in this table. */
    public Dataset attempt(Table handedIn) {
        return defence.prepare(
                handedIn, honest().stream().flatMapToInt(Arrays::stream).toArray());
    }

    /** Returns the indices of the columns that hold numbers. */
    public int[] numbers() {
        List<TableColumn> columns = table.columns();
        return IntStream.range(0, columns.size())
                .filter(c -> !columns.get(c).isText())
                .toArray();
    }

    /** Returns the table with the cells of each liar's rows changed, row by row. */
    public Table withCells(Function<Liar, Dataset.RowChange> change) {
        Dataset cells = table.cells();
        for (Liar liar : liars()) {
            cells = cells.changed(liar.rows(), change.apply(liar));
        }
        return with(cells);
    }

    /** Returns the table with other cells, labels or weights. */
    public Table with(Dataset cells) {
        return table.with(table.columns(), cells);
    }

    /** Returns the table with the labels of each liar's rows replaced, in the order of its rows. */
    public Table withLabels(Function<Liar, IntToDoubleFunction> label) {
        double[] labels = replaced(label, table.cells()::label);
        return with(table.cells().relabel(r -> labels[r]));
    }

    /** Returns the table with the weights of each liar's rows replaced, in the order of its rows. */
    public Table withWeights(Function<Liar, IntToDoubleFunction> weight) {
        double[] weights = replaced(weight, table.cells()::weight);
        return with(table.cells().reweigh(r -> weights[r]));
    }

    private double[] replaced(Function<Liar, IntToDoubleFunction> change, IntToDoubleFunction old) {
        double[] all = new double[table.rows()];
        Arrays.setAll(all, old);
        for (Liar liar : liars()) {
            IntToDoubleFunction own = change.apply(liar);
            for (int r : liar.rows()) {
                all[r] = own.applyAsDouble(r);
            }
        }
        return all;
    }

    /** Fails if the table is sparse and the liars' rows have too many cells to be stored with their zeros. */
    void requireFillable(String attack) {
        long cells = liars().stream().mapToLong(liar -> liar.rows().length).sum()
                * table.schema().features().size();
        Check.that(
                !table.cells().sparse() || cells <= Block.MAX_FILLED,
                "%s would fill %d cells of sparse rows, more than %d; use another attack",
                attack,
                cells,
                Block.MAX_FILLED);
    }
}
