package holdfast;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds what a misspelt name may have meant. */
public final class CloseNames {
    private static final int MAX_NAMED = 5;

    private CloseNames() {}

    /** Returns the known names with the fewest edits from the wanted one, closest first; at most {@value #MAX_NAMED}. */
    public static List<String> of(String wanted, Collection<String> known) {
        return known.stream()
                .sorted(Comparator.<String>comparingInt(name -> edits(wanted, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MAX_NAMED)
                .toList();
    }

    /** Returns the number of characters to insert, remove or replace (Levenshtein). */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
