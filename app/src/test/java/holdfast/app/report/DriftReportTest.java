package holdfast.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DriftReportTest {
    @Test
    void whatIsAtLeastANumberIsPrintedRoundedDown() {
        assertThat(DriftReport.down(0.29999)).isEqualTo("0.2999");
        assertThat(DriftReport.down(12.3456)).isEqualTo("12.34");
        assertThat(DriftReport.down(123_456)).isEqualTo("1.234e+05");
        assertThat(DriftReport.down(0)).isEqualTo(DriftReport.number(0));
        assertThat(DriftReport.down(Double.NaN)).isEqualTo("-");
    }
}
