package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.ShiftCurve;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.objective.PricedCost;
import holdfast.objective.Prices;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.preparation.Storage;
import holdfast.testkit.Laws;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training where categories of a text column change as a whole. */
class MixedTrainingTest {
    private static final int ROWS = 500;
    private static final double PRICE = 0.6;

    /** A number, and two columns of text with empty cells. */
    private static Table table(Seed seed, boolean numbers) {
        Randomness random = seed.child("rows").random();
        List<TableColumn> columns = List.of(
                new TableColumn("age", List.of(), TableColumn.Missing.FAIL),
                new TableColumn("region", List.of("east", "north", "south"), TableColumn.Missing.INDICATOR),
                new TableColumn("job", List.of("clerk", "smith"), TableColumn.Missing.MEAN));
        DatasetBuilder builder = new DatasetBuilder(3);
        for (int r = 0; r < ROWS; r++) {
            double age = random.nextGaussian();
            int region = random.nextInt(3);
            int job = random.nextInt(2);
            double u = age + 1.2 * (region - 1) + 0.7 * job + random.nextGaussian();
            builder.add(
                    new double[] {
                        age, random.nextInt(10) == 0 ? Double.NaN : region, random.nextInt(10) == 0 ? Double.NaN : job
                    },
                    numbers ? 10 * u : u > 0.4 ? 1 : 0);
        }
        List<String> classes = numbers ? List.of() : List.of("no", "yes");
        return Table.of(
                columns,
                builder.build(new Schema(List.of("age", "region", "job"), "y", classes, List.of()), DataSource.MEMORY));
    }

    private static Plan plan(String model) {
        return Plan.defaults()
                .with(PlanKey.MODEL.name(), model)
                .with(PlanKey.WORKERS, 4)
                .with(PlanKey.RULE.name(), "mean")
                .with(PlanKey.ROUNDS, 2000)
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.TOLERANCE, 1e-6)
                .with(PlanKey.PRICES, Prices.parse("age=2,region=whole(" + PRICE + ")"));
    }

    private static ShiftCurve curve(TrainingRun run, Dataset features) {
        PricedCost cost = run.plan()
                .get(PlanKey.PRICES)
                .scaled(
                        run.model().encoding().categories(run.model().scaling()),
                        features.schema().features())
                .on(features.schema().features());
        return ShiftCurve.of(run.model(), features, cost);
    }

    private static Dataset features(TrainingRun run, Table table) {
        return run.model().encoding().apply(table);
    }

    /** The objective is the mean phi that the certificate computes: at every price, lambda rho + it is at least the bound. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=1)"})
    void theObjectiveIsThatOfTheCertificate(String model) {
        Laws.check(1, seed -> {
            Table table = table(seed, model.startsWith("linear") || model.startsWith("huber"));
            double lambda = 3;
            TrainingRun run = Training.of(table, plan(model).with(PlanKey.LAMBDA, Price.of(lambda)))
                    .run();
            Dataset features = features(run, table);
            ShiftCurve curve = curve(run, features);
            // Where the curve's price is lambda, it says what the objective is; its price falls with rho.
            double low = 1e-9;
            double high = 1e3;
            for (int step = 0; step < 60; step++) {
                double rho = Math.sqrt(low * high);
                if (curve.at(rho).lambda() > lambda) {
                    low = rho;
                } else {
                    high = rho;
                }
            }
            ShiftCurve.Point point = curve.at(low);
            assertThat(point.certified() - lambda * low).isCloseTo(run.objective(), within(1e-6));
            assertThat(run.guarantee().toString()).contains("Lemma 1 is void");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "linear"})
    void aRadiusReachesTheBestOfAllPrices(String model) {
        Laws.check(1, seed -> {
            Table table = table(seed, model.equals("linear"));
            double rho = 0.02 + 0.03 * seed.random().nextDouble();
            Plan ball = plan(model).with(PlanKey.RADIUS, Optional.of(rho));
            TrainingRun run = Training.of(table, ball).run();
            RadiusResult found = run.radius().orElseThrow();
            assertThat(found.cost()).isCloseTo(rho, within(0.1 * rho));
            double certified = curve(run, features(run, table)).at(rho).certified();
            assertThat(found.robust()).isBetween(certified * (1 - 1e-9), certified * (1 + 2e-3));
            double best = Double.POSITIVE_INFINITY;
            for (int k = -2; k <= 2; k++) {
                double lambda = found.lambda() * Math.exp(k / 8.0);
                TrainingRun priced = Training.of(table, plan(model).with(PlanKey.LAMBDA, Price.of(lambda)))
                        .run();
                best = Math.min(best, lambda * rho + priced.objective());
            }
            assertThat(found.robust()).isLessThan(best * (1 + 3e-3));
        });
    }

    @Test
    void threadsAndRunsWithTextOfThePlanChangeNoBit() {
        Table table = table(Seed.of(5), false);
        for (Storage storage : Storage.values()) {
            Plan plan = plan("logistic")
                    .with(PlanKey.LAMBDA, Price.of(2))
                    .with(PlanKey.STORAGE, storage)
                    .with(PlanKey.ROUNDS, 30);
            long[] bits = Laws.bits(Training.of(table, plan).run().model().theta());
            assertThat(Laws.bits(
                            Training.of(table, plan).threads(3).run().model().theta()))
                    .isEqualTo(bits);
            Plan read = Plan.defaults();
            for (Map.Entry<String, String> setting : plan.settings().entrySet()) {
                read = read.with(setting.getKey(), setting.getValue());
            }
            assertThat(Laws.bits(Training.of(table, read).run().model().theta()))
                    .isEqualTo(bits);
        }
    }

    /** At a price near 0 every row takes its worst category, so every lambda costs too much. */
    @Test
    void whereRowsStayCategoriesDo() {
        Table table = table(Seed.of(6), false);
        Plan free = plan("logistic").with(PlanKey.PRICES, Prices.parse("region=whole(1e-6),job=whole(1e-6)"));
        TrainingRun run =
                Training.of(table, free.with(PlanKey.LAMBDA, Price.AUTO)).run();
        TrainingRun still =
                Training.of(table, free.with(PlanKey.LAMBDA, Price.NONE)).run();
        assertThat(Laws.bits(run.model().theta()))
                .isEqualTo(Laws.bits(still.model().theta()));
        assertThat(run.guarantee().toString()).doesNotContain("Lemma 1 is void");
    }

    @Test
    void otherModelsAndSettingsAreRefused() {
        Table table = table(Seed.of(7), false);
        refused(table, plan("softmax"), "training has no worst case for categories that change as a whole (region)");
        refused(
                table,
                plan("mlp(hidden=3)"),
                "training has no worst case for categories that change as a whole (region)");
        refused(table, plan("logistic").with(PlanKey.ASCENT_STEPS, Optional.of(3)), "leave out --ascent-steps");
        refused(
                table,
                plan("logistic").with(PlanKey.PRICES, Prices.parse("age=whole(2)")),
                "--prices: 'age' is no column of text");
        refused(
                table,
                plan("logistic").with(PlanKey.PRICES, Prices.parse("zone=whole(2)")),
                "--prices: 'zone' is not a feature of the model");
        refused(table, plan("logistic").with(PlanKey.LEARNING_RATE.name(), "proven"), "--learning-rate proven needs");
    }

    private static void refused(Table table, Plan plan, String message) {
        assertThatThrownBy(() -> Training.of(table, plan).run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }
}
