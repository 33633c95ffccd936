package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.NumberVotes;
import holdfast.certificate.Roster;
import holdfast.certificate.VoteHoldOut;
import holdfast.certificate.VoteTraining;
import holdfast.certificate.VotedRows;
import holdfast.certificate.VotingModel;
import holdfast.data.DataSource;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.training.Provenance;
import holdfast.training.Training;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one source does reaches one group, through everything that reading and training decide. */
class VoteTableTest {
    private static final int SOURCES = 6;
    private static final int ROWS = 24;
    private static final String HEADER = "id,age,ward,since,rate,w,clinic,ill";
    private static final Plan PLAN = Plan.automatic()
            .with("workers-by", "clinic")
            .with("weights-by", "w")
            .with("missing", "indicator")
            .with("label", "ill")
            .with("classes", "no,yes")
            .with("lambda", "8")
            .with("rounds", "8");

    @TempDir
    private Path folder;

    /** Cells: id, age, ward, since, rate, w, clinic, ill. */
    private static List<String[]> rows(Seed seed) {
        Randomness random = seed.random();
        List<String[]> rows = new ArrayList<>();
        for (int r = 0; r < SOURCES * ROWS; r++) {
            double[] x = random.gaussians(2);
            rows.add(new String[] {
                "P" + (1000 + r),
                random.nextInt(12) == 0 ? "" : String.format(Locale.ROOT, "%.3f", 50 + 10 * x[0]),
                List.of("icu", "er", "day").get(random.nextInt(3)),
                "2024-0" + (1 + random.nextInt(9)) + "-11",
                String.format(Locale.ROOT, "%.3f", x[1]),
                "" + (1 + random.nextInt(2)),
                "c" + random.nextInt(SOURCES),
                x[0] + x[1] + 0.7 * random.nextGaussian() > 0 ? "yes" : "no"
            });
        }
        return rows;
    }

