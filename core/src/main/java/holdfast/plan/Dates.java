package holdfast.plan;

import holdfast.data.DatePart;
import java.util.List;

/** What columns of dates become. */
public enum Dates {
    /** The days since 1970. */
    NUMBER(DatePart.DAYS),
    /** The days since 1970, the month and the day of the week. */
    PARTS(DatePart.DAYS, DatePart.MONTH, DatePart.WEEKDAY),
    /** Categories, like other words. */
    TEXT;

    private final List<DatePart> parts;

    Dates(DatePart... parts) {
        this.parts = List.of(parts);
    }

    /** Returns what a column of dates becomes; nothing if dates are words. */
    public List<DatePart> parts() {
        return parts;
    }
}
