package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.NonFinite;
import holdfast.attack.UpdateAttack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * No rule and no attack needs memory in proportion to workers times length beyond what it is given and returns. Run in a
 * Java of its own whose heap has room for the updates, but not for as much again.
 */
class MemoryTest {
    private static final int WORKERS = 64;
    private static final int LENGTH = 20_000;

    @Test
    void everyRuleAndAttackGetsByWithLessThanASecondCopyOfTheUpdates() throws IOException, InterruptedException {
        long updates = WORKERS * LENGTH * 8L >> 20;
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmn3m",
                        "-Xmx" + 2 * updates + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MemoryTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).endsWith("done\n");
    }

    /** Names what it is about to do, so that the last name is the one that needs too much. */
    public static void main(String[] args) {
        Randomness random = Seed.of(1).random();
        List<WorkerUpdate> votes = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            votes.add(new WorkerUpdate(w, random.gaussians(LENGTH)));
        }
        Round round =
                new Round(0, WORKERS, votes, new double[LENGTH], Seed.of(2), Carry.NONE, random.gaussians(LENGTH));
        for (String rule : Aggregators.rules().names()) {
            System.out.println(rule);
            Aggregators.create(rule.equals("geometric-median") ? rule + "(steps=3)" : rule, 1)
                    .aggregate(round);
        }
        for (String name : Attacks.catalogue().names()) {
            if (Attacks.catalogue().create(Spec.parse(name)) instanceof UpdateAttack attack
                    && !(attack instanceof NonFinite)) {
                System.out.println(name);
                attack.forge(new AttackContext(round, new int[] {3}, new NormScreening(1), Seed.of(3)));
            }
        }
        System.out.println("done");
    }
}
