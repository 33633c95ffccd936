package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.preparation.Split;
import holdfast.shift.Shifts;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fills of missing cells and categories of text columns come from the training rows of the run's own split. */
class TrainingRowsEncodingTest {
    private static final Path OLD = Path.of("src/test/resources/holdfast/formats");

    @TempDir
    Path folder;

    private static Plan plan(String... settings) {
        Plan plan = Plan.defaults().with("workers", "3").with("rounds", "5").with("learning-rate", "0.1");
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return plan;
    }

    private String write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String converted(String table, Plan plan) {
        Path target = folder.resolve("table.hfd");
        DataFile.convert(table, plan, target, share -> {}, share -> {});
        return target.toString();
    }

    /** The same table in both forms. */
    private List<Table> bothForms(String text, Plan plan) {
        String table = write("table.csv", text);
        return List.of(DataFile.read(table, plan), DataFile.read(converted(table, plan), plan));
    }

    /** Cells of a table as they are written; the label is the last one and the first row has no hole. */
    private record Cells(String[][] rows) {
        private static final String[] HOLES = {"", "NA", "?"};

        static Cells of(Randomness random, boolean holes) {
            String[][] rows = new String[40 + random.nextInt(60)][];
            for (int r = 0; r < rows.length; r++) {
                rows[r] = new String[] {
                    "" + random.nextGaussian(),
                    List.of("red", "blue", "green", "Blue").get(random.nextInt(4)),
                    "" + 100 * random.nextGaussian(),
                    r % 2 == 0 ? "yes" : "no"
                };
                for (int c = 0; holes && r > 0 && c < 3; c++) {
                    rows[r][c] = random.nextInt(5) == 0 ? HOLES[random.nextInt(3)] : rows[r][c];
                }
            }
            return new Cells(rows);
        }

        Cells changed(int[] chosen, Randomness random, boolean holes) {
            String[][] other = Arrays.stream(rows).map(String[]::clone).toArray(String[][]::new);
            for (int r : chosen) {
                for (int c = 0; c < 3; c++) {
                    boolean hole = holes && r > 0 && random.nextInt(3) == 0;
                    String value = c == 1
                            ? List.of("red", "pink", "a new one").get(random.nextInt(3))
                            : "" + 1e9 * random.nextGaussian();
                    other[r][c] = hole ? "null" : value;
                }
            }
            return new Cells(other);
        }

        String text() {
            StringBuilder csv = new StringBuilder("x,colour,z,ill\n");
            Arrays.stream(rows).forEach(row -> csv.append(String.join(",", row)).append('\n'));
            return csv.toString();
        }

