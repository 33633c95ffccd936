package holdfast.app.report;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How commands write CSV. */
public final class CsvText {
    private CsvText() {}

    /** Returns one line, its end included; cells are quoted where they must be. */
    public static String line(Stream<String> cells) {
        return cells.map(CsvText::quoted).collect(Collectors.joining(",", "", "\n"));
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
