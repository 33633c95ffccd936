package holdfast.data;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a column of a table takes from a column of dates in a file. */
public enum DatePart {
    /** Nothing: the file has no dates there. */
    NONE("", List.of()),
    /** The days since 1970-01-01, with the time as a fraction. */
    DAYS("", List.of()),
    MONTH(" month", List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")),
    WEEKDAY(" weekday", List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"));

    private static final Pattern ISO = Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})"
            + "(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2}(?:\\.\\d{1,9})?))?(?:Z|([+-]\\d{2}):?(\\d{2}))?)?");
    private static final int SHORTEST = "2024-05-31".length();
    private static final double SECONDS = 86_400;

    private final String suffix;
    private final List<String> categories;

    DatePart(String suffix, List<String> categories) {
        this.suffix = suffix;
        this.categories = categories;
    }

    /** Returns the name of the table's column, for the name of the file's. */
    public String column(String name) {
        return name + suffix;
    }

    /** Returns the name of the file's column, for the name of the table's. */
    public String origin(String column) {
        return column.substring(0, column.length() - suffix.length());
    }

    /** Returns the values if the part is a text; else none. */
    public List<String> categories() {
        return categories;
    }

    /** Returns the days since 1970 that a text says: an ISO date, perhaps with a time; NaN if it is none. */
    public static double days(String text) {
        if (text.length() < SHORTEST || text.charAt(4) != '-' || text.charAt(7) != '-') {
            return Double.NaN;
        }
        Matcher iso = ISO.matcher(text);
        if (!iso.matches()) {
            return Double.NaN;
        }
        double hours = number(iso, 4);
        double minutes = number(iso, 5);
        double seconds = number(iso, 6);
        double offset = number(iso, 7);
        double offsetMinutes = Math.copySign(number(iso, 8), offset);
        if (hours > 23 || minutes > 59 || seconds >= 60 || Math.abs(offset) > 18 || Math.abs(offsetMinutes) > 59) {
            return Double.NaN;
        }
        try {
            long day = LocalDate.of((int) number(iso, 1), (int) number(iso, 2), (int) number(iso, 3))
                    .toEpochDay();
            return day + (3600 * (hours - offset) + 60 * (minutes - offsetMinutes) + seconds) / SECONDS;
        } catch (DateTimeException e) {
            return Double.NaN;
        }
    }

    private static double number(Matcher iso, int group) {
        return iso.group(group) == null ? 0 : Double.parseDouble(iso.group(group));
    }

    /** Returns the month or weekday of a day, if the part is a text. */
    public String text(double days) {
        return categories.get((int) of(days));
    }

    /** Returns the number of a day, or the index of its month or weekday among the categories. */
    public double of(double days) {
        LocalDate date = LocalDate.ofEpochDay((long) Math.floor(days));
        return switch (this) {
            case NONE, DAYS -> days;
            case MONTH -> date.getMonthValue() - 1;
            case WEEKDAY -> date.getDayOfWeek().getValue() - 1;
        };
    }
}
