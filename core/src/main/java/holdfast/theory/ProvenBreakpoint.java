package holdfast.theory;

import java.util.Map;
import java.util.Optional;

/**
 * The share of liars below which a rule is proven to withstand them, when the number of workers grows and the rule is
 * set up for as many liars as there are.
 *
 * <p>To withstand means here: whatever the liars send, the direction G has {@code <G, g>} &gt; 0, where g is the mean
 * of the honest updates, provided that these differ little compared with the length of g. How little depends on the
 * rule, on the numbers of workers and liars, and for some rules on the number of coordinates. That is less than many of
 * the sources prove for rows that are independent and identically distributed. It says nothing about honest workers
 * that differ more, such as workers whose rows are dealt by class, nor about models trained for many rounds.
 *
 * @param share 1/2 if any minority is tolerated, 0 if no liar is
 * @param source who proved it, or the class here with the proof; and what else must hold
 */
public record ProvenBreakpoint(double share, String source) {
    private static final Map<String, ProvenBreakpoint> BY_RULE = Map.ofEntries(
            Map.entry("mean", of(0, "Blanchard et al. 2017, Lemma 1")),
            Map.entry("norm-screening", of(1.0 / 3, "Zhou et al., Theorem 1: 2 alpha + beta < 1")),
            Map.entry("norm-clipping", of(0.5, "theory.ClippingBound: (b + f)/m < 1")),
            Map.entry(
                    "adaptive-screening",
                    of(
                            1.0 / 8,
                            "aggregate.AdaptiveScreening: 1/(2 + 2 factor) for factor 3; 1/(1 + factor) while no honest"
                                    + " worker is barred")),
            Map.entry("median", of(0.5, "Yin et al. 2018")),
            Map.entry("trimmed-mean", of(0.5, "Yin et al. 2018")),
            Map.entry("geometric-median", of(0.5, "Chen, Su, Xu 2017")),
            Map.entry("krum", of(0.5, "Blanchard et al. 2017: 2f + 2 < m")),
            Map.entry("multi-krum", of(0.5, "Blanchard et al. 2017: 2f + 2 < m")),
            Map.entry("mda", of(0.5, "El Mhamdi, Guerraoui, Guirguis, Hoang, Rouault 2020")),
            Map.entry("meamed", of(0.5, "Xie, Koyejo, Gupta 2018")),
            Map.entry("caf", of(0.5, "Allouah et al. 2025")),
            Map.entry("smea", of(0.5, "Allouah et al. 2023")),
            Map.entry("bulyan", of(0.25, "El Mhamdi, Guerraoui, Rouault 2018: 4f + 3 <= m")),
            Map.entry(
                    "sign-majority",
                    of(0.5, "Bernstein et al. 2019; where honest signs differ, fewer liars turn a coordinate")),
            Map.entry("fltrust", of(1, "Cao et al. 2021: while the server's own update differs little from g too")));

    private static ProvenBreakpoint of(double share, String source) {
        return new ProvenBreakpoint(share, source);
    }

    /**
     * Returns what is proven about a rule with its default parameters; empty if nothing is proven for the rule as
     * implemented here.
     */
    public static Optional<ProvenBreakpoint> of(String rule) {
        return Optional.ofNullable(BY_RULE.get(rule));
    }

    /** Whether this many liars of m workers are below the share. */
    public boolean withstands(int liars, int workers) {
        return liars < share * workers;
    }
}
