package holdfast.objective;

import holdfast.Check;
import holdfast.CloseNames;
import holdfast.InputException;
import holdfast.Spec;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What moving features costs, by their names: {@code age=4,sex=fixed}: four times as much as the others, and never. A text
 * column is named by its own name, or one of its features by {@code region=north}; later names overrule earlier ones. {@code
 * region=whole(2)}: the category of the column changes as a whole, at 2 a change, see {@link MixedCost}.
 *
 * @param byName infinite for a feature that does not move; 1 for all that are not named
 * @param whole the columns that change as a whole
 */
public record Prices(Map<String, Double> byName, Map<String, Whole> whole) {
    /** Every feature costs the same. */
    public static final Prices EQUAL = new Prices(Map.of());

    private static final String ALL_EQUAL = "equal";
    private static final String FIXED = "fixed";
    private static final Pattern WHOLE = Pattern.compile("whole\\((.*)\\)");

    /**
     * A column that changes as a whole.
     *
     * @param price of a change
     * @param column its features in scaled rows; empty as long as the rows are not known
     */
    public record Whole(double price, Optional<CategoryColumn> column) {
        /** Reads a price, or what {@link #toString} writes where the rows are known. */
        private static Whole parse(String name, String text) {
            String[] parts = text.split(";", -1);
            double price = number(parts[0]);
            Check.that(
                    price > 0 && Double.isFinite(price),
                    "the price of changing %s must be a number > 0, as in whole(2), got '%s'",
                    name,
                    text);
            return new Whole(price, parts.length == 1 ? Optional.empty() : Optional.of(column(name, parts)));
        }

        private static CategoryColumn column(String name, String[] parts) {
            double[] numbers = Arrays.stream(parts).mapToDouble(Prices::number).toArray();
            Check.that(
                    parts.length > 3 && parts.length % 2 == 1,
                    "the price of changing %s must be a number > 0, as in whole(2), got %s",
                    name,
                    String.join(";", parts));
            return new CategoryColumn(
                    name,
                    (int) numbers[1],
                    IntStream.range(3, parts.length)
                            .filter(i -> i % 2 == 1)
                            .mapToObj(i -> numbers[i])
                            .toList(),
                    IntStream.range(3, parts.length)
                            .filter(i -> i % 2 == 0)
                            .mapToObj(i -> numbers[i])
                            .toList(),
                    numbers[2] != 0);
        }

        @Override
        public String toString() {
            StringJoiner out = new StringJoiner(";", "whole(", ")");
            out.add(Spec.print(price));
            column.ifPresent(known -> {
                out.add(Integer.toString(known.first())).add(known.marked() ? "1" : "0");
                for (int k = 0; k < known.width(); k++) {
                    out.add(Spec.print(known.zero().get(k)))
                            .add(Spec.print(known.one().get(k)));
                }
            });
            return out.toString();
        }
    }

    public Prices {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        whole = Collections.unmodifiableMap(new LinkedHashMap<>(whole));
        byName.forEach((name, price) ->
                Check.that(price > 0, "the price of %s must be > 0, or %s, got %s", name, FIXED, price));
    }

    /** Makes prices of features that all move by any amount, or not at all. */
    public Prices(Map<String, Double> byName) {
        this(byName, Map.of());
    }

    /**
     * Reads {@code equal}, or names with their prices.
     *
     * @throws holdfast.InputException if it cannot be read, or a price is not above 0
     */
    public static Prices parse(String text) {
        Map<String, Double> byName = new LinkedHashMap<>();
        Map<String, Whole> whole = new LinkedHashMap<>();
        for (String part : text.equals(ALL_EQUAL) ? new String[0] : text.split(",", -1)) {
            int at = part.lastIndexOf('=');
            Check.that(at > 0, "must be %s, or such as age=4,sex=%s, got '%s'", ALL_EQUAL, FIXED, part);
            String name = part.substring(0, at).strip();
            String value = part.substring(at + 1).strip();
            Check.that(!byName.containsKey(name) && !whole.containsKey(name), "'%s' is named twice", name);
            Matcher matcher = WHOLE.matcher(value);
            if (matcher.matches()) {
                whole.put(name, Whole.parse(name, matcher.group(1)));
            } else {
                byName.put(name, price(name, value));
            }
        }
        return new Prices(byName, whole);
    }

