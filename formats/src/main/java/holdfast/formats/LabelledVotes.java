package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.certificate.RowMove;
import holdfast.certificate.VotedRows;
import holdfast.certificate.VotingModel;
import holdfast.data.DataSource;
import holdfast.data.Schema;
import holdfast.plan.Header;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The votes for the rows of a table, and their labels.
 *
 * @param source the table; without a hash if it is a part of one
 * @param voted what every group votes for each row
 * @param labels of the rows; empty unless they were asked for
 * @param sources of the rows; empty unless they were asked for
 */
public record LabelledVotes(DataSource source, VotedRows voted, double[] labels, List<String> sources) {
    /**
     * Reads a table and lets the groups vote on its rows.
     *
     * @param labelled whether labels are required
     * @param move how far rows may move, if they may
     * @throws InputException if no group can read any row
     */
    public static LabelledVotes of(String name, VoteFile file, boolean labelled, Optional<RowMove> move) {
        return of(name, file, labelled, move, KeptColumns.none());
    }

    /**
     * Does the same, and keeps columns of the table as text.
     *
     * @param kept receives them
     */
    public static LabelledVotes of(
            String name, VoteFile file, boolean labelled, Optional<RowMove> move, KeptColumns kept) {
        Check.that(!new DataFile(name).isConverted(), "%s: votes are on tables, not on .hfd files", name);
        Votes votes = new Votes(name, file.model(), labelled, false);
        String hash = new DataFile(name)
                .scan(
                        file.cells(),
                        kept,
                        (reader, in) -> {
                            Check.that(reader instanceof Csv, "%s: votes are on tables in CSV", name);
                            return Csv.scan(in, Header.AUTO, (columns, rows) -> {
                                votes.bind(columns);
                                kept.bind(columns);
                                rows.forEachRemaining(row -> {
                                    columns.requireHaveAll(row);
                                    votes.add(row, "");
                                    kept.add(row);
                                });
                                return in.digest().get();
                            });
                        },
                        share -> {});
        return votes.finish(hash, move);
    }

    /** Collects rows and lets groups vote on them. */
    static final class Votes {
        private final String file;
        private final VotingModel model;
        private final boolean labelled;
        /** Whether rows whose labels cannot be used are left out; otherwise they are errors. */
        private final boolean lenient;

        private final Labels labels;
        private final List<ModelRows> groups = new ArrayList<>();
        private final List<Double> values = new ArrayList<>();
        private final List<String> sources = new ArrayList<>();
        private CsvColumns columns;
        private int label;
        private int rows;

        Votes(String file, VotingModel model, boolean labelled, boolean lenient) {
            this.file = file;
            this.model = model;
            this.labelled = labelled;
            this.lenient = lenient;
            this.labels = new Labels(file, new Schema(List.of(), model.label(), model.classes(), List.of()));
            model.groups()
                    .forEach(group ->
                            groups.add(group.model().map(ModelRows::new).orElse(null)));
        }

        /** Finds the columns of the file that the next rows are from. */
        void bind(CsvColumns ofFile) {
            columns = ofFile;
            label = labelled ? ofFile.find(model.label(), "label") : -1;
            groups.stream().filter(group -> group != null).forEach(group -> group.bind(ofFile));
        }

        void add(CsvRows.Row row, String source) {
            if (labelled) {
                try {
                    values.add(labels.value(row.cell(label), () -> columns.at(row, label)));
                } catch (InputException e) {
                    if (lenient) {
                        return;
                    }
                    throw e;
                }
            }
            groups.stream().filter(group -> group != null).forEach(group -> group.add(row));
            sources.add(source);
            rows++;
        }

        boolean isEmpty() {
            return rows == 0;
        }

        LabelledVotes finish(String hash, Optional<RowMove> move) {
            Check.that(rows > 0, "%s: no data rows", file);
            Iterator<ModelRows> usable =
                    groups.stream().filter(group -> group != null).iterator();
            String reason = null;
            boolean any = false;
            while (usable.hasNext()) {
                ModelRows next = usable.next();
                any |= next.readsAny();
                reason = reason == null ? next.reason() : reason;
            }
            if (!any && !lenient) {
                throw new InputException(reason);
            }
            DataSource source = new DataSource(file, hash);
            return new LabelledVotes(
                    source,
                    VotedRows.of(
                            model,
                            groups.stream()
                                    .map(group -> Optional.ofNullable(group).map(read -> read.finish(source)))
                                    .toList(),
                            rows,
                            move),
                    values.stream().mapToDouble(Double::doubleValue).toArray(),
                    List.copyOf(sources));
        }
    }
}
