package holdfast.attack;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;

/** Every element is infinite or NaN: this tests the validation before the rule, not the rule. */
public record NonFinite(double value) implements UpdateAttack {
    public NonFinite {
        Check.that(!Double.isFinite(value), "the value must not be finite, got %s", value);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        return Arrays.stream(context.byzantine())
                .mapToObj(b -> {
                    double[] v = new double[context.truth().theta().length];
                    Arrays.fill(v, value);
                    return v;
                })
                .toList();
    }
}
