package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import example.TanhNetwork;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.model.ModelFamily;
import holdfast.model.Models;
import holdfast.model.Target;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoefficientsTest {
    /** All kinds of models that have coefficients. */
    private static final List<String> KINDS = Models.catalogue().names().stream()
            .filter(name -> !name.equals("mlp"))
            .toList();

    /** A random model of any kind; the first column is constant, and far values are cut off. */
    private static TrainedModel model(Seed seed, double clip) {
        Randomness random = seed.child("model").random();
        Choice<ModelFamily> kind = Models.catalogue().choose(KINDS.get(random.nextInt(KINDS.size())));
        Target target = kind.value().target().orElseThrow();
        int classes = target == Target.CLASSES ? 2 + random.nextInt(3) : target.isClass() ? 2 : 0;
        int d = 2 + random.nextInt(5);
        Schema schema = new Schema(
                Samples.schema(d).features(),
                "y",
                IntStream.range(0, classes).mapToObj(Integer::toString).toList(),
                List.of());
        double[] divisors = new double[d];
        Arrays.setAll(divisors, i -> StrictMath.exp(2 * random.nextGaussian()));
        divisors[0] = Double.POSITIVE_INFINITY;
        boolean intercept = random.nextInt(2) == 0;
        return new TrainedModel(
                kind,
                intercept,
                random.gaussians(kind.value().on(schema, intercept).parameters(d)),
                new Scaling(Scaling.Kind.STANDARDISE, random.gaussians(d), divisors, clip),
                target == Target.NUMBER
                        ? new LabelScaling(random.nextGaussian(), StrictMath.exp(random.nextGaussian()))
                        : target == Target.COUNT
                                ? new LabelScaling(0, StrictMath.exp(random.nextGaussian()))
                                : LabelScaling.NONE,
                schema,
                0.5);
    }

    /** What a user would compute by hand from a table of coefficients. */
    @Test
    void theScoreIsTheInterceptAndTheCoefficientsTimesTheRow() {
        Laws.check(300, seed -> {
            TrainedModel model = model(seed, Double.POSITIVE_INFINITY);
            int d = model.schema().features().size();
            Dataset rows = Samples.dataset(seed, 20, d);
            List<Coefficients> coefficients = model.coefficients();
            Predictions said = model.predict(rows);
            int k = coefficients.size();
            for (int r = 0; r < rows.rows(); r++) {
                double[] x = rows.row(r);
                for (int s = 0; s < k; s++) {
                    double score = coefficients.get(s).intercept();
                    double size = Math.abs(score);
                    for (int i = 0; i < d; i++) {
                        score += coefficients.get(s).values()[i] * x[i];
                        size += Math.abs(coefficients.get(s).values()[i] * x[i]);
                    }
                    double expected = switch (model.model().target()) {
                        case NUMBER -> said.label(r);
                        case COUNT -> StrictMath.log(said.label(r));
                        default -> said.scores()[r * k + s];
                    };
                    assertThat(score).isCloseTo(expected, within(1e-10 * (1 + size)));
                }
            }
        });
    }

    @Test
    void theBaseIsTheScoreAtTheCentresAndAStepIsOneUnitOfTheScaledFeature() {
        Laws.check(100, seed -> {
            TrainedModel model = model(seed, 5);
            double[] offsets = model.scaling().offsets();
            double[] divisors = model.scaling().divisors();
            for (Coefficients own : model.coefficients()) {
                double centre = own.intercept();
                for (int i = 0; i < offsets.length; i++) {
                    centre += own.values()[i] * offsets[i];
                }
                assertThat(centre).isCloseTo(own.base(), within(1e-9 * (1 + Math.abs(own.intercept()))));
                assertThat(own.effect(0)).as("of a constant column").isZero();
                for (int i = 1; i < offsets.length; i++) {
                    assertThat(own.effect(i)).isEqualTo(own.values()[i] * divisors[i]);
                }
            }
        });
    }

    @Test
    void contributionsAddUpToTheScoreLessTheBase() {
        Laws.check(300, seed -> {
            TrainedModel model = model(seed, 1);
            int d = model.schema().features().size();
            Dataset row = Samples.dataset(seed, 1, d);
            RowExplanation explained = RowExplanation.of(model, row);
            double[] offsets = model.scaling().offsets();
            double[] divisors = model.scaling().divisors();
            double[] x = row.row(0);
            assertThat(explained.values()).containsExactly(x);
            for (int s = 0; s < explained.scores().size(); s++) {
                RowExplanation.Score score = explained.scores().get(s);
                double[] parts = score.contributions();
                double size = Arrays.stream(parts).map(Math::abs).sum() + Math.abs(score.base());
                assertThat(score.base() + Arrays.stream(parts).sum())
                        .isCloseTo(score.value(), within(1e-13 * (1 + size)));
                for (int i = 0; i < d; i++) {
                    double away = i == 0 ? 0 : (x[i] - offsets[i]) / divisors[i];
                    assertThat(explained.cutOff()[i]).isEqualTo(Math.abs(away) > 1);
                    double used = i == 0 ? 0 : divisors[i] * Math.max(-1, Math.min(1, away));
                    assertThat(parts[i])
                            .isCloseTo(
                                    model.coefficients().get(s).values()[i] * used,
                                    within(1e-13 * (1 + Math.abs(parts[i]))));
                }
            }
        });
    }

    @Test
    void onlyScoresThatAreLinearHaveThem() {
        Schema schema = Samples.schema(2);
        TanhNetwork network = new TanhNetwork(Target.TWO_CLASSES, 3);
        TrainedModel model = new TrainedModel(
                Models.given(network, true, Models.catalogue()),
                true,
                new double[network.parameters(2)],
                Scaling.none(2),
                LabelScaling.NONE,
                schema,
                0.5);
        assertThatThrownBy(model::coefficients)
                .isInstanceOf(InputException.class)
                .hasMessageMatching(
                        "only a model linear in its scores has coefficients and intercepts, which explain it,"
                                + " and .* is not");
        assertThatThrownBy(() -> RowExplanation.of(model, Samples.dataset(Seed.of(1), 1, 2)))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> RowExplanation.of(model, Samples.dataset(Seed.of(1), 2, 2)))
                .hasMessage("one row must be explained at a time, got 2");
    }

    @Test
    void errorsThatDoNotFitAreRefused() {
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[3],
                Scaling.none(2),
                LabelScaling.NONE,
                Samples.schema(2),
                0.5);
        CoefficientErrors errors = new CoefficientErrors(true, 10, 4, List.of(new double[] {1, 2}), new double[] {0.5});
        // Student's t for 4 degrees of freedom is 2.776445.
        assertThat(model.withErrors(Optional.of(errors)).errors().orElseThrow().interval(0, 1, 3))
                .isEqualTo(new Interval(3 - 2.776445105197793 * 2, 3 + 2.776445105197793 * 2));
        assertThat(errors.interceptInterval(0, 0).high()).isEqualTo(2.776445105197793 / 2);
        assertThatThrownBy(() -> model.withErrors(
                        Optional.of(new CoefficientErrors(true, 10, 4, List.of(new double[3]), new double[1]))))
                .hasMessage("model: intervals must be for 1 scores of 2 features");
        assertThatThrownBy(() -> new CoefficientErrors(true, 10, 4, List.of(new double[] {-1}), new double[1]))
                .hasMessage("the errors of intervals must be >= 0, got -1.0");
        assertThatThrownBy(() -> new CoefficientErrors(true, 10, 4, List.of(new double[] {Double.NaN}), new double[1]))
                .hasMessage("the errors of intervals must be finite");
        assertThatThrownBy(() -> new CoefficientErrors(true, 10, 0, List.of(), new double[0]))
                .hasMessage("intervals need at least 1 degree of freedom, got 0");
        assertThatThrownBy(() -> new CoefficientErrors(true, 0, 1, List.of(), new double[0]))
                .hasMessage("intervals need at least 1 resample, got 0");
        assertThatThrownBy(() -> new CoefficientErrors(true, 1, 1, List.of(), new double[1]))
                .hasMessage("intervals must have an intercept for each score, got 1 for 0");
    }
}
