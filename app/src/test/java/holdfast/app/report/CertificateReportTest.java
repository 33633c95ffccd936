package holdfast.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateReportTest {
    /** A bound for rho is none for more. */
    @ParameterizedTest
    @CsvSource({"0,0.000", "0.1,0.005000", "0.3,0.04500", "0.7,0.2450", "0.123,0.007564", "0.9999,0.4999", "1,0.5000"})
    void rhoIsRoundedDown(double budget, String printed) {
        assertThat(CertificateReport.printedRho(budget)).isEqualTo(printed);
    }
}
