package holdfast.sources;

import java.util.List;

/**
 * What is said about one source.
 *
 * @param source its name
 * @param findings why it stands out; empty if it does not
 * @param agreement how well its labels agree with a model of the others, 1/2 by chance: the AUC; for many classes, the
 *     mean AUC of each class against the rest; for numbers, (rho + 1)/2 with Spearman's rho. NaN if the source has one
 *     label only
 * @param z the agreement, standardised among all permutations of the source's labels: about 0 by chance; NaN if it is not known
 */
public record Verdict(String source, List<Finding> findings, double agreement, double z) {
    public Verdict {
        findings = List.copyOf(findings);
    }

    /** A verdict of which it is not known how far its agreement is from chance. */
    public Verdict(String source, List<Finding> findings, double agreement) {
        this(source, findings, agreement, Double.NaN);
    }

    /** Returns whether anything was found. */
    public boolean named() {
        return !findings.isEmpty();
    }

    /** Returns whether its labels contradict the others'. */
    public boolean suspect() {
        return findings.stream().anyMatch(f -> f.kind() == Finding.Kind.CONTRADICTION);
    }
}
