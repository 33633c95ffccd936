package holdfast.benchmarks;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reading CSV into numbers, compared with FastCSV's own parse of the same file into texts. */
final class Tables {
    private Tables() {}

    static List<Measured> measure(long bytes) throws IOException {
        Path file = Files.createTempFile("holdfast", ".csv");
        try {
            write(file, bytes);
            Turns turns = Turns.of(5, () -> raw(file), () -> DataFile.read(file.toString(), Plan.defaults()));
            double megabytes = Files.size(file) / 1e6;
            return List.of(
                    Measured.only("FastCSV's raw parse, MB/s", megabytes / turns.seconds(0)),
                    Measured.only("holdfast, MB/s", megabytes / turns.seconds(1)),
                    Measured.atLeast("holdfast / FastCSV's raw parse, MB/s", turns.ratio(0, 1), 0.7));
        } finally {
            Files.delete(file);
        }
    }

    private static void write(Path file, long bytes) throws IOException {
        Randomness random = Seed.of(1).random();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("a,b,c,d,e,f,g,h,i,j,y\n");
            for (long written = 0; written < bytes; ) {
                StringBuilder line = new StringBuilder();
                for (double x : random.gaussians(10)) {
                    line.append((float) x).append(',');
                }
                line.append(random.nextInt(2)).append('\n');
                out.append(line);
                written += line.length();
            }
        }
    }

    private static void raw(Path file) {
        int cells = 0;
        try (CsvReader<CsvRecord> rows = CsvReader.builder().ofCsvRecord(file)) {
            for (CsvRecord row : rows) {
                cells += row.getFieldCount();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (cells == 0) {
            throw new IllegalStateException("nothing was read");
        }
    }
}
