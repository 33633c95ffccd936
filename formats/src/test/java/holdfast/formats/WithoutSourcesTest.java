package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithoutSourcesTest {
    private static final String HEADER = "hospital,age,ward,ill\n";

    @TempDir
    private Path folder;

    /** Hospital h0 has words of its own, and bad cells in some seeds. */
    private static String row(int hospital, Randomness random) {
        String age = hospital == 0 && random.nextInt(40) == 0 ? "unknown" : "" + (20 + random.nextInt(60));
        String ward = hospital == 0 && random.nextInt(2) == 0
                ? "w" + random.nextInt(100)
                : "abc".charAt(random.nextInt(3)) + "";
        return "h" + hospital + "," + age + "," + ward + "," + random.nextInt(2) + "\n";
    }

    private Path write(String name, List<String> rows, Predicate<String> kept) {
        try {
            return Files.writeString(
                    folder.resolve(name),
                    HEADER + String.join("", rows.stream().filter(kept).toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TrainingRun train(Plan plan, Path... files) {
        List<String> names = Arrays.stream(files).map(Path::toString).toList();
        Plan read = DataFile.asRead(names, plan);
        return Training.of(DataFile.read(names, read), read).rounds(20).run();
    }

    private static void areTheSame(TrainingRun without, TrainingRun never) {
        assertThat(without.model().theta()).containsExactly(never.model().theta());
        assertThat(without.model().schema()).isEqualTo(never.model().schema());
        assertThat(without.model().encoding()).isEqualTo(never.model().encoding());
        assertThat(without.ledger()).isEqualTo(never.ledger());
        assertThat(without.unusable()).isEqualTo(never.unusable());
    }

    @Test
    void theModelIsTheOneThatThereWouldBeWithoutTheRows() {
        Laws.check(5, seed -> {
            Randomness random = seed.random();
            List<String> rows = IntStream.range(0, 400)
                    .mapToObj(r -> row(random.nextInt(7), random))
                    .toList();
            Predicate<String> others = row -> !row.startsWith("h0,") && !row.startsWith("h3,");
            Path all = write("all.csv", rows, row -> true);
            Path few = write("few.csv", rows, others);
            for (String statistics : List.of("robust", "pooled")) {
                if (statistics.equals("pooled") && rows.stream().anyMatch(row -> row.contains("unknown"))) {
                    continue;
                }
                Plan plan = Plan.defaults().with("workers-by", "hospital").with("statistics", statistics);
                areTheSame(train(plan.with("without", "h0,h3"), all), train(plan, few));
            }
        });
    }

    @Test
    void aFileIsLeftOutAsAWhole() {
        Randomness random = Seed.of(1).random();
        Path[] files = new Path[6];
        for (int h = 0; h < files.length; h++) {
            int hospital = h;
            files[h] = write(
                    "f" + h + ".csv",
                    IntStream.range(0, 60).mapToObj(r -> row(hospital, random)).toList(),
                    row -> true);
        }
        Path[] few = Arrays.copyOfRange(files, 1, files.length);
        TrainingRun without = train(Plan.defaults().with("without", "f0"), files);
        areTheSame(without, train(Plan.defaults(), few));
        assertThat(without.provenance().data().sha256())
                .isEqualTo(train(Plan.defaults().with("without", "f1"), files)
                        .provenance()
                        .data()
                        .sha256());
    }

    @Test
    void aConvertedTableCanBeTrainedWithoutSourcesToo() {
        Randomness random = Seed.of(2).random();
        List<String> rows = IntStream.range(0, 300)
                .mapToObj(r -> row(1 + random.nextInt(6), random))
                .toList();
        Path all = write("all.csv", rows, row -> true);
        Path hfd = folder.resolve("all.hfd");
        Plan plan = Plan.defaults().with("workers-by", "hospital");
        DataFile.convert(all.toString(), plan, hfd, share -> {}, share -> {});
        assertThat(train(plan.with("without", "h2"), hfd).model().theta())
                .containsExactly(train(plan, write("few.csv", rows, row -> !row.startsWith("h2,")))
                        .model()
                        .theta());
    }

    @Test
    void onlySourcesThatThereAreCanBeLeftOutAndNotAll() {
        Path file = write("one.csv", List.of("a,1,x,0\n", "a,2,x,1\n", "b,1,x,0\n", "b,2,x,1\n"), row -> true);
        Plan plan = Plan.defaults().with("workers-by", "hospital").with("test-share", "0");
        assertThatThrownBy(() -> train(plan.with("without", "c"), file))
                .isInstanceOf(InputException.class)
                .hasMessage("--without: there is no source 'c' among 2; the closest: a, b");
        assertThatThrownBy(() -> train(plan.with("without", "a,b"), file)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> train(Plan.defaults().with("without", "a"), file))
                .isInstanceOf(InputException.class)
                .hasMessage("--without needs --workers-by, the column that names the source of each row");
    }
}
