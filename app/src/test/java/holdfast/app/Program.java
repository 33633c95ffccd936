package holdfast.app;

import holdfast.formats.DataFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** The built program in a folder of its own, with a {@code ./holdfast} that starts it and tables to work on. */
public final class Program {
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private final Path folder;

    Program(Path folder) throws IOException {
        this.folder = folder;
        Path jar = root().resolve("app/target/holdfast.jar");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path script = Files.writeString(
                folder.resolve("holdfast"), "#!/bin/sh\nexec '" + java + "' -jar '" + jar + "' \"$@\"\n");
        if (!script.toFile().setExecutable(true)) {
            throw new IOException(script + " cannot be made executable");
        }
    }

    /** The folder of the repository. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("CONTRIBUTING.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** mail.csv: the embedded Spambase. */
    void writeMail() throws IOException {
        try (InputStream in = DataFile.class.getResourceAsStream("spambase.csv.gz");
                InputStream text = new GZIPInputStream(in)) {
            Files.copy(text, folder.resolve("mail.csv"));
        }
    }

    /** visits.csv: six hospitals, the third of which swaps the codes of ill and well. */
    void writeVisits() throws IOException {
        holdfast.Randomness random = holdfast.Seed.of(1).child("visits").random();
        StringBuilder csv = new StringBuilder("age,pressure,hospital,ill\n");
        for (int row = 0; row < 600; row++) {
            double[] x = random.gaussians(2);
            boolean ill = x[0] + x[1] + random.nextGaussian() / 2 > 0;
            int hospital = row % 6;
            csv.append(String.format(
                    Locale.ROOT, "%.5f,%.5f,H%d,%s%n", x[0], x[1], hospital, ill == (hospital == 2) ? 0 : 1));
        }
        Files.writeString(folder.resolve("visits.csv"), csv.toString());
    }

    /** hospital-0.csv to hospital-5.csv: the same visits in files of their own, one of which has a word for an age. */
    void writeHospitals() throws IOException {
        List<String> visits = Files.readAllLines(folder.resolve("visits.csv"));
        for (int h = 0; h < 6; h++) {
            String name = ",H" + h + ",";
            StringBuilder csv = new StringBuilder("age,pressure,ill\n").append(h == 4 ? "old,1,1\n" : "");
            visits.stream()
                    .filter(row -> row.contains(name))
                    .forEach(row -> csv.append(row.replace(name, ",")).append('\n'));
            Files.writeString(folder.resolve("hospital-" + h + ".csv"), csv.toString());
        }
    }

    /** claims.csv: a cost and a number of claims per contract, with a column of words and some ages missing. */
    void writeClaims() throws IOException {
        holdfast.Randomness random = holdfast.Seed.of(1).child("claims").random();
        StringBuilder csv = new StringBuilder("age,power,region,cost,claims\n");
        for (int row = 0; row < 400; row++) {
            double[] x = random.gaussians(2);
            String region = List.of("north", "south", "west").get(random.nextInt(3));
            double rate = Math.exp(0.5 * x[0] - 0.3 * x[1] + (region.equals("west") ? 0.5 : 0));
            int claims = 0;
            for (double product = random.nextDouble(); product > Math.exp(-rate); product *= random.nextDouble()) {
                claims++;
            }
            csv.append(String.format(
                    Locale.ROOT,
                    "%s,%.4f,%s,%.2f,%d%n",
                    row % 50 == 49 ? "" : String.format(Locale.ROOT, "%.4f", x[0]),
                    x[1],
                    region,
                    1000 + 300 * x[0] + 200 * random.nextGaussian(),
                    claims));
        }
        Files.writeString(folder.resolve("claims.csv"), csv.toString());
    }

    /** news.svm: short texts on two topics, ten words each of a thousand. */
    void writeNews() throws IOException {
        holdfast.Randomness random = holdfast.Seed.of(1).child("news").random();
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 400; row++) {
            boolean sport = row % 2 == 0;
            text.append(sport ? "+1" : "-1");
            for (int word : random.choose(10, 700)) {
                text.append(' ').append(word + (sport ? 1 : 301)).append(":1");
            }
            text.append('\n');
        }
        Files.writeString(folder.resolve("news.svm"), text.toString());
    }

    /** honest.csv: nine similar vectors; vectors.csv: the same and three long ones. */
    void writeVectors() throws IOException {
        holdfast.Randomness random = holdfast.Seed.of(1).child("vectors").random();
        StringBuilder csv = new StringBuilder();
        for (int row = 0; row < 9; row++) {
            csv.append(1 + random.nextGaussian() / 10)
                    .append(',')
                    .append(random.nextGaussian())
                    .append(",0.5\n");
        }
        Files.writeString(folder.resolve("honest.csv"), csv.toString());
        Files.writeString(folder.resolve("vectors.csv"), csv + "-9,8,7\n".repeat(3));
    }

    record Ended(int code, String out, String err) {}

    /** One line for the shell, in the program's folder. */
    Ended shell(String line) throws IOException, InterruptedException {
        Process process = start(line);
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("does not end: " + line);
        }
        return new Ended(process.exitValue(), read("out.txt"), read("err.txt"));
    }

    Process start(String line) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", line));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
    }

    /** What a real browser without a network makes of a page; the test is skipped where there is none. */
    String browse(Path page) throws IOException, InterruptedException {
        return shell(browser() + " --headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run"
                        + " --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir=profile"
                        + " --virtual-time-budget=10000 --dump-dom '" + page.toUri() + "'")
                .out();
    }

    /** The name of a browser's program; the test is skipped where there is none. */
    String browser() throws IOException, InterruptedException {
        for (String name : BROWSERS) {
            if (shell("command -v " + name).code() == 0) {
                return name;
            }
        }
        Assumptions.abort("no Chromium: ./verify says how to install it");
        return "";
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
    }
}
