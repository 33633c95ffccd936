package holdfast.aggregate;

/** A rule without its f, the number of liars it tolerates. A plan may leave f to the number of workers. */
@FunctionalInterface
public interface RuleFamily {
    /** Returns the rule set up for f liars; a family with its own f ignores the argument. */
    Aggregator tolerating(int f);
}
