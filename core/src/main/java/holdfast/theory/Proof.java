package holdfast.theory;

import java.util.Locale;

/**
 * What is proven about a rule that is set up for f liars among m workers.
 *
 * <p>Proven means here: whatever the liars send, the direction G has {@code <G, g>} &gt; 0, where g is the mean of the
 * honest updates, provided that these differ little compared with the length of g. How little depends on the rule, on
 * the numbers of workers and liars, and for some rules on the number of coordinates. That is less than many of the
 * sources prove for rows that are independent and identically distributed. It says nothing about honest workers that
 * differ more, such as workers whose rows are dealt by class, nor about models trained for many rounds.
 *
 * @param holds whether f and m are within what is proven
 * @param condition what must hold of f and m, in words, such as {@code 2f < m with 3 of 8}
 * @param source who proved it, or the class here with the proof; and what else must hold
 * @param boundsLength whether the length of G is tied to that of the honest updates too, as the convergence theorems
 *     need
 */
public record Proof(boolean holds, String condition, String source, boolean boundsLength) {
    /** Makes the proof of a rule whose direction has a length that the theorems allow. */
    public static Proof of(boolean holds, String condition, String source) {
        return new Proof(holds, condition, source, true);
    }

    /**
     * Makes the proof of a rule that withstands fewer liars than a share of the workers.
     *
     * @param share 1/2 if any minority is tolerated
     */
    public static Proof below(double share, int liars, int workers, String source) {
        return of(
                liars < share * workers,
                String.format(
                        Locale.ROOT,
                        "%d of %d is below the share %.3g that the rule tolerates (%s)",
                        liars,
                        workers,
                        share,
                        source),
                source);
    }

    /** Returns the same about the direction of G alone. */
    public Proof withoutLength() {
        return new Proof(holds, condition, source, false);
    }

    /** Returns the condition, or that it does not hold. */
    public String finding() {
        return holds ? condition : "it does not hold that " + condition;
    }
}
