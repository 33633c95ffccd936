package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.TableColumn;
import holdfast.model.Target;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTestsTest {
    private static final int SOURCES = 10;
    private static final int ROWS = 100;
    private static final double LEVEL = 0.01;

    /** Copies of one column, of which source 4 stands out in this way. */
    private static SourceComparison copies(Randomness random, String kind, int copies) {
        double[][] own = new double[SOURCES][];
        for (int s = 0; s < SOURCES; s++) {
            boolean odd = s == 4;
            double[] x = random.gaussians(ROWS);
            double mean = 0.1 * random.nextGaussian();
            own[s] = Arrays.stream(x)
                    .map(z -> switch (kind) {
                        case "unit" -> (odd ? 50 : 1) * (mean + z);
                        case "shift" -> (odd ? 2.5 : 0) + mean + z;
                        case "missing" -> z < (odd ? 1 : -1.5) ? Double.NaN : z;
                        default -> z < (odd ? 1 : -1) ? 0 : 1;
                    })
                    .toArray();
        }
        TableColumn column = new TableColumn(
                "x",
                kind.equals("category") ? List.of("a", "b") : List.of(),
                kind.equals("missing") ? TableColumn.Missing.MEAN : TableColumn.Missing.FAIL);
        return comparison(
                Collections.nCopies(copies, column),
                Arrays.stream(own)
                        .map(x -> Collections.nCopies(copies, x).toArray(double[][]::new))
                        .toArray(double[][][]::new));
    }

    private static SourceComparison comparison(List<TableColumn> columns, double[][][] cells) {
        return new SourceComparison(
                columns,
                cells,
                new double[cells.length][],
                null,
                null,
                1,
                List.of("no", "yes"),
                Target.TWO_CLASSES,
                Set.of());
    }

    private static SourceTest test(String kind) {
        return switch (kind) {
            case "unit" -> new ColumnTests.Unit();
            case "shift" -> new ColumnTests.Shift();
            case "missing" -> new ColumnTests.MissingCells();
            default -> new ColumnTests.Category();
        };
    }

    /** Each of k columns gets a k-th of the level, so what is found in each of them is k times as probable by chance. */
    @ParameterizedTest
    @ValueSource(strings = {"unit", "shift", "missing", "category"})
    void columnsShareTheLevel(String kind) {
        Laws.check(20, seed -> {
            List<Finding> one = test(kind).find(copies(seed.random(), kind, 1), LEVEL);
            List<Finding> five = test(kind).find(copies(seed.random(), kind, 5), LEVEL);
            assertThat(one).isNotEmpty().allSatisfy(f -> {
                assertThat(f.source()).isEqualTo(4);
                assertThat(f.kind().key()).isEqualTo(kind);
                assertThat(f.column()).contains("x");
            });
            assertThat(five).hasSize(5 * one.size());
            assertThat(five.get(0).pValue())
                    .isCloseTo(
                            5 * one.get(0).pValue(), within(1e-9 * five.get(0).pValue()));
        });
    }

    /** Categories that no row has change nothing. */
    @Test
    void inventedCategoriesHideNobody() {
        Laws.check(20, seed -> {
            SourceComparison two = copies(seed.random(), "category", 1);
            SourceComparison four = comparison(
                    List.of(new TableColumn("x", List.of("a", "b", "c", "d"), TableColumn.Missing.FAIL)), two.cells());
            assertThat(test("category").find(four, LEVEL))
                    .isEqualTo(test("category").find(two, LEVEL));
        });
    }

    /** The more extreme a share, the stronger the evidence, up to all rows. */
    @Test
    void theMostExtremeSourceIsTheSurest() {
        double before = 1;
        for (double share : new double[] {0.6, 0.8, 0.9, 0.99, 1}) {
            double[] rows = new double[10];
            Arrays.fill(rows, 300);
            double[] yes = new double[10];
            Arrays.setAll(yes, s -> s == 0 ? Math.rint(300 * share) : 12 + s);
            List<Finding> found = ColumnTests.shares(
                    yes, rows, Set.of(), Finding.Kind.MISSING, Optional.of("x"), "x is missing", LEVEL);
            assertThat(found)
                    .singleElement()
                    .satisfies(f -> assertThat(f.source()).isZero());
            assertThat(found.get(0).pValue()).as("%s", share).isLessThan(before);
            before = found.get(0).pValue();
        }
    }

    /** Means that differ by 0.6 standard deviations are often more than one apart. */
    @Test
    void manyColumnsNameNobodyMoreOftenThanTheLevelSays() {
        int named = 0;
        for (int run = 0; run < 100; run++) {
            Randomness random = Seed.of(1).child("null", run).random();
            double[][][] cells = new double[SOURCES][20][];
            for (double[][] own : cells) {
                for (int c = 0; c < own.length; c++) {
                    double mean = 0.6 * random.nextGaussian();
                    own[c] = Arrays.stream(random.gaussians(40))
                            .map(z -> mean + z)
                            .toArray();
                }
            }
            List<TableColumn> columns = IntStream.range(0, 20)
                    .mapToObj(c -> TableColumn.number("x" + c))
                    .toList();
            named += new ColumnTests.Shift()
                            .find(comparison(columns, cells), 0.05)
                            .isEmpty()
                    ? 0
                    : 1;
        }
        assertThat(named).as("of 100 runs, Seed.of(1)").isLessThanOrEqualTo(12);
    }

    @Test
    void findingsSayHowMuch() {
        Randomness random = Seed.of(1).random();
        assertThat(test("unit").find(copies(random, "unit", 1), LEVEL).get(0).words())
                .matches("x is [45]\\d times the others': another unit\\?");
        assertThat(test("shift").find(copies(random, "shift", 1), LEVEL).get(0).words())
                .matches("x is 2\\.\\d standard deviations higher than the others'");
        assertThat(test("missing")
                        .find(copies(random, "missing", 1), LEVEL)
                        .get(0)
                        .words())
                .matches("x is missing in 8\\d % of its rows, in [5-9]\\.\\d % of the others'");
        assertThat(test("category")
                        .find(copies(random, "category", 1), LEVEL)
                        .get(0)
                        .words())
                .matches("x is 'a' in 8\\d % of its rows, in 1\\d % of the others'");
    }

    /** A column with a mean of zero becomes larger when it is shifted, but that is no other unit. */
    @Test
    void aShiftIsNoUnit() {
        Laws.check(20, seed -> {
            SourceComparison shifted = copies(seed.random(), "shift", 1);
            Arrays.setAll(shifted.cells()[4][0], j -> shifted.cells()[4][0][j] + 100);
            assertThat(new ColumnTests.Unit().find(shifted, LEVEL)).isEmpty();
            assertThat(new ColumnTests.Shift().find(shifted, LEVEL)).hasSize(1);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "1000.4, 1000",
        "47.31, 47",
        "3.14159, 3.14",
        "0.0010004, 0.001",
        "123456, 120000",
        "1234567, 1.2e+06",
        "1e-9, 1.0e-09",
        "Infinity, more than 1e300"
    })
    void factorsAreRounded(double factor, String text) {
        assertThat(ColumnTests.rounded(factor)).isEqualTo(text);
    }
}
