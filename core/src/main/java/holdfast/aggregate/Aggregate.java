package holdfast.aggregate;

/**
 * What a rule made of a round.
 *
 * @param direction the combined update
 * @param kept ids of the workers whose updates count in it, ascending
 * @param carry what the rule wants back in the next round
 * @param explanation one line: who was left out and by what margin
 */
public record Aggregate(double[] direction, int[] kept, Carry carry, String explanation) {}
