package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.certificate.RowMove;
import holdfast.certificate.VoteHoldOut;
import holdfast.certificate.VotingModel;
import holdfast.data.DataSource;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A table whose sources vote in groups, or several files, each of them one source. Its rows are read group by group, and what
 * a group reads does not depend on the rows of the others: everything that reading decides is decided again.
 *
 * <p>Of one table, the separators, quotes and line ends are trusted, and so is the column that names the sources: whoever
 * puts rows of several sources into one file must write them as cells. Files of one source each need no such trust.
 */
public final class VoteTable {
    private final Plan plan;
    private final String name;
    /** Empty if there is one table. */
    private final Optional<DataFiles> files;

    private final String label;
    private final SortedMap<String, Integer> sources;
    private final String sha256;

    private VoteTable(Plan plan, String name, Optional<DataFiles> files, Csv.Sources sources, String sha256) {
        this.plan = plan;
        this.name = name;
        this.files = files;
        this.label = sources.label();
        this.sources = sources.rows();
        this.sha256 = sha256;
    }

    /**
     * Finds the sources.
     *
     * @throws InputException if the table cannot be read group by group
     */
    public static VoteTable of(List<String> names, Plan plan) {
        Optional<DataFiles> files = DataFiles.of(names);
        String format = plan.get(PlanKey.FORMAT).orElse("auto");
        Check.that(
                List.of("auto", "csv").contains(format),
                "--vote needs tables in CSV, of which every group reads its own rows; got --format %s",
                format);
        return files.map(several -> ofFiles(several, plan)).orElseGet(() -> ofOne(names.get(0), plan));
    }

    private static VoteTable ofOne(String name, Plan plan) {
        Check.that(
                plan.bySource(),
                "--vote needs sources: --workers-by, the column that names the source of each row, or one file per source");
        DataFile file = new DataFile(name);
        Check.that(
                !file.isConverted(),
                "%s: --vote needs the table it was converted from: what its columns hold was decided over the rows of all"
                        + " sources",
                name);
        Check.that(
                name.startsWith(DataFile.BUILTIN) || Files.isRegularFile(DataFile.path(name)),
                "%s: --vote needs a plain file, because every group reads it again",
                name);
        String[] digest = new String[1];
        Csv.Sources sources = file.scan(
                CellFormat.of(plan),
                (reader, in) -> {
                    requireBeCsv(reader, name, plan);
                    Csv.Sources found = Csv.sources(in, plan);
                    digest[0] = in.digest().get();
                    return found;
                },
                share -> {});
        return new VoteTable(plan, name, Optional.empty(), sources, digest[0]);
    }

    private static void requireBeCsv(Reader reader, String name, Plan plan) {
        Check.that(
                reader instanceof Csv || plan.get(PlanKey.FORMAT).isPresent(),
                "%s: --vote needs a table in CSV; %s data name no sources",
                name,
                reader.name());
    }

    private static VoteTable ofFiles(DataFiles files, Plan plan) {
        Check.that(
                plan.get(PlanKey.LABEL).isPresent(),
                "--vote with several files needs --label: otherwise every group takes the last column of its own files");
        SortedMap<String, Integer> sources = new TreeMap<>();
        MessageDigest digest = DataFile.sha256();
        files.files().forEach((source, file) -> {
            int[] rows = new int[1];
            try {
                file.scan(
                        CellFormat.of(plan),
                        (reader, in) -> Csv.scan(in, plan.get(PlanKey.HEADER), (columns, all) -> {
                            all.forEachRemaining(row -> rows[0]++);
                            return null;
                        }),
                        share -> {});
            } catch (InputException e) {
                // Its group finds the same when it reads the file, and is unusable for it.
                rows[0] = 0;
            }
            sources.put(source, rows[0]);
            digest.update((source + "\0" + file.digest() + "\n").getBytes(StandardCharsets.UTF_8));
        });
        return new VoteTable(
                DataFiles.bySource(plan),
                files.name(),
                Optional.of(files),
                new Csv.Sources(plan.get(PlanKey.LABEL).orElseThrow(), sources),
                HexFormat.of().formatHex(digest.digest()));
    }

    /** Returns the plan to train with: if there are several files, each is a source. */
    public Plan plan() {
        return plan;
    }

    /** Returns the name of the label column. */
    public String label() {
        return label;
    }

    /** Returns how many rows each source has. */
    public SortedMap<String, Integer> sources() {
        return Collections.unmodifiableSortedMap(sources);
    }

    /** Returns what identifies the data. */
    public DataSource source() {
        return new DataSource(name, sha256);
    }

    /**
     * Reads the rows that a group learns from.
     *
     * @throws InputException if its rows cannot be read, or there are none
     */
    public Table training(Collection<String> group, VoteHoldOut heldOut) {
        Set<String> own = new HashSet<>(group);
        own.retainAll(sources.keySet());
        Check.that(!own.isEmpty(), "none of its sources is in the data");
        RowFilter filter = (source, row) -> own.contains(source) && !heldOut.has(source, row);
        return files.isPresent()
                ? files.get().read(plan, own, filter)
                : new DataFile(name).scan(CellFormat.of(plan), (reader, in) -> Csv.read(in, plan, filter), share -> {});
    }

    /**
     * Lets the groups vote on the held-out rows. Rows whose labels cannot be used are left out.
     *
     * @param move how far rows may move, if they may
     * @return empty if there are none
     */
    public Optional<LabelledVotes> heldOut(VotingModel model, VoteHoldOut heldOut, Optional<RowMove> move) {
        if (heldOut.count() == 0) {
            return Optional.empty();
        }
        LabelledVotes.Votes votes = new LabelledVotes.Votes(name + " (held out)", model, true, true);
        Map<String, DataFile> tables = files.map(DataFiles::files).orElse(Map.of("", new DataFile(name)));
        tables.forEach((source, file) -> {
            try {
                file.scan(
                        CellFormat.of(plan),
                        (reader, in) -> Csv.scan(in, plan.get(PlanKey.HEADER), (columns, all) -> {
                            int by = files.isPresent()
                                    ? -1
                                    : columns.find(plan.get(PlanKey.WORKERS_BY).orElseThrow(), "source");
                            votes.bind(columns);
                            new ChosenRows(
                                            all,
                                            row -> by < 0
                                                    ? source
                                                    : ChosenRows.named(columns, by)
                                                            .apply(row),
                                            heldOut::has)
                                    .forEachRemaining(row -> {
                                        columns.requireHaveAll(row);
                                        votes.add(
                                                row,
                                                by < 0 ? source : row.cell(by).strip());
                                    });
                            return null;
                        }),
                        share -> {});
            } catch (InputException e) {
                // A file that is no table is told by the group that it belongs to.
                Check.that(files.isPresent(), "%s", e.getMessage());
            }
        });
        return votes.isEmpty() ? Optional.empty() : Optional.of(votes.finish("", move));
    }
}
