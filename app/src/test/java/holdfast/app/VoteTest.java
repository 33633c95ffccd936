package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.app.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VoteTest {
    @TempDir
    private Path folder;

    private Path data;
    private Path votes;

    @BeforeEach
    void write() throws IOException {
        data = Clinics.write(folder, 1, 2);
        votes = folder.resolve("votes.json");
    }

    private Result train(String... more) {
        return Shell.run(Stream.concat(
                        Stream.of(
                                "train",
                                data.toString(),
                                "--workers-by",
                                "clinic",
                                "--lambda",
                                "8",
                                "--rounds",
                                "20",
                                "--recalibration",
                                "none",
                                "--quiet"),
                        Arrays.stream(more))
                .toArray(String[]::new));
    }

    private static String[] lines(String text) {
        return text.lines().toArray(String[]::new);
    }

    @Test
    void groupsVoteAndPredictionsSayHowManyLiarsTheyStand() throws IOException {
        Result trained = train("--vote", "12", "--classes", "no,yes", "--out", votes.toString());
        assertThat(trained.err()).isEmpty();
        assertThat(trained.code()).isZero();
        assertThat(trained.out())
                .startsWith("12 groups of 12 sources vote on ill; each learnt alone\n")
                .contains("held-out rows, from which no group learnt\n")
                .contains("lying sources  right and certified\n")
                .contains("without --roster this is not about sources that stay away")
                .endsWith("votes written to " + votes + "\n");
        Result predicted = Shell.run("predict", votes.toString(), data.toString());
        String[] rows = lines(predicted.out());
        assertThat(rows[0]).isEqualTo("votes,certified_liars,ill");
        assertThat(rows).hasSize(721);
        for (String row : Arrays.copyOfRange(rows, 1, rows.length)) {
            assertThat(row).matches("\\d+,\\d+,(no|yes)");
            int support = Integer.parseInt(row.split(",")[0]);
            int tie = row.endsWith("yes") ? 1 : 0;
            assertThat(row.split(",")[1]).isEqualTo("" + Math.min(5, (2 * support - 12 - tie) / 2));
        }
        assertThat(Arrays.stream(rows).filter(row -> row.matches("10,4,no|10,3,yes")))
                .as("the two flipped clinics are outvoted")
                .hasSizeGreaterThan(300);
        Result evaluated = Shell.run("evaluate", votes.toString(), data.toString());
        assertThat(evaluated.out()).contains("the vote's error is 0.").contains("on 720 rows of ");
        double plain = second(evaluated.out());
        String[] moved = {"--shift", "l2", "--budget", "0.2", "--units"};
        double byNumbers =
                second(Shell.run(with(moved, "age=1,pressure=1,weight=1")).out());
        double bySpreads = second(Shell.run(with(moved, data.toString())).out());
        assertThat(byNumbers).isLessThan(plain).isGreaterThan(0.3).isCloseTo(bySpreads, within(0.05));
        assertThat(Shell.run(
                                "predict",
                                votes.toString(),
                                data.toString(),
                                "--shift",
                                "linf",
                                "--budget",
                                "9",
                                "--units",
                                "age=1")
                        .out())
                .contains(",-1,");
    }

    private String[] with(String[] options, String last) {
        return Stream.of(
                        Stream.of("evaluate", votes.toString(), data.toString()),
                        Arrays.stream(options),
                        Stream.of(last))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    /** The share that stands one lying source. */
    private static double second(String evaluation) {
        String[] lines = lines(evaluation);
        return Double.parseDouble(lines[3].split(" +")[1]);
    }

    @Test
    void columnsAreWarnedOfOnceAsWithoutVotes() throws IOException {
        List<String> lines = Files.readAllLines(data);
        Files.write(
                data,
                IntStream.range(0, lines.size())
                        .mapToObj(i -> (i == 0
                                        ? "visit,invoice"
                                        : 1000 + i + "," + (lines.get(i).endsWith("yes") ? 900 + i % 7 : 400 - i % 9))
                                + "," + lines.get(i))
                        .toList());
        String[] plan = {"train", data.toString(), "--workers-by", "clinic", "--lambda", "8", "--rounds", "5"};
        Result alone = Shell.run(plan);
        assertThat(alone.err()).contains("column visit is left out").contains("column invoice");
        Result votes = Shell.run(Stream.concat(Stream.of(plan), Stream.of("--vote", "4", "--classes", "no,yes"))
                .toArray(String[]::new));
        assertThat(votes.err()
                        .lines()
                        .filter(line -> line.contains(": column "))
                        .toList())
                .isNotEmpty()
                .isEqualTo(alone.err()
                        .lines()
                        .filter(line -> line.contains(": column "))
                        .toList());
    }

    @Test
    void votesAreTrainedAgainToTheSameBits() throws IOException {
        train("--vote", "4", "--classes", "no,yes", "--out", votes.toString());
        Result same = Shell.run("rerun", votes.toString(), data.toString());
        assertThat(same.out()).startsWith("the same to the bit: 4 groups, seed 1, data sha256 ");
        assertThat(same.code()).isZero();
        Path other = Files.writeString(
                folder.resolve("other.csv"), Files.readString(data).replace(",clinic 8,no", ",clinic 8,yes"));
        Result changed = Shell.run("rerun", votes.toString(), other.toString());
        assertThat(changed.out()).startsWith("not the same: 1 of 4 groups differ, the first is group ");
        assertThat(changed.err()).contains("the data differ");
        assertThat(changed.code()).isEqualTo(5);
    }

    @Test
    void whatIsPrintedIsAlsoJson() {
        Result json = train("--vote", "6", "--classes", "no,yes", "--json");
        assertThat(json.out())
                .contains("\"groups\" : [")
                .contains("\"own_error\" : ")
                .contains("\"certified_correct\" : [");
        assertThat(train("--vote", "6", "--classes", "no,yes", "--json", "--threads", "1")
                        .out())
                .isEqualTo(json.out());
    }

    @Test
    void numbersHaveIntervals() {
        train("--vote", "12", "--label", "weight", "--classes", "numbers", "--out", votes.toString());
        assertThat(lines(Shell.run("predict", votes.toString(), data.toString()).out())[0])
                .isEqualTo("weight");
        String[] rows = lines(Shell.run("predict", votes.toString(), data.toString(), "--liars", "2")
                .out());
        assertThat(rows[0]).isEqualTo("lowest,highest,weight");
        for (String row : Arrays.copyOfRange(rows, 1, rows.length)) {
            double[] cells = Arrays.stream(row.split(","))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            assertThat(cells[2]).isBetween(cells[0], cells[1]);
        }
        assertThat(Shell.run("evaluate", votes.toString(), data.toString()).out())
                .contains("the vote's mean absolute error is ")
                .contains("median width of the interval");
    }

    @Test
    void aRosterKeepsThePlacesOfThoseWhoStayAway() throws IOException {
        Path roster = folder.resolve("roster.txt");
        Files.write(roster, IntStream.range(0, 13).mapToObj(c -> "clinic " + c).toList());
        Result trained = train("--vote", "13", "--classes", "no,yes", "--roster", roster.toString());
        assertThat(trained.out())
                .contains("13 groups of 13 sources")
                .contains("cannot learn and always votes ")
                .contains(": none of its sources is in the data\n")
                .doesNotContain("without --roster");
        Files.write(roster, List.of("clinic 1", "clinic 2"));
        assertThat(train("--vote", "2", "--classes", "no,yes", "--roster", roster.toString())
                        .err())
                .isEqualTo(
                        "holdfast: source 'clinic 0' is not on the roster of 2; a source that could add a name would vote twice\n");
    }

    @Test
    void whatCannotBeIsSaidInOneLine() {
        assertThat(train("--vote", "6").err())
                .isEqualTo(
                        "holdfast: --vote needs --classes, the classes in a fixed order, because no source may add one;"
                                + " the table has --classes no,yes\n");
        assertThat(train("--vote", "1", "--classes", "no,yes").err())
                .isEqualTo("holdfast: --vote must be at least 2, got 1\n");
        assertThat(train("--vote", "13", "--classes", "no,yes").err())
                .isEqualTo("holdfast: there must be at least as many sources as groups that vote, got 12 sources for 13"
                        + " groups\n");
        assertThat(train("--roster", "x").err()).isEqualTo("holdfast: --roster needs --vote K\n");
        assertThat(train("--vote", "2", "--classes", "no,yes", "--engine", "spark")
                        .err())
                .startsWith("holdfast: --vote trains groups in this process, got --engine spark");
        assertThat(train("--vote", "2", "--classes", "no,yes", "--test", data.toString())
                        .err())
                .isEqualTo("holdfast: --vote and --test exclude each other; use evaluate on what --out writes\n");
        assertThat(train("--vote", "12", "--classes", "no,yes", "--rule", "krum", "--tolerated", "1")
                        .err())
                .startsWith("holdfast: --vote 12: group 1 has 1 source: --");
        train("--vote", "2", "--classes", "no,yes", "--out", votes.toString());
        assertThat(Shell.run("explain", votes.toString()).err())
                .isEqualTo(
                        "holdfast: " + votes
                                + ": holds models that vote, which predict, evaluate, certify and rerun can use; this needs a model.json\n");
        assertThat(Shell.run("predict", votes.toString(), data.toString(), "--shift", "l2")
                        .err())
                .isEqualTo(
                        "holdfast: --shift l2 of models that vote needs --units, because every group scales columns in its"
                                + " own way\n");
        assertThat(Shell.run("evaluate", votes.toString(), data.toString(), "--shift", "noise")
                        .err())
                .startsWith("holdfast: --shift of models that vote must be none, l1, l2 or linf");
        assertThat(Shell.run("predict", votes.toString(), data.toString(), "--liars", "1")
                        .err())
                .isEqualTo("holdfast: --liars must be >= 0 and is for numbers, got 1\n");
        assertThat(Shell.run("predict", votes.toString(), data.toString(), "--shift", "l2", "--units", "age=x")
                        .err())
                .isEqualTo("holdfast: --units must be age=5,pressure=10 or a table, got 'age=x'\n");
        assertThat(Shell.run("predict", votes.toString(), data.toString(), "--shift", "l2", "--units", "agee=1")
                        .err())
                .isEqualTo("holdfast: --units: no group uses a column 'agee'; the closest: age, weight, pressure\n");
    }
}
