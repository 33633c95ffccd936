package holdfast.aggregate;

/** A rule but for f, the number of liars it tolerates, which a plan may leave to the number of workers. */
@FunctionalInterface
public interface RuleFamily {
    /** The rule set up for f liars; a family with an f of its own ignores this one. */
    Aggregator tolerating(int f);
}
