package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.app.lab.Testbed;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.shift.Shift;
import holdfast.shift.Shifts;
import holdfast.training.Training;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables with words and missing cells, whose encoding every split learns anew, in every command. */
class TablesWithHolesTest {
    @TempDir
    private Path folder;

    private String table;
    private String mapped;

    @BeforeEach
    void write() throws IOException {
        Randomness random = Seed.of(4).child("holes").random();
        StringBuilder csv = new StringBuilder("age,region,ill\n");
        for (int r = 0; r < 300; r++) {
            double age = random.nextGaussian();
            int region = random.nextInt(4);
            csv.append(random.nextInt(4) == 0 ? "" : "" + age)
                    .append(List.of(",north", ",south", ",west", ",?").get(region))
                    .append(age + region / 4.0 + random.nextGaussian() > 0.4 ? ",yes\n" : ",no\n");
        }
        table = Files.writeString(folder.resolve("table.csv"), csv).toString();
        mapped = folder.resolve("table.hfd").toString();
        assertThat(Shell.run("convert", table, mapped, "--missing", "indicator").code())
                .isZero();
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private static String[] with(String[] args, String... more) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    @Test
    void everySeedOfABenchIsARunOfItsOwn() {
        Plan plan = Plan.defaults()
                .with("missing", "indicator")
                .with("workers", "4")
                .with("rounds", "20")
                .with("recalibration", "none")
                .with("learning-rate", "0.5");
        List<Shift> shifts = List.of(Shifts.catalogue().create(Spec.parse("l2(budget=0.2)")));
        for (String file : List.of(table, mapped)) {
            Testbed bench = new Testbed(DataFile.read(file, plan));
            for (String seed : List.of("1", "2", "3")) {
                Plan seeded = plan.with("seed", seed);
                Table fresh = DataFile.read(table, seeded);
                assertThat(bench.errors(seeded, shifts))
                        .containsExactly(Training.of(fresh, seeded)
                                .run()
                                .evaluate(shifts.get(0))
                                .headline());
            }
        }
    }

    @Test
    void everyCommandTakesEitherForm() throws IOException {
        String model = folder.resolve("model.json").toString();
        String missing = "indicator";
        for (String data : List.of(table, mapped)) {
            run("train", data, "--missing", missing, "--rounds", "9", "--quiet", "--out", model, "--test", data);
            run("train", data, "--missing", missing, "--rounds", "9", "--quiet", "--out", model);
            for (String other : List.of(table, mapped)) {
                assertThat(run("rerun", model, other)).startsWith("the same");
                assertThat(run("evaluate", model, other)).isEqualTo(run("evaluate", model, data));
                assertThat(run("predict", model, other)).isEqualTo(run("predict", model, data));
            }
            run("partition", data, "--missing", missing);
            // The table has two columns beside the label, which make six features.
            String[] few = {"--data", data, "--missing", missing, "--rounds", "3", "--seeds", "2", "--workers", "4"};
            run(with(
                    with(new String[] {"redteam", "--rules", "median", "--liars", "1", "--quiet"}, few),
                    "--attacks",
                    "backdoor(column=5)",
                    "--shifts",
                    "trigger(column=5)",
                    "--out",
                    folder.resolve("attacked-" + Path.of(data).getFileName()).toString()));
            run(with(new String[] {"breakpoint", "--rules", "median", "--quiet"}, few));
        }
    }
}
