package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.certificate.Roster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a roster: one source per line, and after a comma its group from 1, for all sources or for none. */
public final class RosterFile {
    private static final Pattern GROUPED = Pattern.compile("(.*),\\s*([0-9]{1,9})");

    private RosterFile() {}

    /**
     * Reads a roster.
     *
     * @param groups K; sources without groups are dealt to so many
     */
    public static Roster read(Path file, int groups) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file).stream()
                    .map(line -> line.startsWith("\uFEFF") ? line.substring(1) : line)
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
        }
        Check.that(!lines.isEmpty(), "%s: a roster must have a source on each line, got none", file);
        SortedMap<String, Integer> groupOf = new TreeMap<>();
        int grouped = 0;
        for (String line : lines) {
            Matcher given = GROUPED.matcher(line);
            boolean has = given.matches();
            grouped += has ? 1 : 0;
            String name = has ? given.group(1).strip() : line;
            Check.that(
                    groupOf.put(name, has ? Integer.parseInt(given.group(2)) : 0) == null,
                    "%s: source '%s' must be on the roster once, got it twice",
                    file,
                    name);
        }
        Check.that(
                grouped == 0 || grouped == lines.size(),
                "%s: every source must have a group or none, got %d of %d with one",
                file,
                grouped,
                lines.size());
        try {
            Roster roster = grouped == 0 ? Roster.deal(groupOf.keySet(), groups) : Roster.of(groupOf);
            Check.that(
                    roster.size() == groups, "the roster must have %d groups (--vote), got %d", groups, roster.size());
            return roster;
        } catch (InputException e) {
            throw new InputException(file + ": " + e.getMessage());
        }
    }
}
