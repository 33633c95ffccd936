package holdfast.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatePartTest {
    /**
     * Expected values by Python 3:
     *
     * <pre>
     * u = datetime.fromisoformat(text).astimezone(timezone.utc)  # a text without offset is UTC
     * (u - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds() / 86400, u.strftime("%b"), u.strftime("%a")
     * </pre>
     */
    @ParameterizedTest
    @CsvSource({
        "1970-01-01, 0.0, Jan, Thu",
        "2024-05-31, 19874.0, May, Fri",
        "1969-12-31, -1.0, Dec, Wed",
        "2000-02-29T12:00, 11016.5, Feb, Tue",
        "2024-05-31 09:30:15.25, 19874.39600983796, May, Fri",
        "2024-05-31T09:30:00+02:00, 19874.3125, May, Fri",
        "2024-05-31T00:30Z, 19874.020833333332, May, Fri",
        "1900-03-01, -25508.0, Mar, Thu",
        "2024-05-31T09:30-0330, 19874.541666666668, May, Fri",
        "1969-11-30T18:00, -31.25, Nov, Sun",
        "2024-05-31T23:59+18:00, 19874.249305555557, May, Fri"
    })
    void datesAreDaysMonthsAndWeekdays(String text, double days, String month, String weekday) {
        double read = DatePart.days(text);
        assertThat(read).isCloseTo(days, within(1e-10));
        assertThat(DatePart.DAYS.of(read)).isEqualTo(read);
        assertThat(DatePart.MONTH.categories().get((int) DatePart.MONTH.of(read)))
                .isEqualTo(month);
        assertThat(DatePart.WEEKDAY.categories().get((int) DatePart.WEEKDAY.of(read)))
                .isEqualTo(weekday);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2024",
                "20240531",
                "31.05.2024",
                "05/31/2024",
                "2024-02-30",
                "2024-13-01",
                "2024-05-31T24:00",
                "2024-05-31T25:00",
                "2024-05-31T09:30+19:00",
                "2024-05-31T09:30+02:60",
                "2024-05-31T09:60",
                "2024-05-31T09",
                "2024-05-31 ",
                "x2024-05-31",
                "2024-05-31T09:30:60"
            })
    void otherTextsAreNoDates(String text) {
        assertThat(DatePart.days(text)).isNaN();
    }

    @Test
    void theFilesColumnIsFoundAgain() {
        for (DatePart part : DatePart.values()) {
            assertThat(part.origin(part.column("seen on"))).isEqualTo("seen on");
        }
    }
}
