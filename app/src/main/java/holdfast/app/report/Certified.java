package holdfast.app.report;

import java.util.List;

/** What is certain about a model or about votes, in every form that it is given. */
public sealed interface Certified permits CertificateReport, VoteCertificate {
    /** Returns the sentences and the table. */
    String text();

    /**
     * Returns the certificate.
     *
     * @param modelHash the SHA-256 of the model file
     * @param settings how it was asked for, in the form of options
     */
    CertificateFile certificate(String modelHash, List<String> settings);

    /**
     * Returns a page that needs no network.
     *
     * @param modelHash the SHA-256 of the model file
     */
    String html(String modelHash);
}
