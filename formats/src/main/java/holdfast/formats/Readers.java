package holdfast.formats;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.List;

/** The formats that tables are read from. */
public final class Readers {
    /** The first reader that recognises a file reads it; the last one accepts any text. */
    public static final List<Reader> ALL = List.of(new Hfd(), new LibSvm(), new Csv());

    private Readers() {}

    /** Returns the reader for the rest of the stream; consumes nothing. */
    public static Reader recognised(BufferedInputStream in) throws IOException {
        for (Reader reader : ALL) {
            if (reader.recognises(in)) {
                return reader;
            }
        }
        throw new IllegalStateException("the last reader takes any text");
    }

    /**
     * Returns the reader with a name.
     *
     * @param name as in {@code --format}
     */
    public static Reader named(String name) {
        return ALL.stream()
                .filter(reader -> reader.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
