package holdfast;

/**
 * A seed from which others are derived by name, not by the order of calls:
 * {@code seed.child("worker", 3).child("round", 17)} gives the same stream on every thread, on every engine and after
 * every resume.
 */
public record Seed(long value) {

    public static Seed of(long value) {
        return new Seed(value);
    }

    public Seed child(String name) {
        long h = Randomness.mix(value + Randomness.GOLDEN);
        for (int i = 0; i < name.length(); i++) {
            h = Randomness.mix(h + Randomness.GOLDEN * (name.charAt(i) + 1L));
        }
        // The length of the name is mixed in, so that an index cannot be mistaken for one more character.
        return new Seed(Randomness.mix(h ^ name.length()));
    }

    public Seed child(String name, long index) {
        return new Seed(Randomness.mix(child(name).value + Randomness.GOLDEN * (index + 1)));
    }

    /** Returns a new stream that starts at this seed; two calls return two equal streams. */
    public Randomness random() {
        return new Randomness(value);
    }
}
