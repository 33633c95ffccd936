package holdfast.app;

import holdfast.Randomness;
import holdfast.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Twelve clinics with the same disease. */
final class Clinics {
    private Clinics() {}

    /** @param flipped how many of them, the first ones, swap the labels */
    static Path write(Path folder, long seed, int flipped) throws IOException {
        Randomness random = Seed.of(seed).child("clinics").random();
        StringBuilder csv = new StringBuilder("age,pressure,weight,clinic,ill\n");
        for (int row = 0; row < 12 * 60; row++) {
            double[] x = random.gaussians(3);
            boolean ill = 1.5 * x[0] - x[1] + 0.5 * random.nextGaussian() > 0;
            int clinic = row % 12;
            csv.append(String.format(
                    Locale.ROOT,
                    "%.6f,%.6f,%.6f,clinic %d,%s%n",
                    x[0],
                    x[1],
                    x[2],
                    clinic,
                    ill != clinic < flipped ? "yes" : "no"));
        }
        return Files.writeString(folder.resolve("clinics" + seed + "-" + flipped + ".csv"), csv);
    }
}
