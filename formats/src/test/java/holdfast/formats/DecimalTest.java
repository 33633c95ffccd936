package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    private static double parse(String text) {
        byte[] bytes = ("7" + text + "7").getBytes(StandardCharsets.UTF_8);
        Decimal decimal = new Decimal();
        double value = decimal.read(bytes, 1, bytes.length - 1);
        return decimal.end() == bytes.length - 1 ? value : Double.NaN;
    }

    /** @return whether it was met without help */
    private static boolean expectExact(String text) {
        double value = parse(text);
        if (!Double.isNaN(value)) {
            assertThat(Double.doubleToRawLongBits(value))
                    .as(text)
                    .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
        }
        return !Double.isNaN(value);
    }

    @Test
    void isTheDoubleThatJavaGives() {
        int[] met = new int[1];
        Laws.check(20_000, seed -> {
            Randomness random = seed.random();
            double x = random.nextGaussian();
            double wide = Math.scalb(x, random.nextInt(300) - 150);
            long digits = random.nextLong() >>> 4 + random.nextInt(56);
            int places = random.nextInt(90) - 45;
            for (String text : new String[] {
                Double.toString(x),
                Float.toString((float) x),
                Double.toString(wide),
                String.format(Locale.ROOT, "%.3f", 100 * x),
                digits + "e" + places,
                "-" + BigDecimal.valueOf(digits, 1 + random.nextInt(17)).toPlainString(),
            }) {
                met[0] += expectExact(text) ? 1 : 0;
            }
        });
        assertThat(met[0]).as("most are met without help").isGreaterThan(100_000);
    }

    /** Where rounding is hardest: decimals half way between two doubles, and next to that. */
    @Test
    void roundsHalfWayToEven() {
        Laws.check(20_000, seed -> {
            Randomness random = seed.random();
            double x = Math.scalb(1 + random.nextDouble(), random.nextInt(60) - 4);
            BigDecimal half =
                    new BigDecimal(x).add(new BigDecimal(Math.nextUp(x))).divide(new BigDecimal(2));
            expectExact(half.toString());
            expectExact(half.unscaledValue().longValue() + "e" + -half.scale());
            expectExact(half.unscaledValue().longValue() + 1 + "e" + -half.scale());
        });
        for (long n = (1L << 53) - 50; n < (1L << 53) + 200; n++) {
            assertThat(expectExact(Long.toString(n))).isTrue();
            expectExact(n + "00");
            expectExact(n + ".0");
            expectExact(n + "e-3");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-0", "+0.0", ".5", "5.", "-.5e1", "0e99", "1e22", "1E-22", "1e23", "9007199254740993"})
    void readsEveryWayToWriteANumber(String text) {
        assertThat(expectExact(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "1f", "1d", "NaN", "1 ", " 1", "--1", "1e5.",
                "1_0", "١"
            })
    void leavesTheRestToOthers(String text) {
        assertThat(parse(text)).isNaN();
    }
}