    private static String cell(String text) {
        return text.matches("[^\",\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    private Path write(String name, List<String[]> rows) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        rows.forEach(row -> text.append(String.join(
                        ",", Arrays.stream(row).map(VoteTableTest::cell).toList()))
                .append('\n'));
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Roster roster(int groups) {
        return Roster.deal(IntStream.range(0, SOURCES).mapToObj(s -> "c" + s).toList(), groups);
    }

    private static VotingModel train(Plan plan, Roster roster, Path... files) {
        VoteTable table = VoteTable.of(Arrays.stream(files).map(Path::toString).toList(), plan);
        roster.requireHas(table.sources().keySet());
        VoteHoldOut heldOut = new VoteHoldOut(table.sources(), 0.2, plan.seed());
        VotingModel model = VoteTraining.train(
                table.label(),
                plan.get(PlanKey.CLASSES).names(),
                roster,
                table.plan(),
                g -> table.training(roster.groups().get(g), heldOut),
                2,
                g -> {});
        table.heldOut(model, heldOut, Optional.empty());
        return model;
    }

    private static VoteFile file(VotingModel model, Plan plan) {
        return new VoteFile(model, plan, Provenance.of(new DataSource("", ""), 1, 1));
    }

    private static List<JsonNode> groups(VotingModel model) {
        List<JsonNode> groups = new ArrayList<>();
        Json.parse("votes", file(model, PLAN).print()).node().get("groups").forEach(groups::add);
        return groups;
    }

    private static void onlyOneGroupDiffers(VotingModel before, VotingModel after, int lying) {
        List<JsonNode> old = groups(before);
        List<JsonNode> now = groups(after);
        for (int g = 0; g < old.size(); g++) {
            if (g != lying) {
                assertThat(now.get(g)).as("group %d", g).isEqualTo(old.get(g));
            }
        }
    }

    /** One way to lie: changes the cells of a row of the lying source; returns no rows, the row, or several. */
    private interface Lie {
        Stream<String[]> of(String[] row, Randomness random);
    }

    private static Stream<String[]> with(String[] row, int column, String text) {
        String[] changed = row.clone();
        changed[column] = text;
        return Stream.<String[]>of(changed);
    }

    private static final List<Lie> LIES = List.of(
            (row, random) -> with(row, 1, "" + 1e12 * random.nextGaussian()),
            (row, random) -> with(row, 7, row[7].equals("yes") ? "no" : "yes"),
            (row, random) -> with(row, 4, "" + 1000 * Double.parseDouble(row[4])),
            (row, random) -> with(row, 4, ""),
            (row, random) -> with(row, 4, "high"),
            (row, random) -> with(row, 1, "unknown"),
            (row, random) -> with(row, 7, "maybe"),
            (row, random) -> with(row, 7, ""),
            (row, random) -> with(row, 7, random.nextInt(2) == 0 ? "1" : "0"),
            (row, random) -> with(row, 5, "0"),
            (row, random) -> with(row, 5, "-3"),
            (row, random) -> with(row, 5, "1e300"),
            (row, random) -> with(row, 2, "" + random.nextInt(1000)),
            (row, random) -> with(row, 2, "w" + random.nextInt(1000)),
            (row, random) -> with(row, 3, "yesterday"),
            (row, random) -> with(row, 0, "7"),
            (row, random) -> with(row, 2, "two\nlines, \"quoted\""),
            (row, random) -> random.nextInt(3) == 0 ? Stream.<String[]>of(row) : Stream.of(),
            (row, random) -> Stream.of(),
            (row, random) -> Collections.nCopies(20, row).stream(),
            (row, random) -> with(row, 4, "1e308"),
            (row, random) -> with(row, 7, "yes"));

    private static List<String[]> lying(List<String[]> rows, String source, Lie lie, Randomness random) {
        List<String[]> own = new ArrayList<>();
        List<String[]> all = new ArrayList<>();
        for (String[] row : rows) {
            if (row[6].equals(source)) {
                lie.of(row, random).forEach(random.nextInt(2) == 0 ? own::add : all::add);
            } else {
                all.add(row);
            }
        }
        // Half of the lies come first, where the first row of a table has most to say.
        own.addAll(all);
        return own;
    }

    @Test
    void oneSourceOfATableReachesOneGroup() {
        List<String[]> rows = rows(Seed.of(3));
        Path all = write("all.csv", rows);
        List<Integer> sizes = List.of(2, 3, 6);
        for (int groups : sizes) {
            Roster roster = roster(groups);
            VotingModel before = train(PLAN, roster, all);
            assertThat(before.unusable()).isZero();
            for (int i = sizes.indexOf(groups); i < LIES.size(); i += sizes.size()) {
                Randomness random = Seed.of(i).random();
                String source = "c" + random.nextInt(SOURCES);
                VotingModel after = train(PLAN, roster, write("lying.csv", lying(rows, source, LIES.get(i), random)));
                onlyOneGroupDiffers(before, after, roster.groupOf(source));
            }
        }
    }

    /** By another road: the ordinary one, on a file that has no other rows. */
    @Test
    void aGroupLearnsWhatItWouldIfThereWereNoOtherRows() {
        List<String[]> rows = rows(Seed.of(4));
        Roster roster = roster(2);
        Plan automatic = PLAN.with("lambda", "auto");
        VotingModel voting = train(automatic, roster, write("all.csv", rows));
        VoteTable table = VoteTable.of(List.of(folder.resolve("all.csv").toString()), automatic);
        VoteHoldOut heldOut = new VoteHoldOut(table.sources(), 0.2, PLAN.seed());
        for (int g = 0; g < 2; g++) {
            int[] seen = new int[SOURCES];
            List<String[]> own = new ArrayList<>();
            for (String[] row : rows) {
                int nth = seen[row[6].charAt(1) - '0']++;
                if (roster.groupOf(row[6]) == g && !heldOut.has(row[6], nth)) {
                    own.add(row);
                }
            }
            Plan plan = automatic.with("test-share", "0");
            var alone = Training.of(DataFile.read(write("own.csv", own).toString(), plan), plan)
                    .run();
            var learnt = voting.groups().get(g).model().orElseThrow();
            assertThat(Laws.bits(learnt.theta()))
                    .containsExactly(Laws.bits(alone.model().theta()));
            assertThat(learnt.encoding()).isEqualTo(alone.model().encoding());
            assertThat(learnt.calibration()).isEqualTo(alone.model().calibration());
            assertThat(voting.groups().get(g).rows()).isEqualTo(own.size());
        }
    }

    @Test
    void certifiedPredictionsStandEveryLieOfSoManySources() {
        for (int seed = 0; seed < 2; seed++) {
            List<String[]> rows = rows(Seed.of(10 + seed));
            Roster roster = roster(6);
            VotingModel honest = train(PLAN, roster, write("all.csv", rows));
            Path test = write("test.csv", rows(Seed.of(99)));
            VotedRows before = votes(honest, test);
            int certain = 0;
            for (int k = 1; k <= 2; k++) {
                for (int attack = 0; attack < 4; attack++) {
                    Randomness random = Seed.of(100 * seed + 10 * k + attack).random();
                    List<String[]> changed = rows;
                    for (int liar : random.choose(k, SOURCES)) {
                        // Flipped, one label for all, withheld, or anything.
                        Lie lie = LIES.get(new int[] {1, 21, 18, random.nextInt(LIES.size())}[attack]);
                        changed = lying(changed, "c" + liar, lie, random);
                    }
                    VotedRows after = votes(train(PLAN, roster, write("lying.csv", changed)), test);
                    for (int r = 0; r < before.rows(); r++) {
                        if (before.certified(r) >= k) {
                            certain++;
                            assertThat(after.classes(r).label())
                                    .isEqualTo(before.classes(r).label());
                        }
                    }
                }
            }
            assertThat(certain).isGreaterThan(100);
        }
    }

    private static VotedRows votes(VotingModel model, Path table) {
        return LabelledVotes.of(table.toString(), file(model, PLAN), false, Optional.empty())
                .voted();
    }

    @Test
    void oneFileReachesOneGroupWhateverIsInIt() throws IOException {
        Randomness random = Seed.of(5).random();
        Plan plan = Plan.automatic()
                .with("label", "ill")
                .with("classes", "no,yes")
                .with("lambda", "8")
                .with("rounds", "8")
                .with("missing", "mean");
        Path[] files = new Path[SOURCES];
        for (int s = 0; s < SOURCES; s++) {
            StringBuilder text = new StringBuilder("age,ward,ill\n");
            for (int r = 0; r < ROWS; r++) {
                double x = random.nextGaussian();
                text.append(x).append(random.nextInt(2) == 0 ? ",icu," : ",er,");
                text.append(x + random.nextGaussian() > 0 ? "yes\n" : "no\n");
            }
            files[s] = Files.writeString(folder.resolve("c" + s + ".csv"), text);
        }
        Roster roster = roster(3);
        VotingModel before = train(plan, roster, files);
        byte[] good = Files.readAllBytes(files[2]);
        String text = new String(good, StandardCharsets.UTF_8);
        List<String> contents = List.of(
                "",
                "age,ward,ill\n",
                "nonsense",
                "1 1:2 2:3\n0 1:1\n",
                text.replace("age", "years"),
                text.replace("ward,ill", "ill,ward"),
                text.replace("age,ward,ill", "age;ward;ill"),
                text.replace("age,ward,ill", "age,age,ill"),
                text.replace("yes", "true"),
                text + "\"never closed\n1,2,yes\n",
                text + "1,2\n",
                text.replaceAll("(?m)$", ",extra"),
                "\uFEFF" + text,
                "HFD\u0000" + text,
                "\u001f\u008b garbage");
        for (String content : contents) {
            Files.write(
                    files[2],
                    content.getBytes(
                            content.startsWith("\u001f") ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
            VotingModel after = train(plan, roster, files);
            onlyOneGroupDiffers(before, after, roster.groupOf("c2"));
        }
        Files.delete(files[2]);
        Path[] others =
                Arrays.stream(files).filter(file -> !file.equals(files[2])).toArray(Path[]::new);
        onlyOneGroupDiffers(before, train(plan, roster, others), roster.groupOf("c2"));
    }

    @Test
    void numbersAreVotedOnToo() {
        List<String[]> rows = rows(Seed.of(6));
        Plan plan = PLAN.with("label", "rate").with("classes", "numbers").with("weights-by", "");
        Roster roster = roster(6);
        VotingModel before = train(plan, roster, write("all.csv", rows));
        VotedRows votes = votes(before, folder.resolve("all.csv"));
        // A word among the numbers makes a source of one unusable.
        VotingModel after = train(
                plan,
                roster,
                write("lying.csv", lying(rows, "c1", LIES.get(4), Seed.of(1).random())));
        int lying = roster.groupOf("c1");
        onlyOneGroupDiffers(before, after, lying);
        assertThat(after.groups().get(lying).reason()).contains("(rate) must be a number");
        VotedRows changed = votes(after, folder.resolve("all.csv"));
        for (int r = 0; r < votes.rows(); r++) {
            NumberVotes old = votes.numbers(r);
            assertThat(changed.numbers(r).median()).isBetween(old.lowest(1), old.highest(1));
            assertThat(changed.vote(lying, r)).isInfinite();
        }
    }

    @Test
    void aRowThatOneGroupCannotReadIsReadByTheOthers() throws IOException {
        List<String[]> rows = rows(Seed.of(7));
        rows.stream()
                .filter(row -> row[6].equals("c3"))
                .forEach(row -> row[4] = row[4].startsWith("-") ? "low" : "high");
        Roster roster = roster(6);
        VotingModel model = train(PLAN.with("drop", "id"), roster, write("all.csv", rows));
        Path test = Files.writeString(
                folder.resolve("new.csv"),
                "age,ward,since,rate\n40,icu,2024-01-01,1\n40,icu,2024-01-01,high\n40,icu,soon,1\n");
        VotedRows votes = votes(model, test);
        assertThat(votes.rows()).isEqualTo(3);
        assertThat(votes.classes(0).unusable()).isZero();
        assertThat(votes.classes(1).unusable()).isEqualTo(5);
        assertThat(votes.isOwn(roster.groupOf("c3"), 1)).isTrue();
        assertThat(votes.classes(1).certified()).isZero();
        assertThat(votes.classes(2).unusable()).isEqualTo(6);
        Files.writeString(test, "age,ward\n40,icu\n");
        assertThatThrownBy(() -> votes(model, test))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("the model's feature 'since' is not a column");
    }

    @Test
    void votesAreWrittenAndReadToTheSameBits() throws IOException {
        VotingModel model = train(
                PLAN,
                roster(6),
                write(
                        "all.csv",
                        lying(rows(Seed.of(8)), "c4", LIES.get(6), Seed.of(1).random())));
        assertThat(model.unusable()).isEqualTo(1);
        Path path = folder.resolve("votes.json");
        VoteFile written = file(model, PLAN);
        written.write(path);
        VoteFile read = VoteFile.read(path, Catalogues.standard());
        assertThat(read.print()).isEqualTo(written.print());
        assertThat(VoteFile.isOne(path)).isTrue();
        assertThat(read.plan(Catalogues.standard())).isEqualTo(PLAN);
        assertThat(read.cells()).isEqualTo(CellFormat.DEFAULT);
        Files.writeString(path, Files.readString(path).replaceFirst("\"rows\" : \\d+", "\"rows\" : 1"));
        assertThatThrownBy(() -> VoteFile.read(path, Catalogues.standard()))
                .hasMessageContaining("was damaged or changed after it was written: its digest does not match");
        assertThat(VoteFile.readChanged(path, Catalogues.standard()).model().classes())
                .containsExactly("no", "yes");
        assertThatThrownBy(() -> ModelFile.read(path))
                .hasMessage(
                        path
                                + ": holds models that vote, which predict, evaluate, certify and rerun can use; this needs a model.json");
    }

    @Test
    void rostersAreRead() throws IOException {
        Path file = folder.resolve("roster.csv");
        Files.writeString(file, "b\n\na\n c \n");
        assertThat(RosterFile.read(file, 3)).isEqualTo(Roster.deal(List.of("a", "b", "c"), 3));
        Files.writeString(file, "b,2\nSmith, John,1\nc,1\n");
        assertThat(RosterFile.read(file, 2).groups()).containsExactly(List.of("Smith, John", "c"), List.of("b"));
        assertThatThrownBy(() -> RosterFile.read(file, 3))
                .hasMessage(file + ": the roster must have 3 groups (--vote), got 2");
        Files.writeString(file, "b,2\nc\n");
        assertThatThrownBy(() -> RosterFile.read(file, 2))
                .hasMessage(file + ": every source must have a group or none, got 1 of 2 with one");
        Files.writeString(file, "b\nb\n");
        assertThatThrownBy(() -> RosterFile.read(file, 2)).hasMessageContaining("once, got it twice");
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> RosterFile.read(file, 2)).hasMessageContaining("got none");
    }

    @Test
    void whatMightLetASourceDecideForOthersIsRefused() throws IOException {
        List<String[]> rows = rows(Seed.of(9));
        Path all = write("all.csv", rows);
        assertThatThrownBy(() -> train(PLAN.with("workers-by", "7"), roster(2), all))
                .hasMessageContaining("--vote needs a first line that names the columns, 7 among them");
        train(PLAN.with("workers-by", "7").with("header", "yes"), roster(2), all);
        assertThatThrownBy(() -> train(PLAN.with("workers-by", ""), roster(2), all))
                .hasMessageContaining("--vote needs sources: --workers-by");
        assertThatThrownBy(() -> train(PLAN.with("label", "well"), roster(2), all))
                .hasMessageContaining("--label 'well' is not a column");
        Path hfd = folder.resolve("all.hfd");
        DataFile.convert(all.toString(), PLAN, hfd, share -> {}, share -> {});
        assertThatThrownBy(() -> train(PLAN, roster(2), hfd))
                .hasMessageContaining("--vote needs the table it was converted from");
        Path news = Files.writeString(folder.resolve("news.svm"), "1 1:2\n0 2:1\n");
        assertThatThrownBy(() -> train(PLAN, roster(2), news))
                .hasMessageContaining("--vote needs a table in CSV; libsvm data name no sources");
        assertThatThrownBy(() -> train(PLAN, Roster.deal(List.of("c0", "c1"), 2), all))
                .hasMessageContaining("is not on the roster of 2");
        assertThatThrownBy(() -> train(PLAN.with("tolerated", "1"), roster(6), all))
                .hasMessageContaining("--vote 6: group 1 has 1 source: ");
        for (String setting : List.of("without=c1", "test-sources=c1", "split-by=since", "liars=1")) {
            String[] parts = setting.split("=");
            assertThatThrownBy(() -> train(PLAN.with(parts[0], parts[1]), roster(2), all))
                    .hasMessageContaining("--vote and --" + parts[0] + " exclude each other");
        }
        rows.get(3)[6] = " ";
        Path unnamed = write("unnamed.csv", rows);
        assertThatThrownBy(() -> train(PLAN, roster(2), unnamed)).hasMessageContaining("must name a source");
        rows.forEach(row -> row[7] = "perhaps");
        rows.get(3)[6] = "c1";
        Path nothing = write("nothing.csv", rows);
        assertThatThrownBy(() -> train(PLAN, roster(2), nothing))
                .hasMessageContaining("no group can learn; the first one: ")
                .hasMessageContaining("must be one of --classes no,yes, got 'perhaps'");
    }

    @Test
    void heldOutRowsDependOnTheirOwnSourceAlone() {
        var few = new VoteHoldOut(Map.of("a", 10, "b", 1), 0.3, Seed.of(1));
        var more = new VoteHoldOut(Map.of("a", 10, "b", 50, "c", 7), 0.3, Seed.of(1));
        assertThat(few.count()).isEqualTo(3);
        assertThat(more.count()).isEqualTo(3 + 15 + 2);
        for (int r = 0; r < 10; r++) {
            assertThat(few.has("a", r)).isEqualTo(more.has("a", r));
        }
        assertThat(few.has("d", 0)).isFalse();
    }
}
