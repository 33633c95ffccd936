package holdfast.objective;

import holdfast.Check;
import holdfast.Spec;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What moving features costs, by their names: {@code age=4,sex=fixed}: four times as much as the others, and never. A text
 * column is named by its own name, or one of its features by {@code region=north}; later names overrule earlier ones.
 *
 * @param byName infinite for a feature that does not move; 1 for all that are not named
 */
public record Prices(Map<String, Double> byName) {
    /** Every feature costs the same. */
    public static final Prices EQUAL = new Prices(Map.of());

    private static final String ALL_EQUAL = "equal";
    private static final String FIXED = "fixed";

    public Prices {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        byName.forEach((name, price) ->
                Check.that(price > 0, "the price of %s must be > 0, or %s, got %s", name, FIXED, price));
    }

    /**
     * Reads {@code equal}, or names with their prices.
     *
     * @throws holdfast.InputException if it cannot be read, or a price is not above 0
     */
    public static Prices parse(String text) {
        Map<String, Double> byName = new LinkedHashMap<>();
        for (String part : text.equals(ALL_EQUAL) ? new String[0] : text.split(",", -1)) {
            int at = part.lastIndexOf('=');
            Check.that(at > 0, "must be %s, or such as age=4,sex=%s, got '%s'", ALL_EQUAL, FIXED, part);
            String name = part.substring(0, at).strip();
            Check.that(
                    byName.put(name, price(name, part.substring(at + 1).strip())) == null, "'%s' is named twice", name);
        }
        return new Prices(byName);
    }

    private static double price(String name, String text) {
        if (text.equals(FIXED)) {
            return Double.POSITIVE_INFINITY;
        }
        double price;
        try {
            price = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            price = Double.NaN;
        }
        Check.that(
                price > 0 && Double.isFinite(price),
                "the price of %s must be a number > 0, or %s, got '%s'",
                name,
                FIXED,
                text);
        return price;
    }

    /** Whether no feature is named. */
    public boolean areEqual() {
        return byName.isEmpty();
    }

    /**
     * Returns the cost for these features.
     *
     * @throws holdfast.InputException if a name is not among them, or nothing can move
     */
    public WeightedL2 on(List<String> features) {
        if (areEqual()) {
            return WeightedL2.EQUAL;
        }
        double[] own = new double[features.size()];
        Arrays.fill(own, 1);
        byName.forEach((name, price) -> {
            int[] chosen = IntStream.range(0, own.length)
                    .filter(i -> features.get(i).equals(name) || features.get(i).startsWith(name + "="))
                    .toArray();
            Check.that(chosen.length > 0, "--prices: '%s' is not a feature of the model", name);
            for (int i : chosen) {
                own[i] = price;
            }
        });
        Check.that(
                Arrays.stream(own).anyMatch(Double::isFinite),
                "--prices: a cost that moves nothing: at least one of the %d features must have a finite price",
                own.length);
        return WeightedL2.of(own);
    }

    /**
     * Returns the same prices for features that are named by their numbers from 0, as where only rows are known.
     *
     * @throws holdfast.InputException as {@link #on}
     */
    public Prices numbered(List<String> features) {
        WeightedL2 cost = on(features);
        Map<String, Double> numbered = new LinkedHashMap<>();
        for (int i = 0; i < features.size(); i++) {
            if (cost.price(i) != 1) {
                numbered.put(Integer.toString(i), cost.price(i));
            }
        }
        return new Prices(numbered);
    }

    /** Returns the text that {@link #parse} reads back. */
    @Override
    public String toString() {
        return areEqual()
                ? ALL_EQUAL
                : byName.entrySet().stream()
                        .map(named -> named.getKey() + "="
                                + (named.getValue() == Double.POSITIVE_INFINITY ? FIXED : Spec.print(named.getValue())))
                        .collect(Collectors.joining(","));
    }
}
