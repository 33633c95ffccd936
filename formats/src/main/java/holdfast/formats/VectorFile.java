package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Vectors of the same length in a file, plain or gzip: CSV with one vector per line, or NumPy's .npy with one per row.
 *
 * @param name the name of the file, for messages
 * @param format the format that was found
 * @param vectors at least one; may contain NaN and infinities, written as in Python or Java
 * @param places where each vector is: {@code line 3} of a CSV, counted from 1, or {@code row 2} of a .npy, counted from
 *     0 as in NumPy
 */
public record VectorFile(String name, Format format, List<double[]> vectors, List<String> places) {
    private static final int EXCERPT = 60;

    /** How vectors are written. */
    public enum Format {
        CSV {
            @Override
            public byte[] print(double[] vector) {
                return print(List.of(vector));
            }

            @Override
            public byte[] print(List<double[]> vectors) {
                StringBuilder text = new StringBuilder();
                for (double[] vector : vectors) {
                    for (int i = 0; i < vector.length; i++) {
                        text.append(i == 0 ? "" : ",").append(vector[i]);
                    }
                    text.append('\n');
                }
                return text.toString().getBytes(StandardCharsets.US_ASCII);
            }
        },
        NPY {
            @Override
            public byte[] print(double[] vector) {
                return Npy.bytes(vector);
            }

            @Override
            public byte[] print(List<double[]> vectors) {
                return Npy.bytes(vectors);
            }
        };

        /** Prints one vector: a line of CSV, or a .npy of one dimension. */
        public abstract byte[] print(double[] vector);

        /** Prints at least one vector, all of the same length: lines of CSV, or a .npy of two dimensions. */
        public abstract byte[] print(List<double[]> vectors);
    }

    /**
     * Reads vectors.
     *
     * @param file its name, or {@code -} for standard input
     */
    public static VectorFile read(String file) {
        String name = file.equals("-") ? "standard input" : file;
        try (InputStream stored = new DataFile(file).openStored()) {
            BufferedInputStream in = new BufferedInputStream(DataFile.unzipped(stored), 1 << 16);
            return Npy.isNext(in) ? npy(name, in) : csv(name, in);
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static VectorFile npy(String name, InputStream in) throws IOException {
        List<double[]> vectors = Npy.read(name, in);
        List<String> places = new ArrayList<>();
        for (int row = 0; row < vectors.size(); row++) {
            places.add("row " + row);
        }
        return new VectorFile(name, Format.NPY, vectors, places);
    }

    private static VectorFile csv(String name, InputStream in) throws IOException {
        List<double[]> vectors = new ArrayList<>();
        List<String> places = new ArrayList<>();
        // Uses its own decoder: the default would replace bytes that are not UTF-8 instead of rejecting them.
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()), 1 << 16);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            String text = number == 1 && line.startsWith("\ufeff") ? line.substring(1) : line;
            if (text.isBlank()) {
                continue;
            }
            String place = "line " + number;
            double[] vector = numbers(name + ": " + place, text);
            Check.that(
                    vectors.isEmpty() || vector.length == vectors.get(0).length,
                    "%s: %s: must have %d numbers like %s, got %d",
                    name,
                    place,
                    vectors.isEmpty() ? 0 : vectors.get(0).length,
                    places.isEmpty() ? "" : places.get(0),
                    vector.length);
            vectors.add(vector);
            places.add(place);
        }
        Check.that(!vectors.isEmpty(), "%s: is empty; vectors are needed, one per line", name);
        return new VectorFile(name, Format.CSV, vectors, places);
    }

    private static double[] numbers(String at, String line) {
        double[] numbers =
                new double[1 + (int) line.chars().filter(c -> c == ',').count()];
        int start = 0;
        for (int i = 0; i < numbers.length; i++) {
            int comma = line.indexOf(',', start);
            String cell =
                    line.substring(start, comma < 0 ? line.length() : comma).strip();
            try {
                numbers[i] = number(cell);
            } catch (NumberFormatException e) {
                throw new InputException(at + ", column " + (i + 1)
                        + " must be a number, with commas between numbers, got " + excerpt("'" + cell + "'"));
            }
            start = comma + 1;
        }
        return numbers;
    }

    private static double number(String text) {
        if (text.isEmpty() || !Character.isLetter(text.charAt(text.length() - 1))) {
            // Java also reads hexadecimals, which no other program writes as numbers.
            return Double.parseDouble(text.indexOf('x') < 0 && text.indexOf('X') < 0 ? text : "");
        }
        boolean signed = text.startsWith("-") || text.startsWith("+");
        return switch (text.substring(signed ? 1 : 0).toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "infinity" -> text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            default -> throw new NumberFormatException();
        };
    }

    /** Shortens a text so that it fits on a line. */
    static String excerpt(String text) {
        String line = text.strip().replaceAll("[\\p{Cntrl}\\ufffd]", "?");
        return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + "...";
    }
}
