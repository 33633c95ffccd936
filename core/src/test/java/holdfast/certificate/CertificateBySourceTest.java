package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.ShiftCases.Case;
import holdfast.certificate.ShiftCurve.Point;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.objective.WeightedL2;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateBySourceTest {
    private static final int SOURCES = 5;

    /** The rows of some sources, weighted so that each source counts the same, as data without sources. */
    private static Dataset only(Dataset rows, int set) {
        List<int[]> bySource = rows.rowsBySource();
        DatasetBuilder builder = new DatasetBuilder(rows.columns());
        for (int s = 0; s < SOURCES; s++) {
            double total = 0;
            for (int r : bySource.get(s)) {
                total += rows.weight(r);
            }
            for (int r : bySource.get(s)) {
                if ((set >> s & 1) == 1) {
                    builder.add(rows.row(r), rows.label(r), 0, rows.weight(r) / total);
                }
            }
        }
        return builder.build(rows.schema().withoutGroups(), DataSource.MEMORY);
    }

    /** The same rows, but those of liars lie anywhere, with any label of theirs. */
    private static Dataset lying(Dataset rows, int honest, Randomness random) {
        DatasetBuilder builder = new DatasetBuilder(rows.columns());
        for (int r = 0; r < rows.rows(); r++) {
            boolean truth = (honest >> rows.group(r) & 1) == 1;
            double[] x = truth ? rows.row(r) : random.gaussians(rows.columns());
            for (int i = 0; i < x.length && !truth; i++) {
                x[i] *= 5;
            }
            builder.add(
                    x, truth ? rows.label(r) : rows.label(random.nextInt(rows.rows())), rows.group(r), rows.weight(r));
        }
        return builder.build(rows.schema(), DataSource.MEMORY);
    }

    private static Case random(Seed seed, String kind) {
        return ShiftCases.random(seed, kind, 23, 2, true, SOURCES, ShiftCases.classes(kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "softmax"})
    void holdsWhicheverSourcesLie(String kind) {
        Laws.check(kind.equals("softmax") ? 3 : 8, seed -> {
            Randomness random = seed.random();
            Case c = random(seed, kind);
            double rho = StrictMath.exp(4 * random.nextDouble() - 3);
            for (int tolerated = 0; tolerated < 3; tolerated++) {
                double largest = 0;
                Point all = ShiftCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, c.box(), tolerated)
                        .at(rho);
                for (int honest = 1; honest < 1 << SOURCES; honest++) {
                    if (Integer.bitCount(honest) >= SOURCES - tolerated) {
                        double truth = c.with(only(c.rows(), honest))
                                .curve(WeightedL2.EQUAL)
                                .at(rho)
                                .attained();
                        assertThat(truth).isLessThanOrEqualTo(all.certified());
                        largest = Math.max(largest, truth);
                        Point lied = ShiftCurve.bySource(
                                        c.model(),
                                        lying(c.rows(), honest, random),
                                        WeightedL2.EQUAL,
                                        c.box(),
                                        tolerated)
                                .at(rho);
                        assertThat(truth).isLessThanOrEqualTo(lied.certified());
                    }
                }
                assertThat(all.attained()).isLessThanOrEqualTo(all.certified());
                if (!kind.equals("softmax")) {
                    // Sources that count may change with lambda; here that costs little.
                    assertThat(largest).isGreaterThan(all.certified() * 0.98);
                    assertThat(all.attained()).isBetween(all.certified() * 0.98, largest * (1 + 1e-12));
                }
            }
        });
    }

    @Test
    void withoutLiarsEverySourceCountsTheSame() {
        Laws.check(20, seed -> {
            Case c = random(seed, "logistic");
            double rho = seed.random().nextDouble();
            Point bySource = ShiftCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, c.box(), 0)
                    .at(rho);
            Point same = c.with(only(c.rows(), (1 << SOURCES) - 1))
                    .curve(WeightedL2.EQUAL)
                    .at(rho);
            assertThat(bySource.certified()).isCloseTo(same.certified(), within(1e-12));
            assertThat(bySource.certified() - bySource.attained()).isLessThan(1e-12 * bySource.certified());
            Point pooled = c.with(c.rows()).curve(WeightedL2.EQUAL).at(rho);
            assertThat(bySource.certified()).isNotCloseTo(pooled.certified(), within(1e-9));
        });
    }

    @Test
    void worstRowsAreThoseOfTheSourcesThatCount() {
        Laws.check(10, seed -> {
            Case c = random(seed, "logistic");
            ShiftCurve curve = ShiftCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, c.box(), 2);
            List<MovedRow> moved = curve.worstRows(0.3);
            assertThat(moved.stream()
                            .mapToInt(row -> c.rows().group(row.row()))
                            .distinct()
                            .count())
                    .isEqualTo(SOURCES - 2);
            assertThat(moved.stream().mapToDouble(MovedRow::share).sum()).isCloseTo(1, within(1e-12));
            double[][] z = moved.stream().map(MovedRow::to).toArray(double[][]::new);
            DatasetBuilder labels = new DatasetBuilder(2);
            moved.forEach(row -> labels.add(row.to(), row.label(), 0, row.share()));
            Case there = c.with(labels.build(c.rows().schema().withoutGroups(), DataSource.MEMORY));
            assertThat(there.mean(there.losses(z))).isCloseTo(curve.at(0.3).attained(), within(1e-9));
        });
    }

    @Test
    void certifiedErrorsHoldWhicheverSourcesLie() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            Case c = random(seed, random.nextInt(2) == 0 ? "logistic" : "softmax");
            double rho = 0.3 * random.nextDouble();
            double q = random.nextDouble();
            for (int tolerated = 0; tolerated < 3; tolerated++) {
                MisclassificationCurve curve =
                        MisclassificationCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, tolerated);
                double largest = 0;
                for (int honest = 1; honest < 1 << SOURCES; honest++) {
                    if (Integer.bitCount(honest) >= SOURCES - tolerated) {
                        MisclassificationCurve own =
                                MisclassificationCurve.of(c.model(), only(c.rows(), honest), WeightedL2.EQUAL);
                        assertThat(own.at(rho).attained())
                                .isLessThanOrEqualTo(curve.at(rho).certified());
                        assertThat(own.rate(Norm.L1, q)).isLessThanOrEqualTo(curve.rate(Norm.L1, q) + 1e-12);
                        largest = Math.max(largest, own.rate(Norm.L1, q));
                    }
                }
                assertThat(curve.rate(Norm.L1, q)).isCloseTo(largest, within(1e-12));
            }
            refuses(
                    () -> MisclassificationCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, 1)
                            .sampleTerm(0.1),
                    "a finite sample term needs rows that count the same, without weights or sources");
        });
    }

    @Test
    void atLeastOneSourceMustBeHonest() {
        Case c = random(Seed.of(1), "logistic");
        for (int bad : new int[] {-1, 5}) {
            refuses(
                    () -> ShiftCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, c.box(), bad),
                    "the number of sources that may lie must be from 0 to 4, got " + bad);
        }
    }

    private static void refuses(Runnable what, String message) {
        assertThatThrownBy(what::run).isInstanceOf(InputException.class).hasMessage(message);
    }
}
