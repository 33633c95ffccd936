package holdfast.math;

/** Puts numbers in order without making an object of each. */
public final class Order {
    private static final int SHORT = 16;

    private Order() {}

    /**
     * Returns the places of the values from the smallest to the largest, as {@link Double#compare} orders them; equal values
     * keep their order.
     */
    public static int[] ascending(double[] values) {
        int[] order = new int[values.length];
        double[] sorted = values.clone();
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        for (int from = 0; from < order.length; from += SHORT) {
            insert(sorted, order, from, Math.min(order.length, from + SHORT));
        }
        double[] otherValues = new double[values.length];
        int[] otherOrder = new int[order.length];
        for (long width = SHORT; width < order.length; width *= 2) {
            for (long from = 0; from < order.length; from += 2 * width) {
                merge(
                        sorted,
                        order,
                        (int) from,
                        (int) Math.min(order.length, from + width),
                        (int) Math.min(order.length, from + 2 * width),
                        otherValues,
                        otherOrder);
            }
            double[] values2 = sorted;
            sorted = otherValues;
            otherValues = values2;
            int[] order2 = order;
            order = otherOrder;
            otherOrder = order2;
        }
        return order;
    }

    private static void insert(double[] values, int[] order, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            double value = values[i];
            int place = order[i];
            int at = i;
            while (at > from && Double.compare(values[at - 1], value) > 0) {
                values[at] = values[at - 1];
                order[at] = order[at - 1];
                at--;
            }
            values[at] = value;
            order[at] = place;
        }
    }

    /** Merges the ordered values from..middle-1 and middle..to-1 into the same places of other arrays. */
    private static void merge(
            double[] values, int[] order, int from, int middle, int to, double[] intoValues, int[] intoOrder) {
        int left = from;
        int right = middle;
        for (int at = from; at < to; at++) {
            boolean first = right >= to || left < middle && Double.compare(values[left], values[right]) <= 0;
            int next = first ? left++ : right++;
            intoValues[at] = values[next];
            intoOrder[at] = order[next];
        }
    }
}