        /** The plain way to the encoding of some rows. */
        Encoding encoding(int[] chosen, String missing) {
            List<Encoding.Column> columns = new ArrayList<>();
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                TreeMap<String, Integer> counts = new TreeMap<>();
                int there = 0;
                for (int r : chosen) {
                    if (!Set.of("", "NA", "?", "null").contains(rows[r][c])) {
                        counts.merge(rows[r][c], 1, Integer::sum);
                        sum += c == 1 ? 0 : Double.parseDouble(rows[r][c]);
                        there++;
                    }
                }
                boolean marked = missing.equals("indicator") && there < chosen.length;
                int present = there;
                List<Double> fill = c != 1
                        ? List.of(sum / there)
                        : counts.values().stream()
                                .map(n -> marked ? 0.0 : (double) n / present)
                                .toList();
                columns.add(new Encoding.Column(
                        List.of("x", "colour", "z").get(c),
                        c == 1 ? List.copyOf(counts.keySet()) : List.of(),
                        missing.equals("fail") ? List.of() : fill,
                        marked));
            }
            return new Encoding(columns);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "mean", "indicator"})
    void heldOutCellsChangeNothingThatIsLearnt(String missing) {
        boolean holes = !missing.equals("fail");
        Laws.check(15, seed -> {
            Plan plan = plan("missing", missing, "rounds", "2", "test-share", "0.4")
                    .with(PlanKey.SEED, (long) seed.random().nextInt(1000));
            Cells cells = Cells.of(seed.child("cells").random(), holes);
            Table data = DataFile.read(write("table.csv", cells.text()), plan);
            Split split = Split.stratified(data.cells(), 0.4, plan.seed());
            Cells changed = cells.changed(split.heldOut(), seed.child("change").random(), holes);
            Encoding expected = cells.encoding(split.training(), missing);
            TrainingRun run = Training.of(data, plan).run();
            for (Cells each : List.of(cells, changed)) {
                Logged.during(() -> bothForms(each.text(), plan).forEach(form -> {
                    assertThat(Encoding.learn(form, split.training())).isEqualTo(expected);
                    TrainingRun other = Training.of(form, plan).run();
                    assertThat(other.model().schema()).isEqualTo(run.model().schema());
                    assertThat(other.model().scaling().offsets())
                            .isEqualTo(run.model().scaling().offsets());
                    assertThat(Laws.bits(other.model().theta()))
                            .isEqualTo(Laws.bits(run.model().theta()));
                    assertThat(other.model().encoding()).isEqualTo(expected);
                }));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "indicator"})
    void everySeedOfTheSameDataHasItsOwnFills(String missing) {
        Cells cells = Cells.of(Seed.of(7).random(), true);
        for (Table data : bothForms(cells.text(), plan("missing", missing))) {
            Set<Encoding> learnt = new HashSet<>();
            for (String seed : List.of("1", "2", "1")) {
                Plan plan = plan("missing", missing, "seed", seed);
                Encoding own = PreparedData.of(data, plan).preparation().encoding();
                int[] training =
                        Split.stratified(data.cells(), 0.3, plan.seed()).training();
                assertThat(own).isEqualTo(cells.encoding(training, missing));
                learnt.add(own);
            }
            assertThat(learnt).hasSize(2);
        }
    }

    /** A table with a column that is special in all training rows or in all rows held out. */
    private static String table(boolean training, String usual, String special) {
        StringBuilder csv = new StringBuilder("x,c,ill\n");
        Split split = split();
        int[] rows = training ? split.training() : split.heldOut();
        for (int r = 0; r < 20; r++) {
            csv.append(r)
                    .append(',')
                    .append(Arrays.binarySearch(rows, r) >= 0 ? special : usual)
                    .append(r % 2 == 0 ? ",yes\n" : ",no\n");
        }
        return csv.toString();
    }

    /** That of {@link #table}, as labels alone decide it. */
    private static Split split() {
        DatasetBuilder rows = new DatasetBuilder(1);
        IntStream.range(0, 20).forEach(r -> rows.add(new double[1], r % 2 == 0 ? 1 : 0));
        return Split.stratified(
                rows.build(new Schema(List.of("x"), "ill", List.of("no", "yes"), List.of()), DataSource.MEMORY),
                0.3,
                plan().seed());
    }

    @ParameterizedTest
    @CsvSource({"fail, the features of the column are 0 there", "mean, they count as missing"})
    void valuesThatOnlyRowsHeldOutHaveAreSaidOnce(String missing, String what) {
        Plan plan = plan("missing", missing, "one-hot", "c");
        for (Table data : bothForms(table(false, "usual", "odd"), plan)) {
            List<PreparedData> prepared = new ArrayList<>();
            assertThat(Logged.during(() -> prepared.add(PreparedData.of(data, plan))))
                    .containsExactly(
                            data.source().name() + ": column c: 6 held-out rows have a value not known from training,"
                                    + " such as 'odd'; " + what);
            Dataset heldOut = prepared.get(0).heldOut().orElseThrow();
            assertThat(heldOut.schema().features()).containsExactly("x", "c=usual");
            assertThat(heldOut.rows()).isEqualTo(6);
            for (int r = 0; r < 6; r++) {
                assertThat(heldOut.row(r)).containsExactly(split().heldOut()[r], missing.equals("fail") ? 0 : 1);
            }
        }
        for (Table data : bothForms(table(false, "usual", "usual"), plan)) {
            assertThat(Logged.during(() -> PreparedData.of(data, plan))).isEmpty();
        }
    }

    @Test
    void theMarkIsThereWhereATrainingCellIsMissing() {
        Plan plan = plan("missing", "indicator", "one-hot", "none");
        for (Table data : bothForms(table(false, "3", "?"), plan)) {
            PreparedData prepared = PreparedData.of(data, plan);
            assertThat(prepared.training().schema().features()).containsExactly("x", "c");
            assertThat(prepared.heldOut().orElseThrow().row(0)).containsExactly(split().heldOut()[0], 3);
        }
        String text = table(false, "3", "4").replaceFirst("\n" + split().training()[3] + ",3", "\n50,?");
        for (Table data : bothForms(text, plan)) {
            PreparedData prepared = PreparedData.of(data, plan);
            assertThat(prepared.training().schema().features()).containsExactly("x", "c", "c missing");
            assertThat(prepared.heldOut().orElseThrow().row(0)).containsExactly(split().heldOut()[0], 4, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "text"})
    void aColumnThatIsMissingInAllTrainingRowsIsSaid(String value) {
        Plan plan = plan("missing", "mean");
        for (Table data : bothForms(table(true, value, ""), plan)) {
            assertThatThrownBy(() -> PreparedData.of(data, plan))
                    .isInstanceOf(InputException.class)
                    .hasMessage(
                            data.source().name() + ": column c is missing in all 14 training rows; remove the column,"
                                    + " or let --test-share or --seed choose other training rows");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "mean", "indicator"})
    void theModelFileIsThatOfTheTable(String missing) {
        Plan plan = plan("missing", missing);
        String table = write(
                "table.csv",
                Cells.of(Seed.of(9).random(), !missing.equals("fail")).text());
        String mapped = converted(table, plan);
        assertThat(withoutDigest(ModelFile.of(
                                Training.of(DataFile.read(mapped, plan), plan).run())
                        .print()
                        .replace(mapped, table)))
                .isEqualTo(withoutDigest(ModelFile.of(
                                Training.of(DataFile.read(table, plan), plan).run())
                        .print()));
    }

    /** The digest covers the name of the file. */
    private static String withoutDigest(String model) {
        return model.replaceFirst("\"digest\" : \"[0-9a-f]{64}\"", "");
    }

    @Test
    void manyCategoriesTrainSparseFromEitherForm() {
        StringBuilder csv = new StringBuilder("word,length,spam\n");
        for (int r = 0; r < 3000; r++) {
            csv.append(
                    String.format(Locale.ROOT, "w%d,%d,%s%n", r * 7 % 500, r % 9, r * 7 % 500 % 2 == 0 ? "yes" : "no"));
        }
        List<TrainingRun> runs = new ArrayList<>();
        bothForms(csv.toString(), plan()).forEach(data -> {
            assertThat(PreparedData.of(data, plan()).training().sparse()).isTrue();
            runs.add(Training.of(data, plan()).run());
        });
        assertThat(Laws.bits(runs.get(1).model().theta()))
                .isEqualTo(Laws.bits(runs.get(0).model().theta()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "mean", "indicator"})
    void aModelTakesLaterTablesInEitherForm(String missing) throws IOException {
        boolean holes = !missing.equals("fail");
        Plan plan = plan("missing", missing);
        Cells cells = Cells.of(Seed.of(11).random(), holes);
        TrainedModel model = Training.of(DataFile.read(write("t.csv", cells.text()), plan), plan)
                .run()
                .model();
        // Other columns and another order; words that training never met, where they count as missing.
        Cells later = Cells.of(Seed.of(12).random(), holes);
        StringBuilder csv = new StringBuilder("other,z,colour,x,ill\n");
        for (String[] row : later.rows()) {
            csv.append(String.join(",", "7", row[2], holes && row[1].equals("red") ? "pink" : row[1], row[0], row[3]))
                    .append('\n');
        }
        String table = write("later.csv", csv.toString());
        Dataset read = DataFile.read(table, model, true);
        Dataset mapped = DataFile.read(converted(table, plan), model, true);
        assertThat(mapped.schema()).isEqualTo(read.schema());
        for (int r = 0; r < read.rows(); r++) {
            assertThat(Laws.bits(mapped.row(r))).isEqualTo(Laws.bits(read.row(r)));
            assertThat(mapped.label(r)).isEqualTo(read.label(r));
        }
        // Cells that were read to be trained on are encoded by the model too.
        Dataset cellsOfLater = model.features(DataFile.read(table, plan));
        assertThat(model.scores(cellsOfLater)).isEqualTo(model.scores(read));
        assertThat(Evaluation.of(model, cellsOfLater, Shifts.catalogue().create(Spec.parse("none")))
                        .metrics())
                .isEqualTo(Evaluation.of(model, read, Shifts.catalogue().create(Spec.parse("none")))
                        .metrics());
    }

    @Test
    void whatAModelCannotEncodeIsSaidOfConvertedTablesToo() {
        String text = "age,colour,ill\n1,red,yes\n2,blue,no\n3,red,yes\n4,blue,no\n";
        Plan plan = plan("test-share", "0", "workers", "1");
        TrainedModel model = Training.of(DataFile.read(write("t.csv", text), plan), plan)
                .run()
                .model();
        for (String[] each : new String[][] {
            {"mean", "3,red,yes\n3,?,no", "row 2, column colour is missing, which --missing fail in training forbids"},
            {"mean", "3,red,yes\nNA,red,no", "row 2, column age is missing, which --missing fail in training forbids"},
            {"fail", "3,5,yes\n3,6,no", "column colour must hold text as in training, got numbers"},
            {"fail", "young,red,yes\nold,red,no", "column age must hold numbers as in training, got text"}
        }) {
            String mapped = converted(
                    write("later.csv", "age,colour,ill\n" + each[1] + "\n"),
                    Plan.defaults().with("missing", each[0]));
            assertThatThrownBy(() -> DataFile.read(mapped, model, true))
                    .isInstanceOf(InputException.class)
                    .hasMessage(mapped + ": " + each[2]);
        }
        String other = converted(write("other.csv", "age,ill\n3,yes\n4,no\n"), plan());
        assertThatThrownBy(() -> DataFile.read(other, model, true))
                .hasMessage(other + ": must have the features of the model, got no column 'colour'");
    }

    /** The files were written by version 0.1.0, whose encodings are those of all rows, whatever they weigh. */
    @ParameterizedTest
    @CsvSource({"v1-mean, mean", "v1-indicator, indicator", "v2-mean, mean"})
    void filesOfOlderVersionsAreReadAsTheyAre(String file, String missing) {
        Plan plan = plan("missing", missing, "workers-by", "site", "weights-by", "w");
        String old = OLD.resolve("hfd-" + file + ".hfd").toString();
        Table cells = DataFile.read(OLD.resolve("hfd-old.csv").toString(), plan);
        int[] all = IntStream.range(0, cells.rows()).toArray();
        Table alike = Table.of(cells.columns(), cells.cells().reweigh(r -> 1));
        Encoding encoding = Encoding.learn(alike, all);
        Dataset expected = encoding.apply(cells, all);
        boolean floats = file.startsWith("v2");
        List<Table> read = new ArrayList<>();
        assertThat(Logged.during(() -> read.add(DataFile.read(old, plan))))
                .containsExactly(old + ": was converted by an older version, which learnt categories and the fills of"
                        + " missing cells from all rows, those held out included; convert again");
        Dataset data = read.get(0).cells();
        assertThat(data.schema()).isEqualTo(expected.schema());
        for (int r = 0; r < expected.rows(); r++) {
            double[] row = expected.row(r);
            if (floats) {
                Arrays.setAll(row, i -> (float) row[i]);
            }
            assertThat(Laws.bits(data.row(r))).isEqualTo(Laws.bits(row));
            assertThat(data.label(r)).isEqualTo(expected.label(r));
            assertThat(data.weight(r)).isEqualTo(expected.weight(r));
            assertThat(data.group(r)).isEqualTo(expected.group(r));
        }
        TrainedModel model =
                Training.of(read.get(0), plan.with("rounds", "2")).run().model();
        assertThat(model.schema()).isEqualTo(expected.schema().withoutGroups());
        assertThat(model.encoding()).isEqualTo(encoding);
        assertThat(DataFile.read(old, model, true).rows()).isEqualTo(40);
        assertThatThrownBy(
                        () -> DataFile.read(old, Training.of(cells, plan).run().model(), true))
                .hasMessage(old
                        + ": must have the features of the model, in their order and encoded alike; the table it was"
                        + " converted from can be used as it is, or converted again");
    }

    @Test
    void plainNumbersAreWrittenAsEver() throws IOException {
        String old = OLD.resolve("hfd-v1-plain.hfd").toString();
        List<Table> read = new ArrayList<>();
        assertThat(Logged.during(() -> read.add(DataFile.read(old, plan())))).isEmpty();
        assertThat(read.get(0).cells().row(2)).containsExactly(0.1, 1e300);
        assertThat(Files.readAllBytes(
                        Path.of(converted(OLD.resolve("hfd-plain.csv").toString(), Plan.defaults()))))
                .isEqualTo(Files.readAllBytes(Path.of(old)));
    }

    /** A table without missing cells, of whose values each is in many rows. */
    private String whole(int rows, int words) {
        Randomness random = Seed.of(3).child("whole").random();
        StringBuilder csv = new StringBuilder("a,word,b,w,site,y\n");
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(2);
            int word = random.nextInt(words);
            csv.append(String.format(
                    Locale.ROOT,
                    "%.6f,%s,%.6f,%d,s%d,%s%n",
                    x[0],
                    words == 1 ? "1" : "v" + word,
                    r % 9 == 0 ? -0.0 : x[1],
                    1 + r % 3,
                    r % 4,
                    x[0] + 0.1 * (word % 5) - x[1] > 0 ? "yes" : "no"));
        }
        return write("whole.csv", csv.toString());
    }

    /** The numbers were made by version 0.1.0, which learnt encodings from all rows. */
    @ParameterizedTest
    @CsvSource({
        "900, 1, fail, '', -777274401",
        "900, 7, fail, '', -1077327082",
        "900, 7, mean, '', -1077327082",
        "900, 7, indicator, site, -2145273154",
        "6000, 300, fail, '', 189449306",
    })
    void whereEveryValueIsInTrainingRowsTheWeightsAreThoseOfAllRows(
            int rows, int words, String missing, String source, int hash) {
        Plan plan = Plan.defaults()
                .with("workers", "4")
                .with("statistics", "pooled")
                .with("test-rounding", "at-least-one")
                .with("rounds", "15")
                .with("missing", missing)
                .with("workers-by", source);
        String table = whole(rows, words);
        for (String file : List.of(table, converted(table, plan))) {
            double[] theta =
                    Training.of(DataFile.read(file, plan), plan).run().model().theta();
            assertThat(Arrays.hashCode(Laws.bits(theta))).isEqualTo(hash);
        }
    }
}
