package holdfast.attack;

import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Locale;

/** The directions in which Shejwalkar and Houmansadr (2021) move away from the honest mean, as unit vectors. */
public enum Perturbation {
    /** Minus the standard deviation of each coordinate. */
    STD,
    /** Minus the sign of each coordinate of the mean. */
    SIGN,
    /** Minus the mean itself. */
    UNIT;

    static Perturbation parse(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    double[] of(Cloud honest) {
        double[] towards = switch (this) {
            case STD -> honest.deviation();
            case SIGN -> Arrays.stream(honest.mean()).map(Math::signum).toArray();
            case UNIT -> honest.mean();
        };
        return Vectors.scaled(-1, Vectors.unit(towards));
    }
}
