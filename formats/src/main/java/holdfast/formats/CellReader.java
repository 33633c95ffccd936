package holdfast.formats;

import holdfast.plan.DecimalMark;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads cells that are written in another way than usual. Can be sent to other machines.
 *
 * @param commas whether numbers have decimal commas
 * @param words cells that are missing, in lower case
 * @param numbers cells that are missing, however they are written
 */
public record CellReader(boolean commas, Set<String> words, double[] numbers) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Follows a number with a point where numbers have commas, so that nothing takes it for a number. */
    private static final String POINT = " (decimal point)";

    static CellReader of(DecimalMark decimal, List<String> missing) {
        return new CellReader(
                decimal == DecimalMark.COMMA,
                missing.stream().map(text -> text.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet()),
                missing.stream()
                        .mapToDouble(Csv::number)
                        .filter(number -> !Double.isNaN(number))
                        .toArray());
    }

    /** Returns whether cells stay as they are. */
    public boolean isPlain() {
        return !commas && words.isEmpty();
    }

    /** Returns a cell with a decimal point if it is a number; an empty one if it is missing. */
    public String read(String cell) {
        String text = commas ? withPoint(cell) : cell;
        boolean missing = words.contains(text.strip().toLowerCase(Locale.ROOT))
                || numbers.length > 0 && isMissing(Csv.number(text));
        return missing ? "" : text;
    }

    /** Whether a cell that was read is a number with a point where numbers have commas. */
    static boolean hasPoint(String cell) {
        return cell.endsWith(POINT);
    }

    /** Returns a cell that was read as it is written in the file. */
    static String written(String cell) {
        return hasPoint(cell) ? cell.substring(0, cell.length() - POINT.length()) : cell;
    }

    /** Returns whether a number stands for a missing cell. */
    public boolean isMissing(double number) {
        return Arrays.stream(numbers).anyMatch(known -> known == number);
    }

    /** Returns a number with a comma as one with a point, and other text as it is. */
    private static String withPoint(String text) {
        int comma = text.indexOf(',');
        int point = text.indexOf('.');
        if (comma < 0) {
            return point >= 0 && !Double.isNaN(Csv.number(text)) ? text.strip() + POINT : text;
        }
        String pointed = text.replace(',', '.');
        return point >= 0 || Double.isNaN(Csv.number(pointed)) ? text : pointed;
    }
}
