package holdfast.attack;

import holdfast.Catalogue;
import java.util.Arrays;
import java.util.List;

/** The attacks a plan may name. */
public final class Attacks {
    private Attacks() {}

    /** Liars who tell the truth. */
    public static final UpdateAttack NONE = Attacks::truth;

    public static Catalogue<Attack> catalogue() {
        return Catalogue.<Attack>of("attack")
                .with("none", "liars tell the truth", p -> NONE)
                .with(
                        "aggressive",
                        "the paper's: minus factor times the mean of all truthful updates",
                        p -> new Aggressive(p.number("factor", 10)))
                .with(
                        "intelligent",
                        "the paper's: a random direction, share times as long as the mean",
                        p -> new Intelligent(p.number("share", 0.8)));
    }

    private static List<double[]> truth(Situation situation) {
        return Arrays.stream(situation.byzantine())
                .mapToObj(b -> situation.truth().votes().stream()
                        .filter(v -> v.worker() == b)
                        .findFirst()
                        .map(v -> v.vector().clone())
                        .orElseGet(situation::trueMean))
                .toList();
    }
}
