package holdfast.formats;

import holdfast.Check;
import java.util.List;

/** Says which columns of a table are left out because they look like identifiers of rows. */
public final class LeftOutColumns {
    private static final System.Logger LOG = System.getLogger("holdfast.formats");
    private static final int MAX_NAMED = 5;

    private LeftOutColumns() {}

    /**
     * Warns of columns that are left out.
     *
     * @throws holdfast.InputException if no other is there
     */
    public static void warn(String file, List<DecidedColumn> columns) {
        List<DecidedColumn> left =
                columns.stream().filter(c -> c.leftOut() != null).toList();
        if (left.isEmpty()) {
            return;
        }
        String keep = ShellArgument.option(
                "--keep", left.stream().map(DecidedColumn::name).toList());
        Check.that(
                left.size() < columns.size(),
                "%s: no feature is left: column %s has %s; %s would use it",
                file,
                left.get(0).name(),
                left.get(0).leftOut(),
                keep);
        for (DecidedColumn column : left.subList(0, Math.min(MAX_NAMED, left.size()))) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: column {1} is left out: {2}; {3} would use it",
                    file,
                    column.name(),
                    column.leftOut(),
                    ShellArgument.option("--keep", column.name()));
        }
        if (left.size() > MAX_NAMED) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} more columns are left out because they look like identifiers; {2} would use them all",
                    file,
                    Integer.toString(left.size() - MAX_NAMED),
                    keep);
        }
    }
}
