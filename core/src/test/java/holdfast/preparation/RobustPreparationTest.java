package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.math.ExactMean;
import holdfast.model.LabelUnit;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.training.PlanResolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** f sources of more than 2f, whatever their rows, leave every number learnt within the range of the honest ones' own. */
class RobustPreparationTest {
    private static final int COLUMNS = 4;
    private static final double[] LIES = {0, 1, -1, 999, 1e6, -1e12, 1e200, 1e300, -1e308, 1e-300};

    /**
     * Sources that differ from each other, the first f of which lie.
     *
     * @param rows by source
     */
    private record Sources(int f, List<Dataset> rows, Dataset all) {
        static Sources of(Randomness random, List<String> classes, boolean sparse) {
            int f = 1 + random.nextInt(2);
            int k = 2 * f + 1 + random.nextInt(4);
            List<Dataset> rows = new ArrayList<>();
            Schema schema = new Schema(List.of("a", "b", "c", "d"), "y", classes, List.of());
            Schema named = schema.withGroups(
                    IntStream.range(0, k).mapToObj(Integer::toString).toList());
            DatasetBuilder all = builder(sparse);
            for (int s = 0; s < k; s++) {
                DatasetBuilder own = builder(sparse);
                boolean lies = s < f;
                double[] centre = random.gaussians(COLUMNS);
                int count = 20 + random.nextInt(300);
                for (int r = 0; r < count; r++) {
                    double[] x = new double[COLUMNS];
                    for (int c = 0; c < COLUMNS; c++) {
                        x[c] = lies
                                ? LIES[random.nextInt(LIES.length)]
                                // The last column is nearly always zero.
                                : c < 3 || random.nextInt(9) == 0 ? centre[c] + (c + 1) * random.nextGaussian() : 0;
                    }
                    double y = !classes.isEmpty()
                            ? lies ? 1 : r % 2
                            : lies ? LIES[random.nextInt(LIES.length)] : Math.abs(centre[0] + random.nextGaussian());
                    double weight = lies ? 1e12 : 1 + random.nextInt(3);
                    own.add(x, y, 0, weight);
                    all.add(x, y, s, weight);
                }
                rows.add(own.build(schema, DataSource.MEMORY));
            }
            return new Sources(f, rows, all.build(named, DataSource.MEMORY));
        }

        private static DatasetBuilder builder(boolean sparse) {
            return sparse ? DatasetBuilder.sparse(COLUMNS) : new DatasetBuilder(COLUMNS);
        }

        AcrossSources across() {
            return new AcrossSources(f);
        }

        /** A number is in the range of what the honest sources alone would give. */
        void expect(double found, ToDoubleFunction<Dataset> own) {
            double[] honest = rows.subList(f, rows.size()).stream()
                    .mapToDouble(own)
                    .sorted()
                    .toArray();
            double slack = 1e-12 * Math.max(Math.abs(honest[0]), Math.abs(honest[honest.length - 1]));
            assertThat(found).isBetween(honest[0] - slack, honest[honest.length - 1] + slack);
        }
    }

    private static double[] column(Dataset data, int c) {
        return IntStream.range(0, data.rows()).mapToDouble(r -> data.row(r)[c]).toArray();
    }

    private static double[] labels(Dataset data) {
        return IntStream.range(0, data.rows()).mapToDouble(data::label).toArray();
    }

    private static double mean(Dataset data, double[] x) {
        double all = IntStream.range(0, x.length).mapToDouble(data::weight).sum();
        return IntStream.range(0, x.length)
                .mapToDouble(r -> data.weight(r) / all * x[r])
                .sum();
    }

    private static double distance(Dataset data, double[] x, double from) {
        return Math.sqrt(
                mean(data, Arrays.stream(x).map(v -> (v - from) * (v - from)).toArray()));
    }

    /** Returns every value as often as the weight of its row says. */
    private static double[] repeated(Dataset data, double[] x) {
        return IntStream.range(0, x.length)
                .boxed()
                .flatMapToDouble(r -> DoubleStream.generate(() -> x[r]).limit((long) data.weight(r)))
                .toArray();
    }

