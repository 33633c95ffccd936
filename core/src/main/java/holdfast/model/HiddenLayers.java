package holdfast.model;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How many units the hidden layers of a network have, first layer first; written 32 or 64-32. */
public record HiddenLayers(List<Integer> units) {
    private static final int MAX_UNITS = 100_000;
    private static final Pattern FORM = Pattern.compile("\\d{1,9}(-\\d{1,9})*");

    public HiddenLayers {
        units = List.copyOf(units);
        Check.that(!units.isEmpty(), "mlp: hidden must name at least one layer");
        for (int n : units) {
            Check.that(n >= 1 && n <= MAX_UNITS, "mlp: a hidden layer has 1 to %d units, got %d", MAX_UNITS, n);
        }
    }

    public static HiddenLayers of(Integer... units) {
        return new HiddenLayers(List.of(units));
    }

    /** @throws NumberFormatException if it is no list of numbers */
    static HiddenLayers parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new NumberFormatException();
        }
        return new HiddenLayers(
                Arrays.stream(text.split("-")).map(Integer::valueOf).toList());
    }

    @Override
    public String toString() {
        return units.stream().map(String::valueOf).collect(Collectors.joining("-"));
    }
}
