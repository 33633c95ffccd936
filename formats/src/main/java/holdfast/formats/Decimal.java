package holdfast.formats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * Reads decimal numbers in ASCII, with the same result as {@link Double#parseDouble}: w 10^q by one or two products of
 * w with the first 128 bits of 5^q (Lemire 2021, "Number parsing at a gigabyte per second", algorithm 1). If those do
 * not decide the rounding, and in rare cases, the caller uses {@code parseDouble} itself. Decimal places are read eight
 * at a time.
 */
final class Decimal {
    private static final int MAX_DIGITS = 19;

    private static final int EIGHT = 8;
    private static final long ZEROS = 0x3030303030303030L;
    private static final long[] TENS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};
    private static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Powers of ten from -LARGEST to LARGEST are handled here, others by {@link Double#parseDouble}. */
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
                // Rounded up, as in the paper: no power of five divides a power of two.
                bits = BigInteger.ONE.shiftLeft(127 + length).divide(power).add(BigInteger.ONE);
            }
            HIGH[q + LARGEST] = bits.shiftRight(64).longValue();
            LOW[q + LARGEST] = bits.longValue();
        }
    }

    /** Where the last number read ends. */
    private int end;

    int end() {
        return end;
    }

    /**
     * Returns the number that begins here and ends at {@link #end()}. Returns NaN if there is none, or if it is not one
     * of the cases handled here.
     */
    double read(byte[] text, int from, int to) {
        int at = from;
        // No branch: signs are unpredictable.
        int sign = at < to ? text[at] : 0;
        at += sign == '-' | sign == '+' ? 1 : 0;
        long w = 0;
        int start = at;
        while (at < to && isDigit(text[at])) {
            w = 10 * w + text[at++] - '0';
        }
        int digits = at - start;
        int q = 0;
        if (at < to && text[at] == '.') {
            int point = ++at;
            int count = EIGHT;
            while (count == EIGHT) {
                long eight = eight(text, at);
                count = Math.min(count(eight), to - at);
                w = w * TENS[count] + value(eight, count);
                at += count;
            }
            q = point - at;
            digits -= q;
        }
        end = at;
        if (digits == 0 || digits > MAX_DIGITS && digits - zeros(text, start, at) > MAX_DIGITS) {
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
            end = at;
            q += down ? -exponent : exponent;
        }
        double value = w == 0 ? 0 : q < -LARGEST || q > LARGEST ? Double.NaN : scaled(w, q);
        return sign == '-' ? -value : value;
    }

    /** Returns the next eight bytes as digits, the first one lowest; a byte that is not a digit is above 9. */
    private static long eight(byte[] text, int at) {
        if (at + EIGHT <= text.length) {
            return (long) BYTES.get(text, at) ^ ZEROS;
        }
        long eight = -1;
        for (int i = text.length - 1; i >= at; i--) {
            eight = eight << 8 | (text[i] ^ '0') & 0xff;
        }
        return eight;
    }

    /** Counts the leading digits. Adding 0x76 sets the top bit of a byte above 9; only bytes above 9 can carry. */
    private static int count(long eight) {
        return Long.numberOfTrailingZeros((eight + 0x7676767676767676L | eight) & 0x8080808080808080L) / 8;
    }

    /** Returns the value of the first digits: neighbours are combined to numbers below 100, then 10^4, then 10^8. */
    private static long value(long eight, int count) {
        if (count == 0) {
            return 0;
        }
        long x = eight << 64 - 8 * count;
        x = 10 * x + (x >>> 8) & 0x00ff00ff00ff00ffL;
        x = 100 * x + (x >>> 16) & 0x0000ffff0000ffffL;
        return 10_000 * x + (x >>> 32) & 0xffffffffL;
    }

    /** Returns how many of the digits are leading zeros. */
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

    /** Returns w 10^q rounded to the nearest double, or NaN if 128 bits of 5^q do not decide. */
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
        // Half way between two doubles: round to the even one.
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
