package holdfast.attack;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gives each row of a liar a category of its own in every text column, so that the model gets as many more features as
 * the liars have rows. Where rows are dealt to workers without regard to sources, all of these become features; where
 * sources are named, none that f sources alone know does.
 */
public record CategoryFlood() implements RawAttack {
    @Override
    public Table poison(RawContext context) {
        List<TableColumn> columns = new ArrayList<>(context.table().columns());
        int[] text = IntStream.range(0, columns.size())
                .filter(c -> columns.get(c).isText())
                .toArray();
        Check.that(
                text.length > 0,
                "category-flood: a column must hold text, but %s has numbers only",
                context.table().source().name());
        Dataset cells = context.table().cells();
        for (RawContext.Liar liar : context.liars()) {
            int[] known = new int[columns.size()];
            for (int c : text) {
                TableColumn column = columns.get(c);
                known[c] = column.categories().size();
                List<String> categories = new ArrayList<>(column.categories());
                for (int row : liar.rows()) {
                    categories.add("new " + row);
                }
                columns.set(c, new TableColumn(column.name(), categories, column.missing(), column.date()));
            }
            cells = cells.changed(liar.rows(), (row, values) -> {
                for (int c : text) {
                    values[c] = known[c]++;
                }
            });
        }
        return context.table().with(columns, cells);
    }
}
