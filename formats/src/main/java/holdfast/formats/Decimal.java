package holdfast.formats;

import java.math.BigInteger;

/**
 * Decimal numbers in ASCII, to the double that {@link Double#parseDouble} gives: w 10^q by one or two products of w with
 * the first 128 bits of 5^q (Lemire 2021, "Number parsing at a gigabyte per second", algorithm 1). Where those do not
 * decide the rounding, and for what is rare, it is asked itself.
 */
final class Decimal {
    private static final int MOST_DIGITS = 19;

    /** Powers of ten from -LARGEST to LARGEST are met here, others by {@link Double#parseDouble}. */
    private static final int LARGEST = 60;

    private static final long[] HIGH = new long[2 * LARGEST + 1];
    private static final long[] LOW = new long[2 * LARGEST + 1];

    static {
        for (int q = -LARGEST; q <= LARGEST; q++) {
            BigInteger power = BigInteger.valueOf(5).pow(Math.abs(q));
            int length = power.bitLength();
            BigInteger bits;
            if (q >= 0) {
                bits = length <= 128 ? power.shiftLeft(128 - length) : power.shiftRight(length - 128);
            } else {
                // Rounded up, as the paper has it: no power of five divides a power of two.
                bits = BigInteger.ONE.shiftLeft(127 + length).divide(power).add(BigInteger.ONE);
            }
            HIGH[q + LARGEST] = bits.shiftRight(64).longValue();
            LOW[q + LARGEST] = bits.longValue();
        }
    }

    private Decimal() {}

    /** The number that all these bytes are; NaN if they are none or one that is not worth the hurry. */
    static double parse(byte[] text, int from, int to) {
        int at = from;
        boolean negative = at < to && text[at] == '-';
        if (at < to && (negative || text[at] == '+')) {
            at++;
        }
        long w = 0;
        int start = at;
        while (at < to && isDigit(text[at])) {
            w = 10 * w + text[at++] - '0';
        }
        int digits = at - start;
        int q = 0;
        if (at < to && text[at] == '.') {
            int point = ++at;
            while (at < to && isDigit(text[at])) {
                w = 10 * w + text[at++] - '0';
            }
            q = point - at;
            digits -= q;
        }
        if (digits == 0 || digits > MOST_DIGITS && digits - zeros(text, start, at) > MOST_DIGITS) {
            return Double.NaN;
        }
        if (at < to && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            boolean down = at < to && text[at] == '-';
            if (at < to && (down || text[at] == '+')) {
                at++;
            }
            int exponent = 0;
            int first = at;
            while (at < to && at < first + 4 && isDigit(text[at])) {
                exponent = 10 * exponent + text[at++] - '0';
            }
            if (at == first) {
                return Double.NaN;
            }
            q += down ? -exponent : exponent;
        }
        if (at < to) {
            return Double.NaN;
        }
        double value = w == 0 ? 0 : q < -LARGEST || q > LARGEST ? Double.NaN : scaled(w, q);
        return negative ? -value : value;
    }

    /** How many of the digits are zeros that begin the number. */
    private static int zeros(byte[] text, int from, int to) {
        int zeros = 0;
        for (int at = from; at < to && (text[at] == '0' || text[at] == '.'); at++) {
            zeros += text[at] == '0' ? 1 : 0;
        }
        return zeros;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /** w 10^q rounded to the nearest double, or NaN where 128 bits of 5^q do not decide. */
    private static double scaled(long w, int q) {
        int zeros = Long.numberOfLeadingZeros(w);
        long x = w << zeros;
        long high = unsignedHigh(x, HIGH[q + LARGEST]);
        long low = x * HIGH[q + LARGEST];
        if ((high & 0x1ff) == 0x1ff) {
            long more = unsignedHigh(x, LOW[q + LARGEST]);
            low += more;
            if (Long.compareUnsigned(low, more) < 0) {
                high++;
            }
        }
        if (low == -1 && (q < -27 || q > 55)) {
            return Double.NaN;
        }
        int top = (int) (high >>> 63);
        long m = high >>> top + 9;
        long exponent = (217706L * q >> 16) + 63 + 1023 + top - zeros;
        // Half way between two doubles: to the even one.
        if (Long.compareUnsigned(low, 1) <= 0 && q >= -4 && q <= 23 && (m & 3) == 1 && m << top + 9 == high) {
            m &= ~1L;
        }
        m = m + (m & 1) >>> 1;
        if (m == 1L << 53) {
            m >>>= 1;
            exponent++;
        }
        return Double.longBitsToDouble(m & ~(1L << 52) | exponent << 52);
    }

    private static long unsignedHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }
}
