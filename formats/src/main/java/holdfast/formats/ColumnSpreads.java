package holdfast.formats;

import holdfast.Check;
import holdfast.plan.Header;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The standard deviations of the columns of a table that hold numbers, as units for moves of rows. */
public final class ColumnSpreads {
    private ColumnSpreads() {}

    /**
     * Reads a table.
     *
     * @return by column; columns with a cell that is no number, and constant ones, are left out
     */
    public static Map<String, Double> read(String name, CellFormat cells) {
        return new DataFile(name)
                .scan(
                        cells,
                        (reader, in) -> {
                            Check.that(reader instanceof Csv, "%s: units are read from tables in CSV", name);
                            return Csv.scan(in, Header.AUTO, (columns, rows) -> {
                                int d = columns.names().size();
                                double[] count = new double[d];
                                double[] mean = new double[d];
                                double[] squares = new double[d];
                                while (rows.hasNext()) {
                                    CsvRows.Row row = rows.next();
                                    columns.requireHaveAll(row);
                                    for (int c = 0; c < d; c++) {
                                        double x = row.number(c);
                                        if (!Double.isNaN(x) || !Csv.isMissing(row.cell(c))) {
                                            count[c]++;
                                            double from = x - mean[c];
                                            mean[c] += from / count[c];
                                            squares[c] += from * (x - mean[c]);
                                        }
                                    }
                                }
                                Map<String, Double> spreads = new TreeMap<>();
                                for (int c = 0; c < d; c++) {
                                    double sd = Math.sqrt(squares[c] / count[c]);
                                    if (sd > 0 && Double.isFinite(sd)) {
                                        spreads.put(columns.names().get(c), sd);
                                    }
                                }
                                Check.that(
                                        !spreads.isEmpty(),
                                        "%s: must have a column of different numbers, got %s",
                                        name,
                                        Arrays.toString(columns.names().toArray()));
                                return spreads;
                            });
                        },
                        share -> {});
    }
}
