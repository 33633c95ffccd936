package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.ConformalScores;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.Calibration;
import holdfast.evaluation.TrainedModel;
import holdfast.model.ModelFamily;
import holdfast.model.Models;
import holdfast.model.SmoothedHinge;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Provenance;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFileTest {
    @TempDir
    Path folder;

    private static void expectSame(ModelFile read, ModelFile written) {
        assertThat(Laws.bits(read.model().theta()))
                .isEqualTo(Laws.bits(written.model().theta()));
        assertThat(Laws.bits(read.model().scaling().offsets()))
                .isEqualTo(Laws.bits(written.model().scaling().offsets()));
        assertThat(Laws.bits(read.model().scaling().divisors()))
                .isEqualTo(Laws.bits(written.model().scaling().divisors()));
        assertThat(read.model()).usingRecursiveComparison().isEqualTo(written.model());
        assertThat(read.plan()).isEqualTo(written.plan());
        assertThat(read.provenance()).isEqualTo(written.provenance());
        assertThat(read.print()).isEqualTo(written.print());
    }

    private static Calibration calibration(Randomness random, int classes) {
        double slope = Math.exp(random.nextGaussian());
        double[] offsets = random.gaussians(classes);
        double mean = Arrays.stream(offsets).average().orElseThrow();
        return classes == 2
                ? new Calibration(slope, random.nextGaussian())
                : new Calibration(
                        slope, Arrays.stream(offsets).mapToObj(o -> o - mean).toList());
    }

    @Test
    void everyModelReadsBackToTheBit() {
        List<String> kinds = List.copyOf(Models.catalogue().names());
        Laws.check(30 * kinds.size(), seed -> {
            Randomness random = seed.random();
            Choice<ModelFamily> kind = Models.catalogue().choose(kinds.get(random.nextInt(kinds.size())));
            // A network takes any label, and always has its biases.
            Optional<Target> only = kind.value().target();
            Target target = only.orElse(
                    List.of(Target.TWO_CLASSES, Target.CLASSES, Target.NUMBER).get(random.nextInt(3)));
            int classes = target == Target.CLASSES ? 2 + random.nextInt(4) : target.isClass() ? 2 : 0;
            int d = 1 + random.nextInt(10);
            Dataset data = Samples.dataset(seed, 20, d);
            Schema schema = new Schema(
                    data.schema().features(),
                    "is \"it\"?\n",
                    List.of("ä", "\u2028", "", "0", "-0.0").subList(0, classes),
                    List.of());
            boolean intercept = only.isEmpty() || random.nextInt(2) == 0;
            double[] theta = random.gaussians(kind.value().on(schema, intercept).parameters(d));
            theta[0] *= Math.pow(10, random.nextInt(600) - 300);
            theta[theta.length - 1] =
                    new double[] {-0.0, Double.MIN_VALUE, Double.MAX_VALUE, 1e-310, 0.1 + 0.2}[random.nextInt(5)];
            boolean calibrated =
                    classes > 1 && kind.value().on(schema, intercept).givesProbabilities();
            ModelFile written = new ModelFile(
                    new TrainedModel(
                                    kind,
                                    intercept,
                                    theta,
                                    Scaling.fit(Scaling.Kind.STANDARDISE, data),
                                    target == Target.NUMBER
                                            ? new LabelScaling(random.nextGaussian(), Math.abs(random.nextGaussian()))
                                            : LabelScaling.NONE,
                                    schema,
                                    random.nextDouble() / 2 + 0.1)
                            .deciding(
                                    calibrated ? calibration(random, classes) : Calibration.NONE,
                                    random.nextDouble() / 2 + 0.1),
                    Plan.defaults().with(PlanKey.SEED, seed.value()),
                    Provenance.of(new DataSource("a\\b.csv", "abc"), 20, seed.value()));
            Path file = folder.resolve("model.json");
            written.write(file);
            expectSame(ModelFile.read(file), written);
        });
    }

    @Test
    void aTrainedModelReadsBackToTheBit() {
        for (int resamples : new int[] {0, 5}) {
            Plan plan = Plan.defaults().with(PlanKey.INTERVALS, resamples);
            ModelFile written = ModelFile.of(
                    Training.of(Samples.dataset(Seed.of(1), 300, 4), plan).run());
            Path file = folder.resolve("model.json");
            written.write(file);
            expectSame(ModelFile.read(file), written);
            assertThat(written.model().errors().isPresent()).isEqualTo(resamples > 0);
            assertThat(written.model().training()).isPresent();
        }
    }

    @Test
    void calibrationsAreWrittenByTheNumberOfClasses() throws IOException {
        Plan plan = Plan.defaults().with("class-weights", "balanced").with("rounds", "30");
        for (int classes : new int[] {2, 3}) {
            ModelFile written = ModelFile.of(Training.of(Samples.classes(Seed.of(1), 400, 4, classes, 0), plan)
                    .run());
            Calibration calibration = written.model().calibration();
            JsonNode node = new ObjectMapper().readTree(written.print()).get("calibration");
            assertThat(node.get("slope").asDouble()).isEqualTo(calibration.slope());
            if (classes == 2) {
                assertThat(node).hasSize(2);
                assertThat(node.get("intercept").asDouble()).isEqualTo(calibration.intercept());
            } else {
                assertThat(node).hasSize(2);
                assertThat(node.get("offsets")).hasSize(3);
                assertThat(node.at("/offsets/2").asDouble())
                        .isEqualTo(calibration.offsets().get(2));
                expect(
                        written.print().replaceFirst("\"slope\" : ", "\"slope\" : 1"),
                        "was damaged or changed after it was written");
            }
            Path file = folder.resolve("model.json");
            written.write(file);
            expectSame(ModelFile.read(file), written);
        }
    }

    @Test
    void scoresOfRowsHeldOutReadBackToTheBit() {
        TrainingRun run = Training.of(Samples.dataset(Seed.of(1), 300, 4), Plan.defaults())
                .run();
        Path file = folder.resolve("model.json");
        for (ConformalScores scores : List.of(
                new ConformalScores(0, List.of(), List.of(new double[] {0.1, 1e-310, 0.1 + 0.2})),
                new ConformalScores(
                        1, List.of("a|\"b\"", ""), List.of(new double[] {Double.POSITIVE_INFINITY, -3}, new double[] {0
                        })))) {
            ModelFile written = ModelFile.of(run).withConformal(scores);
            written.write(file);
            ModelFile read = ModelFile.read(file);
            expectSame(read, written);
            ConformalScores back = read.conformal().orElseThrow();
            assertThat(back.tolerated()).isEqualTo(scores.tolerated());
            assertThat(back.sources()).isEqualTo(scores.sources());
            assertThat(back.scores()).usingRecursiveComparison().isEqualTo(scores.scores());
        }
        assertThat(ModelFile.of(run).conformal()).isEmpty();
    }

    @Test
    void aChangedScoreIsNoticed() throws IOException {
        TrainingRun run = Training.of(Samples.dataset(Seed.of(1), 300, 4), Plan.defaults())
                .run();
        Path file = folder.resolve("model.json");
        ModelFile.of(run)
                .withConformal(new ConformalScores(0, List.of(), List.of(new double[] {0.123456})))
                .write(file);
        Files.writeString(file, Files.readString(file).replace("0.123456", "0.023456"));
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("its digest does not match");
        assertThat(ModelFile.readChanged(file)
                        .conformal()
                        .orElseThrow()
                        .scores()
                        .get(0))
                .containsExactly(0.023456);
        Files.writeString(file, Files.readString(file).replace("0.023456", "\"NaN\""));
        assertThatThrownBy(() -> ModelFile.readChanged(file))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": conformal scores: every source must have a score, and none may be NaN");
    }

    @Test
    void aRunWithAModelGivenAsAnObjectIsRepeatedFromItsFile() {
        Dataset data = Samples.dataset(Seed.of(1), 300, 4);
        TrainingRun run = Training.on(data)
                .model(new SmoothedHinge(false, 0.5))
                .rounds(20)
                .run();
        Path file = folder.resolve("model.json");
        ModelFile.of(run).write(file);
        Plan plan = ModelFile.read(file).plan();
        assertThat(plan.get(PlanKey.MODEL)).hasToString("svm(smoothing=0.5)");
        assertThat(Laws.bits(Training.of(data, plan).run().model().theta()))
                .isEqualTo(Laws.bits(run.model().theta()));
    }

    /** A digit of any number, a letter of any text, a flag: whatever the file says. */
    @Test
    void whateverIsChangedIsNoticedUnlessAskedFor() throws IOException {
        ModelFile written = ModelFile.of(Training.of(Samples.dataset(Seed.of(1), 300, 4), Plan.defaults())
                .run());
        String text = written.print();
        Path file = folder.resolve("model.json");
        int changes = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (!Character.isLetterOrDigit(c)) {
                continue;
            }
            char other = Character.isDigit(c) ? (char) ('0' + (c - '0' + 1) % 10) : c == 'x' ? 'y' : 'x';
            String changed = text.substring(0, at) + other + text.substring(at + 1);
            if (saysTheSame(changed, text)) {
                continue; // The seventeenth digit of a number that sixteen tell from all others.
            }
            Files.writeString(file, changed);
            assertThatThrownBy(() -> ModelFile.read(file)).isInstanceOf(InputException.class);
            changes++;
        }
        assertThat(changes).isGreaterThan(1000);
        String edited = text.replaceFirst("\"threshold\" : [0-9.]+", "\"threshold\" : 0.4");
        Files.writeString(file, edited);
        assertThatThrownBy(() -> ModelFile.read(file))
                .hasMessage(file
                        + ": was damaged or changed after it was written: its digest does not match; use --changed to accept"
                        + " it");
        assertThat(ModelFile.readChanged(file).model().threshold()).isEqualTo(0.4);
    }

    @Test
    void aFieldThatIsThereTwiceIsRefused() throws IOException {
        expect(frozen().replaceFirst("\"threshold\"", "\"threshold\" : 0.1, \"threshold\""), "line ");
        expect(frozen() + frozen(), "line ");
    }

    @Test
    void aDigestCountsWhateverTheVersion() throws IOException {
        String text = ModelFile.of(Training.of(Samples.dataset(Seed.of(1), 300, 4), Plan.defaults())
                        .run())
                .print();
        expect(text.replaceFirst("\"version\" : 3", "\"version\" : 1"), "was damaged or changed after it was written");
        expect(
                text.replaceFirst("\"threshold\" : [0-9.]+", "\"threshold\" : 1e999"),
                "was damaged or changed after it was");
    }

    private static boolean saysTheSame(String a, String b) {
        ObjectMapper mapper = new ObjectMapper();
        try {
            return mapper.readTree(a).equals(mapper.readTree(b));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void anotherSpellingOfTheSameIsNoChange() throws IOException {
        Plan plan = Plan.defaults().with("threshold", "0.5");
        ModelFile written = ModelFile.of(
                Training.of(Samples.dataset(Seed.of(1), 300, 4), plan).run());
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = (ObjectNode) mapper.readTree(written.print());
        ObjectNode turned = mapper.createObjectNode();
        List<String> names = new ArrayList<>();
        root.fieldNames().forEachRemaining(names::add);
        Collections.reverse(names);
        names.forEach(name -> turned.set(name, root.get(name)));
        String text = mapper.writeValueAsString(turned).replace("\"threshold\":0.5", "\"threshold\": 5.00e-1");
        expectSame(ModelFile.read(Files.writeString(folder.resolve("model.json"), text)), written);
    }

    private static String frozen() throws IOException {
        try (var in = ModelFileTest.class.getResourceAsStream("model-v1.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theFrozenModelOfVersionOneStaysReadable() throws IOException {
        ModelFile read = ModelFile.read(Files.writeString(folder.resolve("model.json"), frozen()));
        assertThat(read.model().theta()).containsExactly(0.1, -2.5e-300, 1.7976931348623157e308);
        assertThat(read.model().intercept()).isTrue();
        assertThat(read.model().schema().features()).containsExactly("age", "body mass");
        assertThat(read.model().schema().label()).isEqualTo("ill");
        assertThat(read.model().schema().classes()).containsExactly("no", "yes");
        assertThat(read.model().threshold()).isEqualTo(0.25);
        assertThat(read.model().scaling().kind()).isEqualTo(Scaling.Kind.STANDARDISE);
        assertThat(read.model().scaling().offsets()).containsExactly(50.5, 0);
        assertThat(read.model().scaling().divisors()).containsExactly(10, 1);
        assertThat(read.plan())
                .isEqualTo(Plan.defaults()
                        .with("scale", "standardise")
                        .with("test-rounding", "at-least-one")
                        .with("statistics", "pooled")
                        .with("dates", "text")
                        .with("keep", "all")
                        .with("recalibration", "none")
                        .with("model", "logistic")
                        .with("lambda", "3")
                        .with("scale", "standardise")
                        .with("screened", "0.28"));
        assertThat(read.provenance())
                .isEqualTo(new Provenance(
                        new DataSource("patients.csv", "0123456789abcdef"), 123, -7, "0.1.0", "a JVM", "a CPU"));
        assertThat(withoutPlan(read.print())).isEqualTo(withoutPlan(frozen()));
    }

    /** Later versions may know more settings; those a file does not name have their standard values. */
    private static JsonNode withoutPlan(String text) throws IOException {
        return ((ObjectNode) new ObjectMapper().readTree(text)).without(List.of("plan", "version", "digest"));
    }

    private void expect(String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("broken.json"), text);
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + ": " + message)
                .hasMessageNotContainingAny("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"holdfast-model\" | \"keras\" | is not a holdfast model",
                "\"version\" : 1 | \"version\" : 4 | model version must be at most 3, got 4",
                "\"version\" : 1 | \"version\" : 2 | was damaged or changed after it was written: it has no digest; use --changed to accept it",
                "\"version\" : 1 | \"version\" : \"1\" | 'version' must be a whole number",
                "\"model\" : \"logistic\" | \"model\" : \"forest\" | unknown model 'forest'; known: logistic",
                "\"model\" : \"logistic\" | \"model\" : \"softmax\" | model: there must be 6 weights, got 3",
                "\"model\" : \"logistic\" | \"model\" : \"linear\" | model linear predicts numbers, but ill has 2 classes",
                "\"model\" : \"logistic\" | \"model\" : \"svm(smoothing=0)\" | svm: smoothing must be",
                "0.1, | \"NaN\", | model: weights must be finite",
                "0.1, | \"much\", | 'weights' must be a number",
                "0.1, | NaN, | line",
                "0.1, | 1e999, | model: weights must be finite",
                "0.1, | ~~ | model: there must be 3 weights, got 2",
                "50.5, | ~~ | scaling needs one finite offset and one divisor per column, got 1 and 2",
                "10.0, | 0.0, | scaling: divisors must be > 0",
                "\"no\", | ~~ | model logistic predicts two classes, but ill has 1 classes",
                "\"yes\" | 1 | 'classes' must be a list of texts",
                "\"kind\" : | \"label_offset\" : 1, \"label_divisor\" : 2, \"kind\" : | model: only numbers are scaled, not two classes",
                "\"threshold\" | \"calibration\" : {\"slope\" : 0, \"intercept\" : 1}, \"threshold\" | calibration: the slope must be > 0",
                "\"threshold\" | \"calibration\" : {\"slope\" : 1}, \"threshold\" | 'intercept' must be a number",
                "\"threshold\" | \"calibration\" : {\"slope\" : 1, \"offsets\" : [1, 2]}, \"threshold\" | calibration: the offsets must add up to 0",
                "\"threshold\" | \"calibration\" : {\"slope\" : 1, \"offsets\" : [1, -2, 1]}, \"threshold\" | model: a calibration needs probabilities, and an offset for each of 2 classes",
                "0.25 | 1.5 | model: threshold must be between 0 and 1",
                "\"standardise\" | \"log\" | --scale must be one of",
                "\"lambda\" : \"3\" | \"lambda\" : \"-3\" | --lambda must be > 0",
                "\"lambda\" : \"3\" | \"lamda\" : \"3\" | unknown plan key 'lamda'",
                "\"lambda\" : \"3\" | \"lambda\" : 3 | 'plan.lambda' must be a text",
                "\"rows\" : 123 | \"rows\" : 1.5 | 'rows' must be a whole number"
            })
    void everyBrokenModelIsOneLine(String from, String to, String message) throws IOException {
        assertThat(frozen()).contains(from);
        expect(frozen().replaceFirst(Pattern.quote(from), to), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version",
                "model",
                "label",
                "classes",
                "threshold",
                "intercept",
                "features",
                "weights",
                "scaling",
                "kind",
                "offsets",
                "divisors",
                "plan",
                "provenance",
                "data",
                "sha256",
                "rows",
                "seed",
                "holdfast",
                "java",
                "cpu"
            })
    void aMissingFieldIsNamed(String field) throws IOException {
        expect(frozen().replaceFirst("\"" + field + "\" :(?! \"1\")", "\"other\" :"), "'" + field + "' must be ");
    }

    @Test
    void aTruncatedModelIsOneLine() throws IOException {
        String whole = frozen().strip();
        for (int length = 0; length < whole.length(); length += 7) {
            expect(whole.substring(0, length), "");
        }
        expect("[]", "is not a JSON object");
    }

    @Test
    void aFileThatIsNoneIsSaid() throws IOException {
        Path missing = folder.resolve("missing.json");
        assertThatThrownBy(() -> ModelFile.read(missing))
                .isInstanceOf(InputException.class)
                .hasMessage(missing + ": cannot be read: no such file");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() -> ModelFile.read(binary)).hasMessage(binary + ": cannot be read: it is not UTF-8 text");
    }
}
