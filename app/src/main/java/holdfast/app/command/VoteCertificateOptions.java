package holdfast.app.command;

import holdfast.Check;
import holdfast.app.report.Certified;
import holdfast.app.report.VoteCertificate;
import holdfast.certificate.RowMove;
import holdfast.certificate.VoteGrid;
import holdfast.certificate.VotingModel;
import holdfast.formats.LabelledVotes;
import holdfast.formats.VoteFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code certify} for models that vote. */
final class VoteCertificateOptions {
    private static final String STANDARD_SHIFT = "l2";

    @Option(
            names = "--liars",
            paramLabel = "K,...",
            description = "for votes: how many sources may lie (default: 0 up to the most that the groups allow)")
    private String liars;

    @Option(
            names = "--shift",
            paramLabel = "NORM",
            description = "for votes: what a budget limits, l1, l2 or linf (default: l2)")
    private String shift;

    @Mixin
    private MoveOptions moves = new MoveOptions();

    /** Of the certificate that is checked; null if none is. */
    private Map<String, Double> checkedUnits;

    /** Refuses these options for one model. */
    void requireNone(Path file) {
        Check.that(
                !given(),
                "--liars, --shift and --units are for models that vote (train --vote), and %s is one model",
                file);
    }

    /**
     * Certifies votes.
     *
     * @param given the budgets; empty for those that are usual
     */
    Certified certify(String data, VoteFile file, Optional<double[]> given) {
        VotingModel voting = file.model();
        boolean units = moves.given() || checkedUnits != null;
        double[] budgets = given.orElseGet(
                () -> units ? CertifyCommand.numbers(CertifyCommand.STANDARD_BUDGETS) : new double[] {0});
        boolean moved = Arrays.stream(budgets).anyMatch(q -> q > 0);
        Check.that(moved || !units && shift == null, "--shift and --units need --budgets above 0");
        Check.that(!moved || !voting.predictsNumbers(), "--budgets above 0 are for votes on classes, not on numbers");
        Optional<RowMove> move = !moved
                ? Optional.empty()
                : Optional.of(new RowMove(
                        MoveOptions.norm(shift == null ? STANDARD_SHIFT : shift),
                        0,
                        checkedUnits != null ? checkedUnits : moves.units("--budgets above 0", file)));
        int[] chosen = liars(voting.roster().size());
        LabelledVotes rows = LabelledVotes.of(data, file, true, Optional.empty());
        return new VoteCertificate(
                voting, rows.source(), move, VoteGrid.of(rows.voted(), rows.labels(), move, budgets), chosen);
    }

    private int[] liars(int groups) {
        int most = VoteGrid.largestLiars(groups);
        if (liars == null) {
            return IntStream.rangeClosed(0, most).toArray();
        }
        int[] chosen = Arrays.stream(liars.split(",", -1))
                .mapToInt(text -> {
                    double k = CertifyCommand.number("--liars", text);
                    Check.that(
                            k >= 0 && k <= most && k == Math.rint(k),
                            "--liars must be whole numbers from 0 to %d, because liars must be fewer than half of %d groups,"
                                    + " got %s",
                            most,
                            groups,
                            text.strip());
                    return (int) k;
                })
                .toArray();
        Check.that(
                Arrays.stream(chosen).distinct().count() == chosen.length,
                "--liars must be different numbers, got %s",
                liars);
        return chosen;
    }

    /** Returns how the certificate was asked for, apart from the units, which it holds itself. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("--liars", liars);
        settings.put("--shift", shift);
        return settings;
    }

    boolean given() {
        return liars != null || shift != null || moves.given();
    }

    /** Takes a setting of a certificate and returns whether it knows it. */
    boolean take(String option, String value) {
        switch (option) {
            case "--liars" -> liars = value;
            case "--shift" -> shift = value;
            default -> {
                return false;
            }
        }
        return true;
    }

    void takeUnits(Map<String, Double> units) {
        checkedUnits = units.isEmpty() ? null : units;
    }
}
