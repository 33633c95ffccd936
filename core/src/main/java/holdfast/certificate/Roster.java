package holdfast.certificate;

import holdfast.Check;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Which source belongs to which of K disjoint groups. It is fixed before any row is read, so that a source that lies, or
 * stays away, changes what one group learns and nothing else.
 *
 * @param groups the names of each group's sources, ascending; no group is empty
 */
public record Roster(List<List<String>> groups) {
    public Roster {
        groups = groups.stream().map(names -> names.stream().sorted().toList()).toList();
        Check.that(!groups.isEmpty(), "a roster must have at least one group");
        Map<String, Integer> seen = new HashMap<>();
        for (int g = 0; g < groups.size(); g++) {
            Check.that(!groups.get(g).isEmpty(), "group %d of the roster must have a source, got none", g + 1);
            for (String name : groups.get(g)) {
                Check.that(!name.isBlank(), "a source on the roster must have a name, got a blank one");
                Check.that(seen.put(name, g) == null, "source '%s' must be on the roster once, got it twice", name);
            }
        }
    }

    /**
     * Deals sources to groups in turn, in the order of the SHA-256 of their names. Group sizes differ by at most one, and
     * the result depends only on the set of names and the number of groups.
     */
    public static Roster deal(Collection<String> names, int groups) {
        List<String> sources = new ArrayList<>(new TreeSet<>(names));
        Check.that(groups >= 1, "the number of groups must be at least 1, got %d", groups);
        Check.that(
                groups <= sources.size(),
                "there must be at least as many sources as groups that vote, got %d source%s for %d groups",
                sources.size(),
                sources.size() == 1 ? "" : "s",
                groups);
        sources.sort(Comparator.comparing(Roster::hash));
        List<List<String>> dealt = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            dealt.add(new ArrayList<>());
        }
        for (int s = 0; s < sources.size(); s++) {
            dealt.get(s % groups).add(sources.get(s));
        }
        return new Roster(dealt);
    }

    /**
     * Returns the roster with these groups.
     *
     * @param groupOf the group of each source, from 1; every number up to the largest must occur
     */
    public static Roster of(SortedMap<String, Integer> groupOf) {
        int groups = groupOf.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        Check.that(
                groups <= groupOf.size(),
                "groups must be numbered from 1 without gaps, got group %d of %d sources",
                groups,
                groupOf.size());
        List<List<String>> given = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            given.add(new ArrayList<>());
        }
        groupOf.forEach((name, group) -> {
            Check.that(group >= 1, "source '%s': groups are numbered from 1, got %d", name, group);
            given.get(group - 1).add(name);
        });
        return new Roster(given);
    }

    private static String hash(String name) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns K. */
    public int size() {
        return groups.size();
    }

    /** Returns the number of sources. */
    public int sources() {
        return groups.stream().mapToInt(List::size).sum();
    }

    /** Returns the group of a source, from 0; -1 if it is not on the roster. */
    public int groupOf(String source) {
        for (int g = 0; g < groups.size(); g++) {
            if (groups.get(g).contains(source)) {
                return g;
            }
        }
        return -1;
    }

    /**
     * Checks that all these sources are on the roster.
     *
     * @throws holdfast.InputException that names one that is not
     */
    public void requireHas(Collection<String> sources) {
        for (String source : sources) {
            Check.that(
                    groupOf(source) >= 0,
                    "source '%s' is not on the roster of %d; a source that could add a name would vote twice",
                    source,
                    sources());
        }
    }
}