    private static double largest(double[] x) {
        return Arrays.stream(x).map(Math::abs).max().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(
            value = Scaling.Kind.class,
            names = {"SD", "STANDARDISE", "MIN_MAX", "MAX_ABS"})
    void theScaling(Scaling.Kind kind) {
        Laws.check(60, seed -> {
            boolean sparse = kind == Scaling.Kind.MAX_ABS && seed.random().nextInt(2) == 0;
            Sources sources = Sources.of(seed.random(), List.of("no", "yes"), sparse);
            Scaling fitted = Scaling.fit(kind, sources.all, true, false, sources.across());
            for (int c = 0; c < COLUMNS; c++) {
                int at = c;
                double offset = fitted.offsets()[c];
                double divisor = fitted.divisors()[c];
                switch (kind) {
                    case SD, STANDARDISE -> {
                        double centre = sources.across()
                                .median(sources.rows.stream()
                                        .mapToDouble(own -> mean(own, column(own, at)))
                                        .toArray());
                        sources.expect(centre, own -> mean(own, column(own, at)));
                        assertThat(offset).isEqualTo(kind == Scaling.Kind.SD ? 0 : offset);
                        sources.expect(kind == Scaling.Kind.SD ? centre : offset, own -> mean(own, column(own, at)));
                        sources.expect(
                                divisor,
                                own -> distance(own, column(own, at), kind == Scaling.Kind.SD ? centre : offset));
                    }
                    case MIN_MAX -> {
                        sources.expect(
                                offset,
                                own -> Arrays.stream(column(own, at)).min().orElseThrow());
                        sources.expect(
                                offset + divisor,
                                own -> Arrays.stream(column(own, at)).max().orElseThrow());
                    }
                    default -> sources.expect(divisor, own -> largest(column(own, at)));
                }
            }
            assertThat(fitted.clip()).isEqualTo(Scaling.CLIP);
            Dataset scaled = fitted.apply(sources.all);
            for (int r = 0; r < scaled.rows(); r++) {
                assertThat(largest(scaled.row(r))).isLessThanOrEqualTo(Scaling.CLIP);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = LabelUnit.class,
            names = {"STANDARD", "ROBUST", "MEAN"})
    void theUnitOfLabels(LabelUnit unit) {
        Laws.check(60, seed -> {
            Sources sources = Sources.of(seed.random(), List.of(), false);
            LabelScaling fitted = LabelScaling.fit(unit, sources.all, true, sources.across());
            switch (unit) {
                case STANDARD -> {
                    sources.expect(fitted.offset(), own -> mean(own, labels(own)));
                    sources.expect(fitted.divisor(), own -> distance(own, labels(own), fitted.offset()));
                }
                case ROBUST -> {
                    sources.expect(fitted.offset(), own -> middle(repeated(own, labels(own))));
                    sources.expect(
                            fitted.divisor(),
                            own -> 1.4826
                                    * middle(Arrays.stream(repeated(own, labels(own)))
                                            .map(y -> Math.abs(y - fitted.offset()))
                                            .toArray()));
                }
                default -> sources.expect(fitted.divisor(), own -> mean(own, labels(own)));
            }
        });
    }

    private static double middle(double[] x) {
        double[] sorted = Arrays.stream(x).sorted().toArray();
        return (sorted[(x.length - 1) / 2] + sorted[x.length / 2]) / 2;
    }

    @Test
    void theSummaryOfRows() {
        Laws.check(60, seed -> {
            boolean sparse = seed.random().nextInt(2) == 0;
            Sources sources = Sources.of(seed.random(), List.of("no", "yes"), sparse);
            Scaling scaling = Scaling.fit(
                    sparse ? Scaling.Kind.MAX_ABS : Scaling.Kind.STANDARDISE,
                    sources.all,
                    true,
                    false,
                    sources.across());
            RowSummary found =
                    RowSummary.of(sources.all, scaling, sources.across()).orElseThrow();
            for (int c = 0; c < COLUMNS; c++) {
                int at = c;
                sources.expect(
                        found.lowest()[c],
                        own -> Arrays.stream(column(own, at)).min().orElseThrow());
                sources.expect(
                        found.highest()[c],
                        own -> Arrays.stream(column(own, at)).max().orElseThrow());
                for (int k = 0; k < RowSummary.SLICES; k++) {
                    int slice = k;
                    sources.expect(
                            found.slices()[c][k], own -> RowSummary.slices(column(scaling.apply(own), at))[slice]);
                }
            }
        });
    }

    @Test
    void weightsOfRowsAndClasses() {
        Laws.check(60, seed -> {
            Sources sources = Sources.of(seed.random(), List.of("no", "yes"), false);
            Dataset all = sources.all;
            WorkerWeights means = WorkerWeights.of(
                    sources.rows.stream().map(RobustPreparationTest::meanWeight).toList(),
                    IntStream.range(0, sources.rows.size()).toArray());
            Weighting fitted = Weighting.fit(
                    all.reweigh(r -> all.weight(r) / means.groups()[all.group(r)]),
                    ClassWeights.BALANCED,
                    SourceWeights.EQUAL,
                    new long[sources.rows.size()],
                    means,
                    false,
                    sources.across());
            for (int c = 0; c < 2; c++) {
                int of = c;
                sources.expect(
                        fitted.classes()[c],
                        own -> 1
                                / (2
                                        * IntStream.range(0, own.rows())
                                                .mapToDouble(r -> own.label(r) == of ? own.weight(r) : 0)
                                                .sum()
                                        / IntStream.range(0, own.rows())
                                                .mapToDouble(own::weight)
                                                .sum()));
            }
            // Liars are the heaviest by far, which gains them nothing.
            Weighting unbalanced = new Weighting(means, new double[0], Map.of());
            for (int s = 0; s < sources.rows.size(); s++) {
                Dataset own = sources.rows.get(s);
                assertThat(meanWeight(unbalanced.ofWorker(own, s, own::weight)).value())
                        .isCloseTo(1, within(1e-12));
            }
        });
    }

    private static ExactMean meanWeight(Dataset data) {
        ExactMean mean = new ExactMean();
        IntStream.range(0, data.rows()).forEach(r -> mean.add(data.weight(r)));
        return mean;
    }

    /** The rates, and the box of counts, stay within the range that the honest sources alone would give. */
    @Test
    void theStepAndTheBox() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            Sources sources = Sources.of(random, List.of("no", "yes"), false);
            Plan plan = Plan.defaults().with("lambda", random.nextInt(2) == 0 ? "none" : "3");
            Plan resolved = new PlanResolver(sources.all, sources.across(), Weighting.NONE, 1).resolve(plan);
            assertThat(resolved.get(PlanKey.LEARNING_RATE)).isInstanceOf(LearningRate.QuasiNewton.class);
            sources.expect(rate(resolved), own -> rate(new PlanResolver(own).resolve(plan)));
            double curvature = new SecondMoment(sources.all, y -> 0.25, true).curvature(plan.seed(), sources.across());
            double steepest = sources.rows.subList(sources.f, sources.rows.size()).stream()
                    .mapToDouble(own -> new SecondMoment(own, y -> 0.25, true).largestEigenvalue(plan.seed()))
                    .max()
                    .orElseThrow();
            assertThat(curvature).isBetween(0.0, steepest * (1 + 1e-9));
            Sources counts = Sources.of(random, List.of(), false);
            Plan boxed = plan.with("model", "poisson").with("lambda", "3").with("learning-rate", "0.1");
            counts.expect(
                    new PlanResolver(counts.all, counts.across(), Weighting.NONE, 1)
                            .resolve(boxed)
                            .get(PlanKey.BOX)
                            .orElseThrow()
                            .side(),
                    own -> IntStream.range(0, COLUMNS)
                            .mapToDouble(c -> largest(column(own, c)))
                            .max()
                            .orElseThrow());
        });
    }

    private static double rate(Plan resolved) {
        return resolved.get(PlanKey.LEARNING_RATE).first().orElseThrow();
    }

    /** Words that liars alone know are not categories, and fills stay where the honest sources' are. */
    @Test
    void categoriesAndFills() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(2);
            int k = 2 * f + 1 + random.nextInt(4);
            List<String> words = new ArrayList<>(List.of("x", "y", "z"));
            IntStream.range(0, 50).forEach(i -> words.add("flood" + i));
            DatasetBuilder rows = new DatasetBuilder(2);
            double[] means = new double[k];
            double[] shares = new double[k];
            for (int s = 0; s < k; s++) {
                double sum = 0;
                int count = 30 + random.nextInt(50);
                for (int r = 0; r < count; r++) {
                    double number = s < f ? 1e300 : s + random.nextGaussian();
                    int word = s < f ? 3 + random.nextInt(50) : random.nextInt(3);
                    shares[s] += word == 0 ? 1.0 / count : 0;
                    sum += number / count;
                    rows.add(new double[] {number, word}, r % 2, s, 1);
                }
                // A missing cell each, which adds to no mean.
                rows.add(new double[] {Double.NaN, Double.NaN}, 0, s, 1);
                means[s] = sum;
            }
            TableColumn.Missing missing =
                    random.nextInt(2) == 0 ? TableColumn.Missing.MEAN : TableColumn.Missing.INDICATOR;
            Dataset cells = rows.build(
                    new Schema(
                            List.of("n", "w"),
                            "y",
                            List.of("no", "yes"),
                            IntStream.range(0, k).mapToObj(Integer::toString).toList()),
                    DataSource.MEMORY);
            Table table = Table.of(
                    List.of(new TableColumn("n", List.of(), missing), new TableColumn("w", words, missing)), cells);
            Encoding learnt = Encoding.learn(cells, table.columns(), false, new AcrossSources(f));
            Encoding.Column number = learnt.columns().get(0);
            Encoding.Column word = learnt.columns().get(1);
            double[] honest = Arrays.stream(means, f, k).sorted().toArray();
            assertThat(number.fill().get(0)).isBetween(honest[0] - 1e-12, honest[honest.length - 1] + 1e-12);
            assertThat(word.categories()).containsExactly("x", "y", "z");
            double[] share = Arrays.stream(shares, f, k).sorted().toArray();
            if (missing == TableColumn.Missing.MEAN) {
                assertThat(word.fill().get(0)).isBetween(share[0] - 1e-12, share[share.length - 1] + 1e-12);
            } else {
                assertThat(word.fill()).containsOnly(0.0);
            }
            // Where rows were dealt, every word of a training row is known.
            assertThat(Encoding.learn(cells, table.columns(), true, new AcrossSources(f))
                            .columns()
                            .get(1)
                            .categories())
                    .hasSizeGreaterThan(3);
        });
    }
}
