package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.certificate.OptimumGap;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** How far a run is from the honest optimum, in words. */
final class GapText {
    private GapText() {}

    /** Returns the sentence; the bound is rounded up. */
    static String of(OptimumGap gap) {
        return "the objective is at most "
                + BigDecimal.valueOf(gap.bound())
                        .round(new MathContext(3, RoundingMode.CEILING))
                        .toString()
                + " above its least value over the honest workers, whichever " + gap.tolerated() + " of "
                + gap.workers() + " lied";
    }

    static void json(ObjectNode root, OptimumGap gap) {
        ObjectNode node = root.putObject("optimum_gap");
        JsonText.put(node, "at_most", gap.bound());
        JsonText.put(node, "epsilon", gap.epsilon());
        JsonText.put(node, "mu", gap.mu());
        node.put("if_liars_at_most", gap.tolerated());
        node.put("workers", gap.workers());
        node.put("searched_all", gap.exact());
    }
}
