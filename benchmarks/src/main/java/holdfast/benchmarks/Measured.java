package holdfast.benchmarks;

/**
 * One line of the table.
 *
 * @param what was compared
 * @param value the ratio, or a number with its unit in {@code what}
 * @param goal as text; empty if there is none
 * @param met whether it was reached; true where there is no goal
 */
record Measured(String what, double value, String goal, boolean met) {
    static Measured atLeast(String what, double value, double least) {
        return new Measured(what, value, ">= " + least, value >= least);
    }

    static Measured atMost(String what, double value, double most) {
        return new Measured(what, value, "<= " + most, value <= most);
    }

    static Measured only(String what, double value) {
        return new Measured(what, value, "", true);
    }
}
