package holdfast.theory;

import java.util.Map;
import java.util.Optional;

/**
 * The share of liars below which a rule is proven to withstand them, as the number of workers grows and when it is set up
 * for as many as there are.
 *
 * @param share 1/2 where any minority can be borne, 0 where no liar can
 * @param source who proved it, or the class here with the proof
 */
public record ProvenBreakpoint(double share, String source) {
    private static final Map<String, ProvenBreakpoint> BY_RULE = Map.ofEntries(
            Map.entry("mean", of(0, "Blanchard et al. 2017, Lemma 1")),
            Map.entry("norm-screening", of(1.0 / 3, "Zhou et al., with the condition 2 alpha + beta < 1")),
            Map.entry("norm-clipping", of(0.5, "proven in theory.Clipping")),
            Map.entry(
                    "adaptive-screening",
                    of(0.25, "1/(1 + factor) at equal honest updates; see aggregate.AdaptiveScreening")),
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
            Map.entry("sign-majority", of(0.5, "Bernstein et al. 2019")),
            Map.entry("fltrust", of(1, "Cao et al. 2021: the server's own rows decide")));

    private static ProvenBreakpoint of(double share, String source) {
        return new ProvenBreakpoint(share, source);
    }

    /** Of a rule with its standard parameters; empty where nothing is proven for the rule as it stands here. */
    public static Optional<ProvenBreakpoint> of(String rule) {
        return Optional.ofNullable(BY_RULE.get(rule));
    }
}