    private static double price(String name, String text) {
        if (text.equals(FIXED)) {
            return Double.POSITIVE_INFINITY;
        }
        double price = number(text);
        Check.that(
                price > 0 && Double.isFinite(price),
                "the price of %s must be a number > 0, or %s, got '%s'",
                name,
                FIXED,
                text);
        return price;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Whether no feature is named. */
    public boolean areEqual() {
        return byName.isEmpty() && whole.isEmpty();
    }

    /**
     * Returns these prices with what columns that change as a whole are in scaled rows.
     *
     * @param columns the text columns
     * @param features the names of all features
     * @throws holdfast.InputException if one of them is no text column
     */
    public Prices scaled(List<CategoryColumn> columns, List<String> features) {
        Map<String, Whole> known = new LinkedHashMap<>();
        whole.forEach((name, change) -> {
            Optional<CategoryColumn> column =
                    columns.stream().filter(c -> c.name().equals(name)).findFirst();
            requireFeature(column.isPresent() || features.contains(name), name, features);
            Check.that(
                    column.isPresent(),
                    "--prices: '%s' is no column of text, so it cannot change as a whole; leave out whole(...)",
                    name);
            known.put(name, new Whole(change.price, column));
        });
        return new Prices(byName, known);
    }

    private static void requireFeature(boolean is, String name, List<String> features) {
        if (!is) {
            // All features of a text column have its price.
            List<String> known = features.stream()
                    .map(feature -> feature.replaceFirst("=.*| missing$", ""))
                    .distinct()
                    .toList();
            throw new InputException("--prices: '" + name + "' is not a feature of the model; the closest: "
                    + String.join(", ", CloseNames.of(name, known)));
        }
    }

    /**
     * Returns the cost for these features.
     *
     * @throws holdfast.InputException if a name is not among them, or nothing can move
     */
    public PricedCost on(List<String> features) {
        if (areEqual()) {
            return WeightedL2.EQUAL;
        }
        double[] own = prices(features);
        Check.that(
                !whole.isEmpty() || Arrays.stream(own).anyMatch(Double::isFinite),
                "--prices: a cost that moves nothing: at least one of the %d features must have a finite price",
                own.length);
        return whole.isEmpty()
                ? WeightedL2.of(own)
                : MixedCost.of(
                        own,
                        whole.values().stream()
                                .map(change -> new MixedCost.Change(
                                        change.column.orElseThrow(() -> new IllegalStateException(
                                                "categories that change as a whole are known of scaled rows alone")),
                                        change.price))
                                .toList());
    }

    /**
     * Returns what moving features costs that move by any amount; the others, and those of columns that change as a whole, do not
     * move. The rows need not be known.
     *
     * @throws holdfast.InputException if a name is not among the features, or nothing can move
     */
    public WeightedL2 byAnyAmount(List<String> features) {
        return whole.isEmpty() ? on(features).features() : WeightedL2.ofMany(prices(features));
    }

    private double[] prices(List<String> features) {
        double[] own = new double[features.size()];
        Arrays.fill(own, 1);
        boolean[] together = new boolean[own.length];
        whole.forEach((name, change) -> {
            int[] chosen = change.column
                    .map(column -> IntStream.range(column.first(), Math.min(column.end(), own.length)))
                    .orElseGet(() -> IntStream.range(0, own.length)
                            .filter(i -> features.get(i).startsWith(name + "=")
                                    || features.get(i).equals(name + " missing")))
                    .toArray();
            requireFeature(chosen.length > 0, name, features);
            for (int i : chosen) {
                own[i] = Double.POSITIVE_INFINITY;
                together[i] = true;
            }
        });
        byName.forEach((name, price) -> {
            int[] chosen = IntStream.range(0, own.length)
                    .filter(i -> features.get(i).equals(name)
                            || features.get(i).startsWith(name + "=")
                            || features.get(i).equals(name + " missing") && !byName.containsKey(features.get(i)))
                    .toArray();
            requireFeature(chosen.length > 0, name, features);
            for (int i : chosen) {
                Check.that(
                        !together[i],
                        "--prices: '%s' is of a column that changes as a whole, so it has no price of its own",
                        name);
                own[i] = price;
            }
        });
        return own;
    }

    /**
     * Returns the same prices for features that are named by their numbers from 0, as where only rows are known.
     *
     * @throws holdfast.InputException as {@link #on}
     */
    public Prices numbered(List<String> features) {
        PricedCost cost = on(features);
        Map<String, Double> numbered = new LinkedHashMap<>();
        for (int i = 0; i < features.size(); i++) {
            int feature = i;
            boolean together = cost.changes().stream()
                    .anyMatch(change -> change.column().first() <= feature
                            && feature < change.column().end());
            if (!together && cost.features().price(i) != 1) {
                numbered.put(Integer.toString(i), cost.features().price(i));
            }
        }
        return new Prices(numbered, whole);
    }

    /** Returns the text that {@link #parse} reads back. */
    @Override
    public String toString() {
        StringJoiner out = new StringJoiner(",");
        byName.forEach(
                (name, price) -> out.add(name + "=" + (price == Double.POSITIVE_INFINITY ? FIXED : Spec.print(price))));
        whole.forEach((name, change) -> out.add(name + "=" + change));
        return areEqual() ? ALL_EQUAL : out.toString();
    }
}
