package holdfast;

/**
 * Randomness derived by name, not by the order of calls: {@code seed.child("worker", 3).child("round", 17)} is the same
 * stream on every thread, engine and resume.
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
        // The end of the name counts, so that no index can pass for one more character.
        return new Seed(Randomness.mix(h ^ name.length()));
    }

    public Seed child(String name, long index) {
        return new Seed(Randomness.mix(child(name).value + Randomness.GOLDEN * (index + 1)));
    }

    /** A new stream that starts at this seed; two calls give two equal streams. */
    public Randomness random() {
        return new Randomness(value);
    }
}
