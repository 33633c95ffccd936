package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.SourceNames;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.plan.Header;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several tables, each of them one source, read as one: the files that a user names, or those of a folder. Columns are
 * matched by name, in any order. A column that at most f files have is left out, where f is how many sources the plan
 * tolerates; a file that lacks another column has missing cells there. A file that is no table is an unusable source.
 *
 * <p>Files are read in the order of their sources' names, so the order in which they are given does not matter. They are
 * identified by the SHA-256 of these names and of the files' own SHA-256.
 */
final class DataFiles {
    /** What {@code --workers-by} is when every file is a source. */
    static final String WORKERS_BY = "file";

    private static final System.Logger LOG = System.getLogger("holdfast.formats");
    private static final List<String> ENDINGS = List.of(".csv", ".tsv");
    private static final String ZIPPED = ".gz";
    private static final int MAX_NAMED = 5;

    private final String name;
    /** By the names of their sources. */
    private final Map<String, DataFile> files;

    private DataFiles(String name, Map<String, DataFile> files) {
        this.name = name;
        this.files = files;
    }

    /** Returns the files that these names stand for; empty if it is one file, which is a table of its own. */
    static Optional<DataFiles> of(List<String> given) {
        if (given.size() == 1 && !isFolder(given.get(0))) {
            return Optional.empty();
        }
        List<String> names = given.stream().flatMap(DataFiles::expanded).toList();
        names.forEach(DataFiles::requireBeFile);
        Map<String, DataFile> files = new TreeMap<>();
        Map<String, List<String>> alike = names.stream().collect(Collectors.groupingBy(DataFiles::withoutEnding));
        Map<String, List<String>> named = names.stream().collect(Collectors.groupingBy(DataFiles::fileName));
        for (String file : names) {
            String fileName = fileName(file);
            String source = named.get(fileName).size() > 1
                    ? file
                    : alike.get(withoutEnding(file)).size() > 1 ? fileName : withoutEnding(file);
            Check.that(files.put(source, new DataFile(file)) == null, "%s: is given twice", file);
        }
        String first = names.stream().min(Comparator.naturalOrder()).orElseThrow();
        return Optional.of(new DataFiles(
                given.size() == 1
                        ? given.get(0)
                        : first + " and " + (names.size() - 1) + " more file" + (names.size() == 2 ? "" : "s"),
                files));
    }

    private static boolean isFolder(String name) {
        return !name.equals("-") && !name.startsWith(DataFile.BUILTIN) && Files.isDirectory(DataFile.path(name));
    }

