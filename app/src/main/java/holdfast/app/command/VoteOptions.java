package holdfast.app.command;

import holdfast.Check;
import holdfast.InputException;
import holdfast.app.report.JsonText;
import holdfast.app.report.VoteReport;
import holdfast.certificate.Roster;
import holdfast.certificate.VoteHoldOut;
import holdfast.certificate.VoteTraining;
import holdfast.certificate.VotingModel;
import holdfast.formats.DataFile;
import holdfast.formats.LabelledVotes;
import holdfast.formats.RosterFile;
import holdfast.formats.VoteFile;
import holdfast.formats.VoteTable;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.TrainingException;
import holdfast.training.Provenance;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import picocli.CommandLine.Option;

/** Options of {@code train} for groups of sources that vote. */
final class VoteOptions {
    @Option(
            names = "--vote",
            paramLabel = "K",
            description =
                    "deal the sources to K groups, which learn alone and vote; every prediction then says how many lying"
                            + " sources it stands; needs --classes")
    private Integer groups;

    @Option(
            names = "--roster",
            paramLabel = "FILE",
            description =
                    "all sources that there are, one per line, perhaps with ,GROUP from 1; without it, --vote takes those"
                            + " in the table, and a source that stays away moves others to other groups")
    private Path roster;

    boolean given() {
        Check.that(groups != null || roster == null, "--roster needs --vote K");
        return groups != null;
    }

    Path roster() {
        return roster;
    }

    /** Trains all groups, writes them and says what the vote is worth. */
    int train(List<String> data, Plan given, Path out, int threads, boolean json, boolean quiet) {
        Check.that(groups >= 2, "--vote must be at least 2, got %d", groups);
        Plan plan = DataFile.asRead(data, given);
        VoteTraining.requireSuits(plan);
        VoteTable table = VoteTable.of(data, plan);
        if (plan.get(PlanKey.CLASSES).open()) {
            throw new InputException(
                    "--vote needs --classes, the classes in a fixed order, because no source may add one"
                            + proposed(data, plan));
        }
        plan.target();
        Roster sources =
                roster == null ? Roster.deal(table.sources().keySet(), groups) : RosterFile.read(roster, groups);
        sources.requireHas(table.sources().keySet());
        VoteTraining.requireServes(plan, sources);
        VoteHoldOut heldOut = heldOut(table);
        if (!quiet) {
            DataFile.warnOfColumns(data, plan);
        }
        Warnings.show(false);
        VotingModel model;
        try (Progress progress = new Progress(quiet)) {
            AtomicInteger done = new AtomicInteger();
            model = train(
                    table,
                    sources,
                    heldOut,
                    threads,
                    g -> progress.show(done.incrementAndGet() / (double) groups, "group " + done.get() + "/" + groups));
        }
        if (out != null) {
            long rows =
                    model.groups().stream().mapToLong(VotingModel.Group::rows).sum();
            new VoteFile(model, plan, Provenance.of(table.source(), rows, plan.get(PlanKey.SEED))).write(out);
        }
        Optional<LabelledVotes> tested = table.heldOut(model, heldOut, Optional.empty());
        VoteReport report = new VoteReport(model, tested);
        System.out.print(json ? JsonText.print(report.json()) : report.text() + statement());
        if (out != null && !json) {
            System.out.println("votes written to " + out);
        }
        return ExitCode.OK;
    }

    /** Trains all groups of a roster. */
    static VotingModel train(VoteTable table, Roster sources, VoteHoldOut heldOut, int threads, IntConsumer done) {
        return VoteTraining.train(
                table.label(),
                table.plan().get(PlanKey.CLASSES).names(),
                sources,
                table.plan(),
                g -> table.training(sources.groups().get(g), heldOut),
                threads,
                done);
    }

    /** Returns the rows that a plan holds out. */
    static VoteHoldOut heldOut(VoteTable table) {
        return new VoteHoldOut(
                table.sources(),
                table.plan().get(PlanKey.TEST_SHARE),
                table.plan().seed());
    }

    private String statement() {
        return "certified for k lying sources: whatever k sources write into their rows, the prediction stays\n"
                + (roster == null
                        ? "without --roster this is not about sources that stay away or come under several names\n"
                        : "");
    }

    /** Returns the classes that the table has, as a hint; nothing if it cannot be read without them. */
    private static String proposed(List<String> data, Plan plan) {
        try {
            Warnings.show(false);
            List<String> classes = DataFile.read(data, plan).schema().classes();
            return "; the table has --classes " + (classes.isEmpty() ? "numbers" : String.join(",", classes));
        } catch (InputException | TrainingException e) {
            return "";
        }
    }
}
