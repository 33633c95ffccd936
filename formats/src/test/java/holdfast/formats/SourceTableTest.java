package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.training.Training;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceTableTest {
    private static final int COLUMNS = 4;

    @TempDir
    private Path folder;

    private static Plan plan(int f, String... settings) {
        Plan plan = Plan.defaults().with("workers-by", "from").with("tolerated", Integer.toString(f));
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return plan;
    }

    private Table read(String text, Plan plan) {
        try {
            return DataFile.read(
                    Files.writeString(folder.resolve("t.csv"), text).toString(), plan);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Honest sources that agree about everything, with liars among them whose rows hold anything. */
    private static final class RandomTable {
        private static final String[] WORDS = {"red", "green", "7a", "12", "0.5"};
        private static final String[] WILD = {
            "", "NA", "x", "1e308", "-1e308", "1e999", "inf", "0", "1", "red", "-0.0", "+1", "1.0", "0x10", "\"a,b\""
        };

        private final Randomness random;
        private final int liars;
        private final String kind;
        private final List<String> honest = new ArrayList<>();
        private final List<String> all = new ArrayList<>();

        RandomTable(Seed seed) {
            random = seed.random();
            liars = 1 + random.nextInt(2);
            kind = new String[] {"words", "codes", "numbers", "few"}[random.nextInt(4)];
            int sources = 4 * liars + 1 + random.nextInt(4);
            for (int s = 0; s < sources; s++) {
                int rows = 12 + random.nextInt(20);
                for (int r = 0; r < rows; r++) {
                    honest.add(honestRow(s, r));
                }
            }
            all.addAll(honest);
            for (int liar = 0; liar < liars; liar++) {
                int rows = 1 + random.nextInt(200);
                int manner = random.nextInt(4);
                boolean first = random.nextInt(2) == 0;
                for (int r = 0; r < rows; r++) {
                    all.add(first ? r : random.nextInt(all.size() + 1), liarRow(liar, r, manner));
                }
            }
        }

        private String honestRow(int source, int row) {
            StringBuilder cells = new StringBuilder();
            for (int c = 0; c < COLUMNS; c++) {
                cells.append(c % 2 == 0 ? Double.toString(random.nextGaussian()) : WORDS[(row + c) % WORDS.length])
                        .append(',');
            }
            return cells.append("S")
                    .append(source)
                    .append(',')
                    .append(honestLabel(row))
                    .toString();
        }

        private String honestLabel(int row) {
            return switch (kind) {
                case "words" -> row % 3 == 0 ? "ill" : "well";
                case "codes" -> Integer.toString(row % 10);
                case "few" -> row % 2 == 0 ? "0" : "1";
                default -> Double.toString(100 * random.nextGaussian());
            };
        }

        private String liarRow(int liar, int row, int manner) {
            StringBuilder cells = new StringBuilder();
            for (int c = 0; c < COLUMNS; c++) {
                cells.append(wild(row, manner)).append(',');
            }
            return cells.append("L")
                    .append(liar)
                    .append(',')
                    .append(wild(row, manner))
                    .toString();
        }

        private String wild(int row, int manner) {
            return switch (manner) {
                case 0 -> "w" + row;
                case 1 -> Double.toString(row + 0.25);
                case 2 -> Integer.toString(1000 + row);
                default -> WILD[random.nextInt(WILD.length)];
            };
        }

        private static String text(List<String> rows) {
            return "a,b,c,d,from,y\n" + String.join("\n", rows) + "\n";
        }
    }

    private void forRandomTables(BiConsumer<Table, Table> law) {
        Laws.check(60, seed -> {
            RandomTable random = new RandomTable(seed);
            Plan plan = plan(random.liars);
            law.accept(read(RandomTable.text(random.honest), plan), read(RandomTable.text(random.all), plan));
        });
    }

    @Test
    void liarsDoNotDecideWhichColumnsAreText() {
        forRandomTables((honest, all) -> {
            assertThat(all.columns().stream().map(TableColumn::isText)).containsExactly(false, true, false, true);
            assertThat(honest.columns().stream().map(TableColumn::isText)).containsExactly(false, true, false, true);
        });
    }

    @Test
    void liarsDoNotDecideWhetherLabelsAreClasses() {
        forRandomTables((honest, all) -> assertThat(all.schema().classes().isEmpty())
                .isEqualTo(honest.schema().classes().isEmpty()));
    }

    @Test
    void liarsDoNotDecideWhichClassesThereAre() {
        forRandomTables((honest, all) ->
                assertThat(all.schema().classes()).isEqualTo(honest.schema().classes()));
    }

    @Test
    void rowsOfTheOthersAreTheSameWithLiars() {
        forRandomTables((honest, all) -> assertThat(rowsOf(all, "S")).isEqualTo(rowsOf(honest, "S")));
    }

    /** Rows as text: the cells, the label and the source. */
    private static List<List<Object>> rowsOf(Table table, String source) {
        return IntStream.range(0, table.rows())
                .filter(r -> table.schema().groups().get(table.cells().group(r)).startsWith(source))
                .mapToObj(r -> {
                    List<Object> row = new ArrayList<>();
                    double[] cells = table.cells().row(r);
                    for (int c = 0; c < cells.length; c++) {
                        TableColumn column = table.columns().get(c);
                        row.add(column.isText() ? column.categories().get((int) cells[c]) : (Object) cells[c]);
                    }
                    row.add(table.cells().label(r));
                    row.add(table.schema().groups().get(table.cells().group(r)));
                    return row;
                })
                .toList();
    }

    /** Ten sources with a number, a word, a weight and a label; the rows of S3 are replaced. */
    private static String tenSources(String... ofS3) {
        StringBuilder text = new StringBuilder("x,word,w,from,y\n");
        for (int s = 0; s < 10; s++) {
            for (int r = 0; r < 4; r++) {
                String row =
                        s == 3 && r < ofS3.length ? ofS3[r] : "1.5,red,2,S" + s + "," + (r % 2 == 0 ? "no" : "yes");
                text.append(row).append('\n');
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "two,red,2,S3,no | column 1 (x) must be a finite number, got 'two'; if x holds categories, name it in --one-hot",
                "1e999,red,2,S3,no | column 1 (x) must be a finite number, got '1e999'; if x holds categories, name it in --one-hot",
                ",red,2,S3,no | column 1 (x) is missing; use --missing median, mean or indicator to fill it",
                "1,red,-0.1,S3,no | column 3 (w) must be a weight, a number >= 0, got '-0.1'",
                "1,red,inf,S3,no | column 3 (w) must be a weight, a number >= 0, got 'inf'",
                "1,red,2,S3,NA | column 5 (y) must be a label, got 'NA', which stands for a missing one"
            })
    void aValueThatCannotBeUsedMakesItsSourceUnusable(String row, String reason) {
        Plan plan = plan(1, "weights-by", "w");
        String text = tenSources("1,red,2,S3,no", row, "?,red,-1,S3,?");
        Table table = read(text, plan);
        String where = folder.resolve("t.csv") + ": line 15, " + reason;
        assertThat(table.unusable()).containsExactly(new UnusableSource("S3", where));
        assertThat(table.schema().groups()).hasSize(9).doesNotContain("S3");
        assertThat(table.rows()).isEqualTo(36);
        assertThat(IntStream.range(0, 36).map(table.cells()::group).distinct().toArray())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        for (Plan strict : List.of(plan.with("tolerated", "0"), plan.with("statistics", "pooled"))) {
            assertThatThrownBy(() -> read(text, strict))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith(where);
        }
    }

    @Test
    void aNumberThatTheModelRefusesIsItsSourcesToo() {
        String text = tenSources("1,red,2,S3,4", "1,red,2,S3,-4")
                .replace("no\n", "0\n")
                .replace("yes\n", "3\n");
        Table table = read(text, plan(1, "model", "poisson", "weights-by", "w"));
        assertThat(table.unusable())
                .containsExactly(new UnusableSource(
                        "S3",
                        folder.resolve("t.csv")
                                + ": line 15, column 5 (y) must be a count, a whole number from 0, got -4"));
        Table words = read(text.replace("S3,-4", "S3,four"), plan(1, "model", "linear", "weights-by", "w"));
        assertThat(words.unusable().get(0).reason()).endsWith("line 15, column 5 (y) must be a number, got 'four'");
    }

    @Test
    void rowsWithoutASourceAreASourceThatCannotBeUsed() {
        Table table = read(tenSources("1,red,2,,no"), plan(1));
        assertThat(table.unusable())
                .containsExactly(new UnusableSource(
                        "(no source)",
                        folder.resolve("t.csv") + ": line 14, column 4 (from) must name a source, got an empty cell"));
        assertThat(table.schema().groups()).hasSize(10);
    }

    @Test
    void moreUnusableSourcesThanToleratedStopTraining() {
        String text = tenSources("two,red,2,S3,no").replaceFirst("1.5,red,2,S7", ",red,2,S7");
        assertThatThrownBy(() -> read(text, plan(1)))
                .isInstanceOf(TrainingException.class)
                .hasMessage(
                        ("2 sources cannot be used, but --tolerated allows 1: S3 (F: line 14, column 1 (x) must be a"
                                        + " finite number, got 'two'; if x holds categories, name it in --one-hot); S7 (F: line 30,"
                                        + " column 1 (x) is missing; use --missing median, mean or indicator to fill it)")
                                .replace("F", folder.resolve("t.csv").toString()));
        assertThat(read(text, plan(2)).unusable()).hasSize(2);
    }

    /** An open f rises with the unusable sources, to three of ten; a class that only they have is none. */
    @Test
    void anOpenNumberOfLiarsAllowsForLessThanAThird() {
        Plan open = plan(1).with("tolerated", "auto");
        String three = tenSources("two,red,2,S3,perhaps", ",red,2,S7,perhaps", "1,red,?,S8,perhaps");
        Plan weighted = open.with("weights-by", "w");
        Table table = read(three, weighted);
        assertThat(table.unusable()).extracting(UnusableSource::name).containsExactly("S3", "S7", "S8");
        assertThat(table.schema().classes()).containsExactly("no", "yes");
        assertThatThrownBy(() -> read(three + ",red,2,S1,no\n", weighted))
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith("4 sources cannot be used, but --tolerated allows 3: S1 (");
        assertThatThrownBy(() -> Training.of(table, weighted).run())
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith("3 sources cannot be used, but --tolerated allows 1: S3 (");
    }

    @Test
    void aClassOfOneSourceIsNoClassAndItsRowsAreLeftOut() {
        List<String> said = Logged.during(() -> {
            Table table = read(tenSources("1,red,2,S3,maybe", "1,red,2,S3,perhaps"), plan(1));
            assertThat(table.schema().classes()).containsExactly("no", "yes");
            assertThat(table.rows()).isEqualTo(38);
            assertThat(table.unusable()).isEmpty();
        });
        assertThat(said)
                .containsExactly(folder.resolve("t.csv")
                        + ": 2 rows of 40 left out, because at most 1 of 10 sources have this y: 'maybe', 'perhaps' from"
                        + " S3");
        String only = "1,red,2,S3,maybe";
        assertThat(read(tenSources(only, only, only, only), plan(1)).unusable())
                .containsExactly(new UnusableSource(
                        "S3", folder.resolve("t.csv") + ": no row has a label (y) that more than 1 sources have"));
        assertThat(read(tenSources(only), plan(1, "statistics", "pooled"))
                        .schema()
                        .classes())
                .containsExactly("maybe", "no", "yes");
    }

    @Test
    void aSourceWithTooManyLabelsIsUnusableWhereLabelsAreClasses() {
        for (int wild : new int[] {1500, 900, 40, 10}) {
            for (String prefix : new String[] {"w", ""}) {
                StringBuilder text = new StringBuilder(tenSources());
                for (int r = 0; r < wild; r++) {
                    text.append("1,red,2,S3,").append(prefix).append(r).append('\n');
                }
                Table table = read(text.toString(), plan(1));
                assertThat(table.schema().classes()).containsExactly("no", "yes");
                boolean tooMany = wild > (prefix.isEmpty() ? 32 : 1024);
                assertThat(table.unusable())
                        .isEqualTo(
                                tooMany
                                        ? List.of(new UnusableSource(
                                                "S3",
                                                folder.resolve("t.csv")
                                                        + ": too many different labels (y) to be classes"))
                                        : List.of());
                assertThat(table.rows()).isEqualTo(tooMany ? 36 : 40);
            }
        }
    }

    @Test
    void labelsMustBeKnownToSeveralSources() {
        String text = "x,from,y\n1,A,a\n1,B,b\n1,C,c\n2,D,d\n2,E,e\n";
        assertThatThrownBy(() -> read(text, plan(1)))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith(
                        "t.csv: there must be two classes that more than 1 of 5 sources have, got none in y;"
                                + " --statistics pooled also counts classes of fewer sources");
        assertThatThrownBy(() -> read(
                        tenSources().replace("S4,no", "S4,m").replace("S5,no", "S5,m"), plan(1, "model", "logistic")))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith(
                        "t.csv: a label must have two values, got 3 that more than 1 sources have: m, no, yes");
    }

    /** Prices that no two sources share are numbers, though no number is known to several sources. */
    @Test
    void wholeNumbersThatSourcesDoNotShareAreNumbers() {
        StringBuilder text = new StringBuilder("x,from,y\n");
        for (int r = 0; r < 15; r++) {
            text.append("1,S").append(r % 3).append(',').append(100 + r).append('\n');
        }
        assertThat(read(text.toString(), plan(1)).schema().classes()).isEmpty();
    }

    @Test
    void aFloodOfCategoriesIsNoIdentifierButIdentifiersAre() {
        StringBuilder text = new StringBuilder(tenSources());
        for (int r = 0; r < 500; r++) {
            text.append("1,w").append(r).append(",2,S3,no\n");
        }
        assertThat(read(text.toString(), plan(1)).columns().get(1).isText()).isTrue();
        String identifiers = "x,id,from,y\n"
                + String.join(
                        "\n",
                        IntStream.range(0, 60)
                                .mapToObj(r -> "1,p" + r + ",S" + r % 6 + "," + r / 6 % 2)
                                .toList());
        List<Table> left = new ArrayList<>();
        assertThat(Logged.during(() -> left.add(read(identifiers, plan(1)))))
                .singleElement()
                .asString()
                .contains("column id is left out: 60 distinct values in 60 rows: looks like an identifier");
        assertThat(left.get(0).schema().features()).containsExactly("x");
    }

    /** One word at the start must not cost a text for every number; beyond a limit only numbers are kept. */
    @Test
    void manyNumbersAfterAWordAreKeptExactly() {
        Randomness random = Seed.of(5).random();
        double[] numbers = IntStream.range(0, 150_000)
                .mapToDouble(r -> random.nextGaussian())
                .toArray();
        StringBuilder text = new StringBuilder("x,from,y\nword,L,0\n");
        for (int r = 0; r < numbers.length; r++) {
            text.append(numbers[r])
                    .append(",S")
                    .append(r % 5)
                    .append(',')
                    .append(r / 5 % 2)
                    .append('\n');
        }
        Table table = read(text.toString(), plan(1));
        assertThat(table.unusable()).hasSize(1);
        assertThat(Laws.bits(IntStream.range(0, table.rows())
                        .mapToDouble(r -> table.cells().row(r)[0])
                        .toArray()))
                .isEqualTo(Laws.bits(numbers));
    }

    @Test
    void whatThePlanSaysAboutColumnsIsNotVotedOn() {
        assertThat(read(tenSources(), plan(1, "one-hot", "x,word"))
                        .columns()
                        .get(0)
                        .categories())
                .containsExactly("1.5");
        assertThatThrownBy(() -> read(tenSources(), plan(1, "one-hot", "none"))).isInstanceOf(InputException.class);
    }

    @Test
    void aConvertedFileHasTheSameRowsAndUnusableSources() {
        Plan plan = plan(1, "weights-by", "w");
        for (String row : List.of("two,red,2,S3,no", "1,red,2,S3,maybe", "1.5,red,2,S3,no")) {
            String text = tenSources(row);
            Table table = read(text, plan);
            Path target = folder.resolve("t.hfd");
            DataFile.convert(folder.resolve("t.csv").toString(), plan, target, share -> {}, share -> {});
            Table mapped = DataFile.read(target.toString(), plan);
            assertThat(mapped.unusable()).isEqualTo(table.unusable());
            assertThat(mapped.schema()).isEqualTo(table.schema());
            assertThat(rowsOf(mapped, "S")).isEqualTo(rowsOf(table, "S"));
            for (Plan other : List.of(
                    plan.with("tolerated", "0"), plan.with("statistics", "pooled"), plan.with("workers-by", ""))) {
                if (table.unusable().isEmpty()) {
                    assertThat(DataFile.read(target.toString(), other).rows()).isEqualTo(table.rows());
                } else {
                    assertThatThrownBy(() -> DataFile.read(target.toString(), other))
                            .isInstanceOf(InputException.class)
                            .hasMessage(table.unusable().get(0).reason());
                }
            }
        }
    }

    /** A table with nothing wrong in it is the same however it is read. */
    @Test
    void aCleanTableIsThatOfPooledStatistics() {
        Laws.check(20, seed -> {
            RandomTable random = new RandomTable(seed);
            String text = RandomTable.text(random.honest);
            Table robust = read(text, plan(1));
            Table pooled = read(text, plan(1, "statistics", "pooled", "one-hot", "b,d"));
            assertThat(robust.schema()).isEqualTo(pooled.schema());
            assertThat(rowsOf(robust, "S")).isEqualTo(rowsOf(pooled, "S"));
        });
    }

    /** The bound by brute force over all sets of f sources that go. */
    @Test
    void certainValuesAreLeftWhicheverSourcesGo() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int sources = 2 + random.nextInt(5);
            int f = random.nextInt(sources);
            int[] masks = IntStream.range(0, 1 + random.nextInt(12))
                    .map(v -> 1 + random.nextInt((1 << sources) - 1))
                    .toArray();
            KnownValues known = new KnownValues();
            for (int v = 0; v < masks.length; v++) {
                for (int s = 0; s < sources; s++) {
                    if ((masks[v] >> s & 1) == 1) {
                        known.add(v, s);
                    }
                }
            }
            long least = IntStream.range(0, 1 << sources)
                    .filter(gone -> Integer.bitCount(gone) <= f)
                    .mapToLong(gone ->
                            Arrays.stream(masks).filter(m -> (m & ~gone) != 0).count())
                    .min()
                    .orElseThrow();
            assertThat(known.certain(f, v -> true)).isBetween(0, (int) least);
            if (f <= 1) {
                assertThat(known.certain(f, v -> true)).isEqualTo((int) least);
            }
        });
    }
}