    private static Stream<String> expanded(String name) {
        if (!isFolder(name)) {
            return Stream.of(name);
        }
        try (Stream<Path> all = Files.list(Path.of(name))) {
            List<String> tables = all.filter(Files::isRegularFile)
                    .map(Path::toString)
                    .filter(file -> ENDINGS.stream()
                            .anyMatch(ending -> file.endsWith(ending) || file.endsWith(ending + ZIPPED)))
                    .sorted()
                    .toList();
            Check.that(
                    !tables.isEmpty(),
                    "%s: is a folder without tables; their names must end in %s, perhaps with %s",
                    name,
                    String.join(" or ", ENDINGS),
                    ZIPPED);
            return tables.stream();
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static void requireBeFile(String name) {
        Check.that(!name.equals("-"), "-: standard input cannot be one of several files");
        if (!name.startsWith(DataFile.BUILTIN)) {
            Path path = DataFile.path(name);
            Check.that(Files.exists(path), "%s: cannot be read: no such file", name);
            Check.that(
                    Files.isRegularFile(path) && Files.isReadable(path),
                    "%s: must be a plain file that can be read, because there are several",
                    name);
        }
    }

    private static String fileName(String name) {
        return name.startsWith(DataFile.BUILTIN)
                ? name
                : Path.of(name).getFileName().toString();
    }

    private static String withoutEnding(String name) {
        String plain = fileName(name);
        plain = plain.endsWith(ZIPPED) ? plain.substring(0, plain.length() - ZIPPED.length()) : plain;
        int dot = plain.lastIndexOf('.');
        return dot > 0 ? plain.substring(0, dot) : plain;
    }

    /** Returns the plan to train with: every file is one source. */
    static Plan bySource(Plan plan) {
        Optional<String> column = plan.get(PlanKey.WORKERS_BY);
        Check.that(
                column.orElse(WORKERS_BY).equals(WORKERS_BY),
                "with several files each file is one source, so --workers-by cannot name a column; got '%s'",
                column.orElse(""));
        return plan.with(PlanKey.WORKERS_BY, Optional.of(WORKERS_BY));
    }

    /** Reads training data as a plan says; see {@link Reader#read}. */
    Table read(Plan given, IntFunction<DatasetBuilder> builders, DoubleConsumer progress) {
        Set<String> leftOut = new HashSet<>(given.get(PlanKey.WITHOUT));
        leftOut.retainAll(files.keySet());
        Map<String, DataFile> kept = new TreeMap<>(files);
        kept.keySet().removeAll(leftOut);
        SourceNames.require("--without", leftOut, files.keySet());
        return new DataFiles(name, kept)
                .read(given, files, (source, row) -> true, builders, progress)
                .leftOut(leftOut);
    }

    /**
     * Reads rows of some files as if there were no others.
     *
     * @param sources at least one
     */
    Table read(Plan plan, Set<String> sources, RowFilter filter) {
        Map<String, DataFile> kept = new TreeMap<>(files);
        kept.keySet().retainAll(sources);
        return new DataFiles(name, kept).read(plan, kept, filter, DatasetBuilder::new, share -> {});
    }

    String name() {
        return name;
    }

    /** Returns the files by the names of their sources. */
    Map<String, DataFile> files() {
        return files;
    }

    /** @param all the files that are given, which together identify the data */
    private Table read(
            Plan given,
            Map<String, DataFile> all,
            RowFilter filter,
            IntFunction<DatasetBuilder> builders,
            DoubleConsumer progress) {
        Plan plan = bySource(given);
        Header header = plan.get(PlanKey.HEADER);
        CellFormat cells = CellFormat.of(plan);
        String format = plan.get(PlanKey.FORMAT).orElse("auto");
        Check.that(List.of("auto", "csv").contains(format), "several files must be CSV, got --format %s", format);
        Map<String, String> broken = new LinkedHashMap<>();
        Map<String, List<String>> heads = heads(header, cells, broken);
        int f = ResolvedPlan.toleratedSources(plan, files.size());
        if (heads.isEmpty()) {
            throw new InputException(broken.values().iterator().next());
        }
        Plan columns = plan.without(PlanKey.WORKERS_BY)
                .with(PlanKey.LABEL, plan.get(PlanKey.LABEL).or(() -> Optional.of(lastColumn(heads.values()))));
        List<String> names = commonColumns(heads, f);
        requireNamed("--label", columns.get(PlanKey.LABEL).stream(), names);
        requireNamed("--weights-by", columns.get(PlanKey.WEIGHTS_BY).stream(), names);
        requireNamed("--drop", columns.get(PlanKey.DROP).stream(), names);
        requireNamed("--only", columns.get(PlanKey.ONLY).stream(), names);
        requireNamed("--keep", columns.get(PlanKey.KEEP).stream(), names);
        requireNamed("--one-hot", columns.get(PlanKey.ONE_HOT).columns().stream(), names);
        Csv.Roles roles = Csv.Roles.of(name, names, columns);
        SourceTable table =
                new SourceTable(name, plan, roles.settings(names, columns), names.get(roles.label()), builders);
        MessageDigest digest = DataFile.sha256();
        int[] done = new int[1];
        all.forEach((source, file) -> {
            if (!files.containsKey(source)) {
                digest.update((source + "\0" + file.digest() + "\n").getBytes(StandardCharsets.UTF_8));
                return;
            }
            int number = table.source(source);
            String sha256;
            try {
                if (broken.containsKey(source)) {
                    throw new InputException(broken.get(source));
                }
                requireHaveColumns(source, heads, names, roles, plan.get(PlanKey.MISSING));
                sha256 = file.scan(
                        cells,
                        (reader, in) -> {
                            Csv.addTo(table, number, in, header, roles, names, row -> filter.keeps(source, row));
                            return in.digest().get();
                        },
                        share -> progress.accept((done[0] + share) / files.size()));
            } catch (InputException e) {
                table.charge(number, e.getMessage());
                sha256 = file.digest();
            }
            digest.update((source + "\0" + sha256 + "\n").getBytes(StandardCharsets.UTF_8));
            done[0]++;
        });
        return table.finish(new DataSource(name, HexFormat.of().formatHex(digest.digest())));
    }

    /** Refuses columns by number: files have their columns in any order, so one file would decide what it means. */
    private void requireNamed(String setting, Stream<String> given, List<String> names) {
        given.filter(column -> !names.contains(column))
                .forEach(column -> Check.that(
                        !column.matches("[0-9]+"),
                        "%s: with several files %s must be a column's name, got the number %s",
                        name,
                        setting,
                        column));
    }

    /**
     * Returns the columns of each file.
     *
     * @param broken receives what is wrong with the files that have none
     */
    private Map<String, List<String>> heads(Header header, CellFormat cells, Map<String, String> broken) {
        Map<String, List<String>> heads = new LinkedHashMap<>();
        files.forEach((source, file) -> {
            try {
                List<String> names = file.scan(
                        cells,
                        (reader, in) -> {
                            Check.that(reader instanceof Csv, "%s: must be CSV, as one of several files", in.name());
                            return Csv.head(in, header).names();
                        },
                        share -> {});
                heads.put(source, names);
            } catch (InputException e) {
                broken.put(source, e.getMessage());
            }
        });
        return heads;
    }

    /** Returns the column that is the last one in most files. */
    private static String lastColumn(Collection<List<String>> heads) {
        Map<String, Long> counts = heads.stream()
                .map(names -> names.get(names.size() - 1))
                .collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** Returns the columns that more than f files have, and says which others there are. */
    private List<String> commonColumns(Map<String, List<String>> heads, int f) {
        Map<String, List<String>> having = new LinkedHashMap<>();
        heads.forEach((source, names) -> names.forEach(
                column -> having.computeIfAbsent(column, n -> new ArrayList<>()).add(source)));
        List<String> rare = having.keySet().stream()
                .filter(column -> having.get(column).size() <= f)
                .toList();
        if (!rare.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: at most {1} of {2} files have these columns, which are left out: {3}{4}",
                    name,
                    Integer.toString(f),
                    Integer.toString(files.size()),
                    rare.stream()
                            .limit(MAX_NAMED)
                            .map(column -> column + " (" + String.join(", ", having.get(column)) + ")")
                            .collect(Collectors.joining(", ")),
                    rare.size() > MAX_NAMED ? " and " + (rare.size() - MAX_NAMED) + " more" : "");
        }
        having.keySet().removeAll(rare);
        return List.copyOf(having.keySet());
    }

    /** Checks that a file has the label and the weight, and the features too if no cell may be missing. */
    private void requireHaveColumns(
            String source,
            Map<String, List<String>> heads,
            List<String> names,
            Csv.Roles roles,
            TableColumn.Missing missing) {
        List<String> own = heads.get(source);
        Set<String> lacking = new LinkedHashSet<>(names);
        lacking.retainAll(roles.used(names));
        own.forEach(lacking::remove);
        if (lacking.isEmpty()) {
            return;
        }
        boolean usable = missing != TableColumn.Missing.FAIL
                && own.contains(names.get(roles.label()))
                && (roles.weight() < 0 || own.contains(names.get(roles.weight())));
        String having = heads.keySet().stream()
                .filter(other -> heads.get(other).contains(lacking.iterator().next()))
                .findFirst()
                .orElseThrow();
        String which = files.get(source).name() + ": has no column "
                + lacking.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (lacking.size() > MAX_NAMED ? " and " + (lacking.size() - MAX_NAMED) + " more" : "")
                + ", unlike " + having;
        Check.that(usable, "%s", which);
        LOG.log(System.Logger.Level.WARNING, "{0}; its cells there count as missing", which);
    }
}
