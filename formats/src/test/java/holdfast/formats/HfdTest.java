package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.shift.Shifts;
import holdfast.testkit.Laws;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HfdTest {
    @TempDir
    Path folder;

    /** A table with numbers, words, empty cells, a source and a weight in every row. */
    private String table(int rows, String label) throws IOException {
        Randomness random = Seed.of(5).child("table").random();
        StringBuilder csv = new StringBuilder("a,b,town,empty,site,w,y\n");
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(4);
            double u = x[0] - 2 * x[1] + x[3];
            csv.append(x[0])
                    .append(',')
                    .append(1e3 * x[1])
                    .append(',')
                    .append(r % 3 == 0 ? "Rome" : "Oslo")
                    .append(',');
            csv.append(r % 7 == 0 ? "" : String.valueOf(x[2]))
                    .append(",s")
                    .append(r % 6)
                    .append(',');
            csv.append(1 + r % 4).append(',');
            csv.append(label.equals("classes") ? u > 0 ? "yes" : "no" : label.equals("numbers") ? "" + u : "" + r % 5);
            csv.append('\n');
        }
        return Files.writeString(folder.resolve("table.csv"), csv).toString();
    }

    private static Plan plan(String... settings) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            map.put(settings[i], settings[i + 1]);
        }
        return Plan.of(map);
    }

    private String converted(String table, Plan plan) {
        Path target = folder.resolve("table.hfd");
        DataFile.convert(table, plan, target, share -> {}, share -> {});
        return target.toString();
    }

    private static void expectSame(Dataset mapped, Dataset read) {
        assertThat(mapped.schema()).isEqualTo(read.schema());
        assertThat(mapped.source().sha256()).isEqualTo(read.source().sha256());
        assertThat(mapped.rows()).isEqualTo(read.rows());
        for (int r = 0; r < read.rows(); r++) {
            assertThat(Laws.bits(mapped.row(r))).isEqualTo(Laws.bits(read.row(r)));
            assertThat(mapped.label(r)).isEqualTo(read.label(r));
            assertThat(mapped.weight(r)).isEqualTo(read.weight(r));
            assertThat(mapped.group(r)).isEqualTo(read.group(r));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classes", "numbers", "counts"})
    void holdsWhatTheTableHolds(String label) throws IOException {
        String table = table(600, label);
        Plan plan = plan("workers-by", "site", "weights-by", "w", "missing", "indicator");
        Table mapped = DataFile.read(converted(table, plan), plan);
        Table read = DataFile.read(table, plan);
        assertThat(mapped.columns()).isEqualTo(read.columns());
        expectSame(mapped.cells(), read.cells());
        assertThat(Files.list(folder)).as("temporary files").hasSize(2);
    }

    @Test
    void settingsHaveTheOrderOfTheFirstVersionAndNewOnesFollow() {
        assertThat(HfdWriter.settings())
                .extracting(PlanKey::name)
                .startsWith("label", "workers-by", "weights-by", "format", "header", "one-hot", "missing");
        assertThat(HfdWriter.settings()).containsExactlyInAnyOrderElementsOf(PlanKey.aboutFiles());
    }

    @Test
    void holdsPlainNumbersWithoutSourceOrWeight() throws IOException {
        String mapped = converted("builtin:spambase", plan());
        Dataset read = DataFile.read("builtin:spambase", plan()).cells();
        expectSame(DataFile.read(mapped, plan()).cells(), read);
        expectSame(DataFile.read(mapped, plan("label", read.schema().label())).cells(), read);
        expectSame(
                DataFile.read(mapped, read.schema(), Encoding.NONE, true),
                DataFile.read("builtin:spambase", read.schema(), Encoding.NONE, true));
    }

    private static TrainingRun train(String data, Plan plan) {
        return Training.of(DataFile.read(data, plan), plan).threads(2).run();
    }

    private void expectSameRun(String table, Plan plan) {
        TrainingRun read = train(table, plan);
        TrainingRun mapped = train(converted(table, plan.without(PlanKey.STORAGE)), plan);
        assertThat(Laws.bits(mapped.model().theta()))
                .isEqualTo(Laws.bits(read.model().theta()));
        assertThat(mapped.learningRate()).isEqualTo(read.learningRate());
        for (String shift : new String[] {"none", "l2(budget=0.3)", "noise(sd=0.3)", "trigger(column=0, value=5)"}) {
            var chosen = Shifts.catalogue().create(Spec.parse(shift));
            assertThat(Evaluation.of(mapped.model(), mapped.heldOut().orElseThrow(), chosen)
                            .metrics())
                    .isEqualTo(Evaluation.of(read.model(), read.heldOut().orElseThrow(), chosen)
                            .metrics());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "classes;",
                "classes; scale sd; batch 16; local-steps 2",
                "classes; workers-by site; weights-by w; class-weights balanced; validation 0.2",
                "classes; scale none; update newton; lambda 5",
                "classes; storage float; weights-by w; batch 16",
                "classes; storage float; attack backdoor; liars 1; validation 0.2",
                "classes; attack label-flip; liars 1; root 20; replicas 2; workers 6",
                "classes; attack backdoor; liars 1; lambda 0.5; maximiser ascent; ascent-steps 4",
                "numbers; scale min-max; weights-by w",
                "counts; scale max-abs; model poisson; learning-rate 0.01",
                "counts; model softmax"
            })
    void trainsToTheSameBits(String what) throws IOException {
        String[] parts = what.split("; ?");
        Map<String, String> settings = new LinkedHashMap<>(Map.of("rounds", "12", "workers", "5", "missing", "mean"));
        Stream.of(parts).skip(1).map(p -> p.split(" ")).forEach(p -> settings.put(p[0], p[1]));
        expectSameRun(table(1500, parts[0]), Plan.of(settings));
    }

    @Test
    void floatsTakeHalfAndAreTheTableRounded() throws IOException {
        String table = table(1500, "classes");
        Plan plan = plan("missing", "mean", "workers-by", "site", "weights-by", "w", "rounds", "8");
        long doubles = Files.size(Path.of(converted(table, plan)));
        Table cells = DataFile.read(table, plan);
        Dataset read = cells.cells();
        String mapped = converted(table, plan.with("storage", "float"));
        assertThat(Files.size(Path.of(mapped))).isEqualTo(doubles - 4L * read.rows() * read.columns());
        Dataset floats = DataFile.read(mapped, plan).cells();
        assertThat(floats.source().sha256()).isEqualTo(read.source().sha256() + "-float");
        DatasetBuilder floatCells = new DatasetBuilder(read.columns());
        for (int r = 0; r < read.rows(); r++) {
            double[] row = read.row(r);
            Arrays.setAll(row, i -> (float) row[i]);
            floatCells.add(row, read.label(r), read.group(r), read.weight(r));
        }
        Dataset rounded = floatCells.build(read.schema(), read.source());
        assertThat(floats.schema()).isEqualTo(read.schema());
        for (int r = 0; r < read.rows(); r++) {
            assertThat(Laws.bits(floats.row(r))).isEqualTo(Laws.bits(rounded.row(r)));
            assertThat(floats.label(r)).isEqualTo(read.label(r));
            assertThat(floats.weight(r)).isEqualTo(read.weight(r));
            assertThat(floats.group(r)).isEqualTo(read.group(r));
        }
        for (String storage : new String[] {"double", "float"}) {
            Plan how = plan.with("storage", storage);
            assertThat(Laws.bits(train(mapped, how).model().theta()))
                    .isEqualTo(Laws.bits(Training.of(Table.of(cells.columns(), rounded), how)
                            .run()
                            .model()
                            .theta()));
        }
    }

    @Test
    void saysWhichValueIsTooLargeForAFloat() throws IOException {
        String table = Files.writeString(folder.resolve("large.csv"), "a,b,y\n1,2,0\n2,-1e39,1\n")
                .toString();
        assertThatThrownBy(() -> converted(table, plan("storage", "float")))
                .hasMessage(table + ": row 2, column b: --storage float cannot hold -1.0E39, which is too large; use"
                        + " --storage double");
        assertThat(Files.list(folder)).hasSize(1);
    }

    @Test
    void aLaterFileIsEvaluatedAlike() throws IOException {
        String table = table(600, "classes");
        Plan plan = plan("missing", "mean", "rounds", "5");
        Table data = DataFile.read(table, plan);
        var model = Training.of(data, plan).run().model();
        String mapped = converted(table, plan);
        assertThat(model.predict(DataFile.read(mapped, model, false)).label(7))
                .isEqualTo(model.predict(DataFile.read(table, model, false)).label(7));
        String other = converted("builtin:spambase", plan());
        assertThatThrownBy(() -> DataFile.read(other, model, false))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("must have the features of the model");
    }

    @Test
    void settingsOfTheConversionCannotBeChangedLater() throws IOException {
        String mapped = converted(table(60, "numbers"), plan("label", "y", "missing", "mean"));
        assertThatThrownBy(() -> DataFile.read(mapped, plan("label", "a")))
                .hasMessage(mapped + ": was converted with --label 'y', got 'a'; convert again to change it");
        assertThatThrownBy(() -> DataFile.read(mapped, plan("workers-by", "site")))
                .hasMessageContaining("was converted with --workers-by ''");
        assertThatThrownBy(() -> DataFile.read(mapped, plan("model", "logistic")))
                .hasMessageContaining("predicts two classes, but y has numbers");
        assertThatThrownBy(() -> converted(mapped, plan())).hasMessage(mapped + ": is an .hfd file already");
    }

    @Test
    void everyDamagedByteIsFound() throws IOException {
        String mapped = converted(table(40, "classes"), plan("missing", "mean"));
        byte[] sound = Files.readAllBytes(Path.of(mapped));
        Laws.check(200, seed -> {
            byte[] damaged = sound.clone();
            int at = 8 + seed.random().nextInt(sound.length - 8);
            damaged[at] ^= (byte) (1 << seed.random().nextInt(8));
            expectRefused(mapped, damaged);
        });
        IntStream.of(8, 20, 24, 4096, sound.length - 1)
                .forEach(length -> expectRefused(mapped, Arrays.copyOf(sound, length)));
        expectRefused(mapped, Arrays.copyOf(sound, sound.length + 1));
    }

    private static void expectRefused(String file, byte[] content) {
        try {
            Files.write(Path.of(file), content);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        assertThatThrownBy(() -> DataFile.read(file, plan()))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageMatching("[^\n]*");
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        Path mapped = Path.of(converted(table(40, "classes"), plan("missing", "mean")));
        byte[] sound = Files.readAllBytes(mapped);
        byte[] newer = sound.clone();
        newer[8] = 5;
        Files.write(mapped, newer);
        assertThatThrownBy(() -> DataFile.read(mapped.toString(), plan()))
                .hasMessage(mapped + ": .hfd version must be at most 4, got 5; it was written by a newer holdfast");
        Files.write(mapped, Arrays.copyOf(sound, 5000));
        assertThatThrownBy(() -> DataFile.read(mapped.toString(), plan()))
                .hasMessage(
                        mapped + ": must have " + sound.length + " bytes, got 5000; it is not whole, convert again");
        byte[] wrong = sound.clone();
        wrong[5000]++;
        Files.write(mapped, wrong);
        assertThatThrownBy(() -> DataFile.read(mapped.toString(), plan()))
                .hasMessage(mapped + ": is damaged: its content does not match its checksum; convert again");
    }

    @Test
    void sparseRowsAreRefused() throws IOException {
        String libsvm =
                Files.writeString(folder.resolve("a.svm"), "1 1:2\n0 3:4\n").toString();
        assertThatThrownBy(() -> converted(libsvm, plan())).hasMessageContaining("cannot hold yet");
        assertThat(folder.resolve("table.hfd")).doesNotExist();
    }

    @Test
    void aTableWithAMistakeLeavesNothing() throws IOException {
        String table = Files.writeString(folder.resolve("bad.csv"), "a,y\n1,0\n2,1\nx,1\n")
                .toString();
        assertThatThrownBy(() -> converted(table, plan())).hasMessageContaining("line 4, column 1 (a)");
        assertThat(Files.list(folder)).hasSize(1);
    }
}
