package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What often goes wrong with columns is said in one line, with the column and the setting. */
class ColumnWarningsTest {
    private static final Plan PLAN = Plan.defaults();

    @TempDir
    private Path folder;

    /** A cell for a row, its number and its label. */
    private interface Cell extends BiFunction<Integer, Boolean, String> {}

    private String file(String name, Cell cell) {
        Randomness random = Seed.of(7).child("warnings").random();
        StringBuilder csv = new StringBuilder("age;" + name + ";site;y\n");
        for (int r = 0; r < 240; r++) {
            boolean ill = random.nextInt(3) == 0;
            csv.append(20 + random.nextInt(50) + (ill ? 3 : 0))
                    .append(';')
                    .append(cell.apply(r, ill))
                    .append(";H")
                    .append(r % 4)
                    .append(ill ? ";yes\n" : ";no\n");
        }
        try {
            return Files.write(folder.resolve("data.csv"), csv.toString().getBytes(StandardCharsets.ISO_8859_1))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Cell cell(String kind) {
        return switch (kind) {
            case "away" -> (r, ill) -> ill ? Integer.toString(100 + r % 9) : Integer.toString(r % 50);
            case "awayText" -> (r, ill) -> ill ? "A" + r % 2 : "B" + r % 3;
            case "awayMissing" -> (r, ill) -> ill ? Integer.toString(r * 37 % 83) : "";
            case "awayMissingText" -> (r, ill) -> ill ? "" : "A" + r % 3;
            case "sentinel" -> (r, ill) -> r % 20 == 3 ? "-999" : Integer.toString(60 + r * 37 % 83);
            case "sentinel3" -> (r, ill) -> r % 20 == 3 ? "-99" : Integer.toString(r * 37 % 83 * 10);
            case "sentinel2" -> (r, ill) -> r % 20 == 3 ? "9999" : Double.toString(r * 37 % 83 / 10.0);
            case "commas" -> (r, ill) -> r * 37 % 20 + ",5";
            case "thousands" -> (r, ill) -> 1 + r * 37 % 20 + ",500";
            case "case" -> (r, ill) -> r % 3 == 0 ? "Yes" : r % 3 == 1 ? "yes" : "no";
            case "latin" -> (r, ill) -> r % 3 == 0 ? "Köln" : "Lyon";
            default -> (r, ill) -> Integer.toString(r * 37 % 83);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "away|c gives y away: it alone tells it in nearly all rows; if it is not known when the model is used, use --drop c",
                "awayText|c gives y away: it alone tells it in nearly all rows; if it is not known when the model is used, use --drop c",
                "awayMissing|c gives y away: which of its cells are missing tells it in nearly all rows; if it is not known when the model is used, use --drop c",
                "awayMissingText|c gives y away: which of its cells are missing tells it in nearly all rows; if it is not known when the model is used, use --drop c",
                "sentinel|c has -999 in 12 rows, far from all other values (60 to 142); if it stands for a missing one, use --missing-values -999",
                "sentinel2|c has 9999 in 12 rows, far from all other values (0 to 8.2); if it stands for a missing one, use --missing-values 9999",
                "sentinel3|c has -99 in 12 rows, far from all other values (0 to 820); if it stands for a missing one, use --missing-values -99",
                "commas|c has words such as '0,5' that look like numbers with a decimal comma; use --decimal comma",
                "thousands|c has words such as '1,500' that look like numbers with a decimal comma; use --decimal comma or, if commas separate thousands, take them out",
                "case|c (--one-hot) has 'Yes' beside 'yes', which count as two categories; write them alike",
                "latin|c has letters that are not UTF-8, as in 'K\uFFFDln'; use --encoding latin-1"
            })
    void eachMistakeIsNamedWithItsSetting(String kind, String message) {
        String file = file("c", cell(kind));
        for (String workersBy : List.of("", "site")) {
            Plan plan = PLAN.with("workers-by", workersBy).with("missing", "median");
            assertThat(Logged.during(() -> DataFile.read(file, plan)))
                    .containsExactly(file + ": column " + message.replace("\\uFFFD", "\uFFFD"));
        }
    }

    @Test
    void plainColumnsAreFine() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            double shift = random.nextGaussian();
            String file = file("c", (r, ill) -> Double.toString(random.nextGaussian() + (ill ? shift : 0)));
            assertThat(Logged.during(() -> DataFile.read(file, PLAN.with("workers-by", "site"))))
                    .isEmpty();
        });
    }

    @Test
    void aTextOfFewRowsForEachValueAndAColumnMostlyMissingMayTellTheLabelByChance() {
        List<Cell> cells = List.of(
                (r, ill) -> ill ? "A" + r % 15 : "B" + r % 16,
                (r, ill) -> r % 5 > 1 ? "" : Integer.toString(ill ? 100 + r % 9 : r % 50));
        for (Cell cell : cells) {
            String file = file("c", cell);
            assertThat(Logged.during(() -> DataFile.read(file, PLAN.with("missing", "median"))))
                    .isEmpty();
        }
    }

    @Test
    void oneFarValueIsNoSentinel() {
        String file = file("c", (r, ill) -> r == 7 ? "-999" : Integer.toString(60 + r * 37 % 83));
        assertThat(Logged.during(() -> DataFile.read(file, PLAN))).isEmpty();
    }

    @Test
    void copiesAreNamed() throws IOException {
        StringBuilder csv = new StringBuilder("a,b,c,d,y\n");
        for (int r = 0; r < 90; r++) {
            csv.append(r * 37 % 83 + "," + r % 7 + "," + r * 37 % 83 + "," + r % 5 + "," + r * 11 % 3 % 2 + "\n");
        }
        String file = Files.writeString(folder.resolve("copies.csv"), csv).toString();
        assertThat(Logged.during(() -> DataFile.read(file, PLAN)))
                .containsExactly(file + ": column c is a copy of a; use --drop c");
    }

    @Test
    void suggestedSettingsCanBePastedIntoAShell() throws IOException {
        for (String[] name : new String[][] {
            {"a, b", "--drop '\"a, b\"'", "a, b"},
            {"it's", "--drop 'it'\\''s'", "it's"},
            {"-h", "--drop '\"-h\"'", "-h"},
            {"--x y", "--drop '\"--x y\"'", "--x y"}
        }) {
            StringBuilder csv = new StringBuilder("a,\"" + name[0] + "\",y\n");
            for (int r = 0; r < 90; r++) {
                csv.append(r * 37 % 83 + "," + r * 37 % 83 + "," + r * 11 % 3 % 2 + "\n");
            }
            String file = Files.writeString(folder.resolve("names.csv"), csv).toString();
            assertThat(Logged.during(() -> DataFile.read(file, PLAN)))
                    .containsExactly(file + ": column " + name[0] + " is a copy of a; use " + name[1]);
            assertThat(DataFile.read(file, PLAN.with(PlanKey.DROP, List.of(name[2])))
                            .schema()
                            .features())
                    .containsExactly("a");
        }
        assertThat(LearntColumn.notANumber("at", "#N/A ", "z")).endsWith("use --missing-values '#N/A'");
        assertThat(LearntColumn.notANumber("at", "<NA>", "z")).endsWith("use --missing-values '<NA>'");
        assertThat(LearntColumn.notANumber("at", "--", "z")).endsWith("use --missing-values '\"--\"'");
        assertThat(LearntColumn.notANumber("at", "-", "z")).endsWith("use --missing-values -");
    }

    @Test
    void twoSpellingsOfSourcesAndClassesAreNamed() throws IOException {
        StringBuilder csv = new StringBuilder("x,site,y\n");
        for (int r = 0; r < 90; r++) {
            csv.append(r * 37 % 83).append(r % 3 == 0 ? ",HOSP_A ," : r % 3 == 1 ? ",hosp_A," : ",hosp_B,");
            csv.append(r * 11 % 7 == 0 ? "Ill\n" : r * 11 % 5 == 0 ? "ill\n" : "well\n");
        }
        String file = Files.writeString(folder.resolve("spelt.csv"), csv).toString();
        assertThat(Logged.during(() ->
                        DataFile.read(file, PLAN.with("workers-by", "site").with("tolerated", "0"))))
                .containsExactly(
                        file
                                + ": column y (--label) has 'Ill' beside 'ill', which count as two classes; write them alike",
                        file + ": column site (--workers-by) has 'HOSP_A' beside 'hosp_A', which count as two sources;"
                                + " write them alike");
    }

    @Test
    void manyDifferentDecimalCommasAreNotOnlyCalledIdentifiers() {
        String file = file("c", (r, ill) -> r + "," + r * 37 % 83);
        assertThat(Logged.during(() -> DataFile.read(file, PLAN)))
                .singleElement()
                .asString()
                .contains(
                        "column c is left out: 240 distinct values in 240 rows: looks like an identifier, or like numbers"
                                + " with a decimal comma, for which there is --decimal comma; --keep c");
    }

    @Test
    void oneSourceWithOtherLabelsDoesNotHideAColumnThatGivesThemAway() {
        Cell away = (r, ill) -> Integer.toString(ill == (r % 4 != 2) ? 100 + r % 9 : r % 50);
        String file = file("c", away);
        String warning = "c gives y away";
        assertThat(Logged.during(() -> DataFile.read(file, PLAN.with("workers-by", "site"))))
                .anyMatch(line -> line.contains(warning));
        assertThat(Logged.during(() -> DataFile.read(file, PLAN))).noneMatch(line -> line.contains(warning));
        Cell half = (r, ill) -> Integer.toString(ill == (r % 2 == 0) || r % 4 > 1 ? 100 + r % 9 : r % 50);
        String less = file("c", half);
        assertThat(Logged.during(() -> DataFile.read(less, PLAN.with("workers-by", "site"))))
                .noneMatch(line -> line.contains(warning));
    }

    @Test
    void countsAreOfTheRowsLookedAt() throws IOException {
        StringBuilder csv = new StringBuilder("c,y\n");
        for (int r = 0; r < 10_400; r++) {
            csv.append(r % 100 == 7 ? -999 : r * 37 % 83).append(r * 7 % 3 == 0 ? ",yes\n" : ",no\n");
        }
        Path file = Files.writeString(folder.resolve("long.csv"), csv);
        assertThat(Logged.during(() -> DataFile.read(file.toString(), PLAN)))
                .anyMatch(line -> line.contains("c has -999 in 100 of the first 10000 rows"));
    }

    @Test
    void aCopyOfAMonthIsDroppedWithItsDate() throws IOException {
        StringBuilder csv = new StringBuilder("came,went out,x,y\n");
        for (int r = 0; r < 200; r++) {
            String month = String.format("2024-%02d-", 1 + r % 12);
            csv.append(String.format(
                    "%s%02d,%s%02d,%d,%s\n", month, 1 + r % 9, month, 12 + r % 7, r * 37 % 83, r / 12 % 2));
        }
        Path file = Files.writeString(folder.resolve("dates.csv"), csv);
        assertThat(Logged.during(() -> DataFile.read(file.toString(), PLAN.with("dates", "parts"))))
                .anyMatch(
                        line -> line.contains("column went out month is a copy of came month; use --drop 'went out'"));
    }
}
