package holdfast.app.report;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.DatePart;
import holdfast.evaluation.EstimatedError;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.Csv;
import holdfast.math.Order;
import holdfast.shift.Shift;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Some of the rows that a model is used on: those of a source, or of a time.
 *
 * @param estimated from the model's probabilities, if it gives any
 * @param measured from labels, if there are any
 */
record RowGroup(String name, int rows, Optional<EstimatedError> estimated, Optional<Evaluation> measured) {
    /** More months than this are cut into slices. */
    private static final int MAX_MONTHS = 36;

    private static final int SLICES = 10;

    /** The rows of a group, by number. */
    record Numbers(String name, int[] rows) {}

    static RowGroup of(TrainedModel model, Dataset rows, boolean labelled, String name) {
        return new RowGroup(
                name,
                rows.rows(),
                EstimatedError.of(model.predict(rows)),
                labelled ? Optional.of(Evaluation.of(model, rows, Shift.NONE)) : Optional.empty());
    }

    static List<RowGroup> of(TrainedModel model, Dataset rows, boolean labelled, List<Numbers> groups) {
        return groups.stream()
                .map(group -> of(model, rows.select(group.rows), labelled, group.name))
                .toList();
    }

    /** Returns the rows of each source; none if rows name no source. */
    static List<Numbers> bySource(Dataset rows) {
        if (!rows.hasGroups()) {
            return List.of();
        }
        List<int[]> bySource = rows.rowsBySource();
        return IntStream.range(0, bySource.size())
                .filter(s -> bySource.get(s).length > 0)
                .mapToObj(s -> new Numbers(rows.schema().groups().get(s), bySource.get(s)))
                .toList();
    }

    /**
     * Returns the rows in the order of a column: of dates by month, if they are in 2 to {@value #MAX_MONTHS} months, else in
     * slices of about as many rows each. Rows of the same time are in one slice.
     *
     * @throws InputException for a cell that is neither an ISO date nor, if the first one is none, a number
     */
    static List<Numbers> overTime(String file, String column, List<String> cells) {
        boolean dates = !Double.isNaN(DatePart.days(cells.get(0).strip()));
        double[] times = new double[cells.size()];
        for (int r = 0; r < times.length; r++) {
            String cell = cells.get(r).strip();
            times[r] = dates ? DatePart.days(cell) : Csv.number(cell);
            if (Double.isNaN(times[r])) {
                throw new InputException(file + ": row " + (r + 1) + ": --time " + column + " must be a date such as"
                        + " 2024-05-31 in every row, or a number in every row, got '" + cell + "'");
            }
        }
        if (dates) {
            Map<String, List<Integer>> months = new TreeMap<>();
            for (int r = 0; r < times.length; r++) {
                months.computeIfAbsent(date(times[r]).substring(0, 7), month -> new ArrayList<>())
                        .add(r);
            }
            if (months.size() > 1 && months.size() <= MAX_MONTHS) {
                return months.entrySet().stream()
                        .map(month -> new Numbers(
                                month.getKey(),
                                month.getValue().stream()
                                        .mapToInt(Integer::intValue)
                                        .toArray()))
                        .toList();
            }
        }
        return slices(times, dates);
    }

    private static List<Numbers> slices(double[] times, boolean dates) {
        int[] order = Order.ascending(times);
        List<Numbers> slices = new ArrayList<>();
        for (int from = 0; from < order.length; ) {
            int to = (int) ((long) (slices.size() + 1) * order.length / SLICES);
            to = Math.max(to, from + 1);
            while (to < order.length && times[order[to]] == times[order[to - 1]]) {
                to++;
            }
            double first = times[order[from]];
            double last = times[order[to - 1]];
            slices.add(new Numbers(
                    dates ? date(first) + " to " + date(last) : Scores.brief(first) + " to " + Scores.brief(last),
                    Arrays.stream(order, from, to).sorted().toArray()));
            from = to;
        }
        return slices;
    }

    private static String date(double days) {
        return LocalDate.ofEpochDay((long) Math.floor(days)).toString();
    }
}
