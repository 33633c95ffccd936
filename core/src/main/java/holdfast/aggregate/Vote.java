package holdfast.aggregate;

/**
 * One worker's valid update: finite and of the right length.
 *
 * @param worker its id, 0..m-1
 * @param vector not to be written
 */
public record Vote(int worker, double[] vector) {}
