package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.DatePart;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of dates become numbers, and identifiers are left out, whatever f sources say. */
class DatesAndIdentifiersTest {
    private static final Plan PLAN = Plan.defaults();
    private static final Plan BY_SOURCE = PLAN.with("workers-by", "from").with("tolerated", "1");

    @TempDir
    private Path folder;

    private String file(String text) {
        try {
            return Files.writeString(folder.resolve("data.csv"), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rows of five sources: a number, the column in question, the source, the label. */
    private static String table(String name, int rows, IntFunction<String> cell) {
        Randomness random = Seed.of(5).child("table").random();
        StringBuilder csv = new StringBuilder("x," + name + ",from,y\n");
        for (int r = 0; r < rows; r++) {
            double x = random.nextGaussian();
            csv.append(x)
                    .append(',')
                    .append(cell.apply(r))
                    .append(",S")
                    .append(r % 5)
                    .append(x + random.nextGaussian() > 0 ? ",yes\n" : ",no\n");
        }
        return csv.toString();
    }

    private static String day(int r) {
        return LocalDate.ofEpochDay(19_000 + r * 7 % 1016).toString();
    }

    private static List<String> names(Table table) {
        return table.columns().stream().map(TableColumn::name).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "from"})
    void aThousandDatesAreOneColumn(String workersBy) {
        Plan plan = workersBy.isEmpty() ? PLAN.with("drop", "from") : BY_SOURCE;
        String file = file(table("when", 1200, DatesAndIdentifiersTest::day));
        Table table = DataFile.read(file, plan);
        assertThat(names(table)).containsExactly("x", "when");
        assertThat(table.columns().get(1).date()).isEqualTo(DatePart.DAYS);
        for (int r = 0; r < table.rows(); r++) {
            assertThat(table.cells().row(r)[1]).isEqualTo(19_000 + r * 7 % 1016);
        }
        Table parts = DataFile.read(file, plan.with("dates", "parts"));
        assertThat(names(parts)).containsExactly("x", "when", "when month", "when weekday");
        LocalDate third = LocalDate.ofEpochDay(19_014);
        assertThat(parts.cells().row(2))
                .endsWith(
                        19_014, third.getMonthValue() - 1, third.getDayOfWeek().getValue() - 1);
        String few = file(table("when", 200, r -> day(r % 3)));
        assertThat(DataFile.read(few, plan.with("dates", "text"))
                        .columns()
                        .get(1)
                        .categories())
                .hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"number, 2", "parts, 21"})
    void aModelReadsDatesAsInTraining(String dates, int features) throws IOException {
        Plan plan = BY_SOURCE.with("dates", dates).with("rounds", "20").with("missing", "mean");
        String data = file(table("when", 900, r -> r % 50 == 0 ? "" : day(r)));
        TrainingRun run = Training.of(DataFile.read(data, plan), plan).run();
        Path mapped = folder.resolve("data.hfd");
        DataFile.convert(data, plan, mapped, share -> {}, share -> {});
        assertThat(Training.of(DataFile.read(mapped.toString(), plan), plan)
                        .run()
                        .model()
                        .theta())
                .isEqualTo(run.model().theta());
        Path stored = folder.resolve("model.json");
        ModelFile.of(run).write(stored);
        ModelFile model = ModelFile.read(stored);
        assertThat(model.model().encoding()).isEqualTo(run.model().encoding());
        assertThat(model.model().schema().features()).hasSize(features);
        Dataset rows = DataFile.read(data, model, true);
        Dataset mappedRows = DataFile.read(mapped.toString(), model, true);
        assertThat(model.model().scores(rows)).isEqualTo(model.model().scores(mappedRows));
        String later = file("when,x\n2030-01-01,1\n");
        assertThat(DataFile.read(later, model, false).row(0)).contains(21_915, 1);
        String wrong = file("when,x\nyesterday,1\n");
        assertThatThrownBy(() -> DataFile.read(wrong, model, false))
                .isInstanceOf(InputException.class)
                .hasMessage(wrong + ": line 2, column 1 (when) must be a date such as 2024-05-31, got 'yesterday'");
    }

    @Test
    void oneSourceDoesNotDecideThatAColumnHoldsDates() {
        Laws.check(20, seed -> {
            int liar = seed.random().nextInt(5);
            Table words = DataFile.read(
                    file(table("colour", 300, r -> r % 5 == liar ? day(r) : r % 2 == 0 ? "red" : "blue")), BY_SOURCE);
            assertThat(words.columns().get(1).isText()).isTrue();
            assertThat(words.columns().get(1).date()).isEqualTo(DatePart.NONE);
            for (String lie : List.of("never", "17")) {
                Table dates =
                        DataFile.read(file(table("when", 300, r -> r % 5 == liar && r > 20 ? lie : day(r))), BY_SOURCE);
                assertThat(dates.columns().get(1).date()).isEqualTo(DatePart.DAYS);
                assertThat(dates.unusable()).extracting(s -> s.name()).containsExactly("S" + liar);
            }
        });
    }

    @Test
    void aWordAmongDatesIsSaid() {
        String file = file(table("when", 60, r -> r == 8 ? "never" : day(r)));
        assertThatThrownBy(() -> DataFile.read(file, PLAN.with("drop", "from")))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "%s: line 10, column 2 (when) must be a date like most of the column, got 'never'; use"
                                + " --missing-values if it stands for a missing one, --dates text if the column holds"
                                + " categories",
                        file);
        assertThat(DataFile.read(
                                file,
                                PLAN.with("drop", "from")
                                        .with("missing-values", "never")
                                        .with("missing", "mean"))
                        .columns()
                        .get(1)
                        .date())
                .isEqualTo(DatePart.DAYS);
    }

