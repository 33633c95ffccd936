package holdfast.app.command;

import holdfast.Check;
import holdfast.CloseNames;
import holdfast.certificate.RowMove;
import holdfast.data.DatePart;
import holdfast.formats.CellFormat;
import holdfast.formats.ColumnSpreads;
import holdfast.formats.Csv;
import holdfast.formats.VoteFile;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options about how far rows may move when votes are certified. */
final class MoveOptions {
    private static final double STANDARD_BUDGET = 0.3;

    @Option(
            names = "--units",
            paramLabel = "X",
            description =
                    "for votes: the units in which rows move, as age=5,pressure=10, or a table that you trust, whose standard"
                            + " deviations are the units; other columns do not move")
    private String units;

    /**
     * Returns how far rows may move.
     *
     * @param shift none, l1, l2 or linf
     * @param budget null if it is not given
     * @param file the models, whose plan says how tables are written
     */
    Optional<RowMove> move(String shift, Double budget, VoteFile file) {
        if (shift.equals("none")) {
            Check.that(budget == null && units == null, "--budget and --units need --shift l1, l2 or linf");
            return Optional.empty();
        }
        return Optional.of(
                new RowMove(norm(shift), budget == null ? STANDARD_BUDGET : budget, units("--shift " + shift, file)));
    }

    /** Returns the norm that a shift limits. */
    static Norm norm(String shift) {
        Check.that(
                shift.matches("l1|l2|linf"),
                "--shift of models that vote must be none, l1, l2 or linf, the moves for which it is known what groups can be made"
                        + " to vote; got '%s'",
                shift);
        return Norm.valueOf(shift.toUpperCase(Locale.ROOT));
    }

    /**
     * Returns the units in which rows move.
     *
     * @param needing the options that need them
     */
    Map<String, Double> units(String needing, VoteFile file) {
        CellFormat cells = file.cells();
        Check.that(
                units != null,
                "%s of models that vote needs --units, because every group scales columns in its own way",
                needing);
        Check.that(
                cells.missing().stream().allMatch(text -> Double.isNaN(Csv.number(text))),
                "votes cannot be certified for rows that move if a number stands for a missing cell (--missing-values %s): a"
                        + " number may become it; without --units rows stay and votes are certified, or leave these cells empty"
                        + " in the tables and train again",
                String.join(",", cells.missing()));
        if (!units.contains("=")) {
            return spreads(file);
        }
        Map<String, Double> parsed = parsed(used(file));
        parsed.keySet().forEach(column -> requireBeNumbers(column, file));
        return parsed;
    }

    /** A few groups may read words because sources lie; if most do, nothing can be certified. */
    private static void requireBeNumbers(String column, VoteFile file) {
        List<List<Encoding.Column>> reading = file.model().groups().stream()
                .flatMap(group -> group.model().stream())
                .map(model -> model.encoding().columns().stream()
                        .filter(read -> read.origin().equals(column))
                        .toList())
                .filter(columns -> !columns.isEmpty())
                .toList();
        long words = reading.stream()
                .filter(columns -> columns.stream().anyMatch(read -> read.isText() || read.date() != DatePart.NONE))
                .count();
        Check.that(
                2 * words <= reading.size(),
                "--units: %s is text in %d of the %d groups that use it; words do not move, so leave it out of --units",
                column,
                words,
                reading.size());
    }

    /** Returns the columns that some group uses. */
    private static Set<String> used(VoteFile file) {
        return file.model().groups().stream()
                .flatMap(group -> group.model().stream())
                .flatMap(model -> model.encoding().equals(Encoding.NONE)
                        ? model.schema().features().stream()
                        : model.encoding().columns().stream().map(Encoding.Column::origin))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the units of a table; columns that the plan calls text do not move. */
    private Map<String, Double> spreads(VoteFile file) {
        Map<String, Double> spreads = new TreeMap<>(ColumnSpreads.read(units, file.cells()));
        spreads.keySet().retainAll(used(file));
        String text = file.settings().getOrDefault(PlanKey.ONE_HOT.name(), "none");
        spreads.keySet().removeAll(PlanKey.ONE_HOT.parse(text).columns());
        Check.that(!spreads.isEmpty(), "%s: --units must have a column of numbers that some group uses", units);
        return spreads;
    }

    /** A name that no group knows is refused: it would leave the column that was meant where it is. */
    private Map<String, Double> parsed(Set<String> used) {
        Map<String, Double> parsed = new TreeMap<>();
        for (String part : units.split(",", -1)) {
            int at = part.lastIndexOf('=');
            Check.that(
                    at > 0 && !Double.isNaN(Csv.number(part.substring(at + 1))),
                    "--units must be age=5,pressure=10 or a table, got '%s'",
                    part);
            String column = part.substring(0, at).strip();
            Check.that(
                    used.contains(column),
                    "--units: no group uses a column '%s'; the closest: %s",
                    column,
                    String.join(", ", CloseNames.of(column, used)));
            Check.that(
                    parsed.put(column, Csv.number(part.substring(at + 1))) == null,
                    "--units: '%s' is named twice",
                    column);
        }
        return parsed;
    }

    boolean given() {
        return units != null;
    }
}
