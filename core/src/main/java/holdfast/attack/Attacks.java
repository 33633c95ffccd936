package holdfast.attack;

import holdfast.Catalogue;
import java.util.Arrays;
import java.util.List;

/** The attacks a plan may name. */
public final class Attacks {
    private Attacks() {}

    /** Liars who tell the truth. */
    public static final UpdateAttack NONE = Attacks::truth;

    public static Catalogue<UpdateAttack> catalogue() {
        return Catalogue.<UpdateAttack>of("attack")
                .with("none", p -> NONE)
                .with("aggressive", p -> new Aggressive(p.number("factor", 10)))
                .with("intelligent", p -> new Intelligent(p.number("share", 0.8)));
    }

    private static List<double[]> truth(Situation situation) {
        return Arrays.stream(situation.byzantine())
                .mapToObj(b -> situation.honest().stream()
                        .filter(v -> v.worker() == b)
                        .findFirst()
                        .orElseThrow()
                        .vector()
                        .clone())
                .toList();
    }
}
