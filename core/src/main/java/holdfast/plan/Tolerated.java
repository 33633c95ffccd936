package holdfast.plan;

import holdfast.Check;
import holdfast.InputException;
import holdfast.theory.ScreeningBound;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How many liars a rule is set up for, f: a count, a share of the workers, or a number that suits the number of
 * workers.
 */
public sealed interface Tolerated {
    /** A tenth of the workers, rounded up, but less than a third of them, where screening breaks. */
    Tolerated AUTO = new Auto();

    /**
     * Returns f for m workers.
     *
     * @throws InputException if that leaves nobody honest
     */
    int among(int workers);

    static Tolerated count(int count) {
        return new Count(count);
    }

    static Tolerated share(double share) {
        Check.that(share > 0 && share < 1, "--tolerated must be a count or a share between 0 and 1, got %s", share);
        return new Share(BigDecimal.valueOf(share));
    }

    /** {@code auto}, a whole number, or a share below 1. */
    static Tolerated parse(String text) {
        if (text.equals("auto")) {
            return AUTO;
        }
        BigDecimal value;
        try {
            value = new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            throw new InputException("--tolerated must be a count or a share below 1, got '" + text + "'");
        }
        boolean share = value.compareTo(BigDecimal.ONE) < 0;
        Check.that(
                value.signum() >= 0
                        && (share || value.stripTrailingZeros().scale() <= 0)
                        && value.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) < 0,
                "--tolerated must be a whole number >= 0 or a share below 1, got %s",
                text);
        return share && value.signum() > 0 ? new Share(value) : new Count(value.intValueExact());
    }

    /** See {@link #AUTO}. */
    record Auto() implements Tolerated {
        @Override
        public int among(int workers) {
            return Math.min(workers / 10 + (workers % 10 == 0 ? 0 : 1), ScreeningBound.maxTolerated(workers));
        }

        @Override
        public String toString() {
            return "auto";
        }
    }

    /** The same number whatever the number of workers. */
    record Count(int count) implements Tolerated {
        public Count {
            Check.that(count >= 0, "--tolerated must be a whole number >= 0 or a share below 1, got %d", count);
        }

        @Override
        public int among(int workers) {
            Check.that(
                    count < workers,
                    "--tolerated must be below the number of workers, got %d for %d workers",
                    count,
                    workers);
            return count;
        }

        @Override
        public String toString() {
            return Integer.toString(count);
        }
    }

    /** The smallest whole number not below beta m, in decimal arithmetic: 0.28 of 25 is 7 and not 8. */
    record Share(BigDecimal share) implements Tolerated {
        public Share {
            Check.that(
                    share.signum() > 0 && share.compareTo(BigDecimal.ONE) < 0,
                    "--tolerated must be a whole number >= 0 or a share below 1, got %s",
                    share);
            share = share.stripTrailingZeros();
        }

        @Override
        public int among(int workers) {
            BigDecimal count = share.multiply(BigDecimal.valueOf(workers));
            Check.that(
                    count.compareTo(BigDecimal.valueOf(workers - 1L)) <= 0,
                    "--tolerated must be below the number of workers, got %s for %d workers",
                    share,
                    workers);
            // Rounding 1e-999999999 would need that many digits.
            return count.compareTo(BigDecimal.ONE) < 0
                    ? 1
                    : count.setScale(0, RoundingMode.CEILING).intValue();
        }

        @Override
        public String toString() {
            return share.toString();
        }
    }
}