    /** Two sources of 40 rows count up; three of few rows have fractions, 29 at most. */
    @ParameterizedTest
    @ValueSource(ints = {3, 29, 30})
    void onlySourcesOfThirtyRowsVoteOnRowNumbers(int few) {
        StringBuilder csv = new StringBuilder("x,visit,from,y\n");
        for (int s = 0; s < 5; s++) {
            for (int r = 0; r < (s < 2 ? 40 : few); r++) {
                csv.append(r % 7)
                        .append(',')
                        .append(s < 2 ? r : r + 0.5)
                        .append(",S")
                        .append(s);
                csv.append(r % 2 == 0 ? ",yes\n" : ",no\n");
            }
        }
        assertThat(names(DataFile.read(file(csv.toString()), BY_SOURCE)))
                .isEqualTo(few < 30 ? List.of("x") : List.of("x", "visit"));
    }

    /** Where a table is read in parts, a source may have its thirtieth number in any of them. */
    @Test
    void mergedPartsCountNumbersLikeOne() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            RowNumbers one = new RowNumbers();
            RowNumbers merged = new RowNumbers();
            RowNumbers part = new RowNumbers();
            int count = 20 + random.nextInt(20);
            for (int i = 0; i < count; i++) {
                double value = random.nextInt(20) == 0 ? 0.5 : i;
                one.add(value);
                part.add(value);
                if (random.nextInt(5) == 0) {
                    merged.merge(part);
                    part = new RowNumbers();
                }
            }
            merged.merge(part);
            assertThat(one.canTell()).isEqualTo(count >= 30);
            assertThat(merged.canTell()).isEqualTo(count >= 30);
            assertThat(merged.areIdentifiers("x")).isEqualTo(one.areIdentifiers("x"));
        });
    }

    @Test
    void aDateThatSplitsTheRowsIsNoFeature() {
        Plan plan = BY_SOURCE.with("split-by", "when").with("rounds", "5");
        TrainingRun run = Training.of(DataFile.read(file(table("when", 300, DatesAndIdentifiersTest::day)), plan), plan)
                .run();
        assertThat(run.model().schema().features()).containsExactly("x");
    }

    @ParameterizedTest
    @CsvSource({
        "id, counting",
        "visit, counting",
        "visit, steps",
        "patient_id, random",
        "patientId, random",
        "'patient''s id', random",
        "name, text",
        "note, nearly"
    })
    void identifiersAreLeftOutAndSaid(String name, String kind) {
        String file = file(table(name, 400, cells(kind)));
        for (Plan plan : List.of(PLAN.with("drop", "from"), BY_SOURCE)) {
            List<Table> read = new ArrayList<>();
            assertThat(Logged.during(() -> read.add(DataFile.read(file, plan))))
                    .singleElement()
                    .asString()
                    .startsWith(file + ": column " + name + " is left out: ")
                    .endsWith("looks like an identifier; --keep " + (name.contains(" ") ? "'patient'\\''s id'" : name)
                            + " would use it");
            assertThat(names(read.get(0))).containsExactly("x");
            for (String keep : List.of(name, "2", "all")) {
                assertThat(names(DataFile.read(file, plan.with("keep", keep)))).containsExactly("x", name);
            }
            assertThat(names(DataFile.read(file, plan.with("only", "x," + name))))
                    .containsExactly("x", name);
        }
    }

    private static IntFunction<String> cells(String kind) {
        return switch (kind) {
            case "counting" -> Integer::toString;
            case "steps" -> r -> Integer.toString(1000 + 10 * r + r % 3);
            case "random" -> r -> Long.toString(100_000_000 + r * 2_654_435_761L % 900_000_000L);
            case "text" -> r -> "p" + r * 7919 % 400;
            default -> r -> r % 9 == 0 ? "ok" : "note " + r;
        };
    }

    /** Numbers that repeat, are not whole, or are distinct but not called an identifier. */
    @ParameterizedTest
    @CsvSource({"age, 37, 0", "income, 2654435761, 0", "patient_id, 37, 0", "size, 2654435761, 0.5"})
    void otherNumbersAreFeatures(String name, long factor, double more) {
        String file = file(table(
                name, 400, r -> Double.toString(20 + r * factor % 9_973 % (factor == 37 ? 61 : 9_973) + more)));
        for (Plan plan : List.of(PLAN.with("drop", "from"), BY_SOURCE)) {
            assertThat(names(DataFile.read(file, plan))).containsExactly("x", name);
        }
    }

    /** One source that counts up, or that does not, does not decide for the others. */
    @Test
    void oneSourceDoesNotDecideWhatAnIdentifierIs() {
        for (int liar = 0; liar < 5; liar++) {
            int own = liar;
            String lie = file(table("age", 400, r -> Integer.toString(r % 5 == own ? r : 20 + r * 37 % 61)));
            assertThat(names(DataFile.read(lie, BY_SOURCE))).containsExactly("x", "age");
            String denied = file(table("id", 400, r -> r % 5 == own ? "0.5" : Integer.toString(r)));
            assertThat(names(DataFile.read(denied, BY_SOURCE))).containsExactly("x");
        }
        // The others have too few rows to tell, so only a liar would say it.
        StringBuilder csv = new StringBuilder("x,n,from,y\n");
        for (int r = 0; r < 140; r++) {
            csv.append(r % 7).append(',').append(r).append(r < 100 ? ",S0" : ",S" + (1 + r % 4));
            csv.append(r % 3 == 0 ? ",yes\n" : ",no\n");
        }
        assertThat(names(DataFile.read(file(csv.toString()), BY_SOURCE))).containsExactly("x", "n");
    }

    @Test
    void aTableOfIdentifiersIsRefused() {
        StringBuilder csv = new StringBuilder("id,y\n");
        for (int r = 0; r < 50; r++) {
            csv.append(r).append(r % 3 == 0 ? ",yes\n" : ",no\n");
        }
        String file = file(csv.toString());
        assertThatThrownBy(() -> DataFile.read(file, PLAN))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "%s: no feature is left: column id has %s; --keep id would use it", file, RowNumbers.reason());
    }

    @Test
    void ofManyIdentifiersTheFirstFiveAreNamedAndTheOthersCounted() {
        StringBuilder csv = new StringBuilder("x,a,b,c,d,e,f,\"g, h\",y\n");
        for (int r = 0; r < 50; r++) {
            csv.append(r % 7).append(("," + r).repeat(7)).append(r % 3 == 0 ? ",yes\n" : ",no\n");
        }
        String file = file(csv.toString());
        String all = "--keep 'a,b,c,d,e,f,\"g, h\"'";
        assertThat(Logged.during(() -> DataFile.read(file, PLAN)))
                .hasSize(6)
                .contains(file + ": 2 more columns are left out because they look like identifiers; " + all
                        + " would use them all");
        assertThat(DataFile.read(file, PLAN.with("keep", "a,b,c,d,e,f,\"g, h\""))
                        .schema()
                        .features())
                .hasSize(8);
    }

    /** Numbers in parts, in any division, tell the same as all of them. */
    @Test
    void rowNumbersMergeAsIfAddedTogether() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int kind = random.nextInt(4);
            RowNumbers all = new RowNumbers();
            RowNumbers merged = new RowNumbers();
            RowNumbers part = new RowNumbers();
            int count = random.nextInt(400);
            for (int r = 0; r < count; r++) {
                double value = switch (kind) {
                    case 0 -> r;
                    case 1 -> random.nextInt(2000);
                    case 2 -> random.nextInt(400) == 0 ? 0.5 : r;
                    default -> random.nextInt(30) == 0 ? 0 : r;
                };
                all.add(value);
                part.add(value);
                if (random.nextInt(40) == 0) {
                    merged.merge(part);
                    part = new RowNumbers();
                }
            }
            merged.merge(part);
            assertThat(merged.areIdentifiers("id")).isEqualTo(all.areIdentifiers("id"));
            assertThat(merged.areIdentifiers("x")).isEqualTo(all.areIdentifiers("x"));
            assertThat(merged.canTell()).isEqualTo(all.canTell());
        });
    }
}
