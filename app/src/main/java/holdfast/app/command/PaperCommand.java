package holdfast.app.command;

import holdfast.Check;
import holdfast.app.lab.paper.NetworkExperiment;
import holdfast.app.lab.paper.PaperExperiment;
import holdfast.app.report.ExperimentReport;
import holdfast.app.report.JsonText;
import holdfast.app.report.NetworkReport;
import holdfast.app.report.PaperReport;
import holdfast.data.Table;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.DoubleConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast paper}: reproduces Table I and Figures 1 to 4 of the paper. */
@Command(
        name = "paper",
        description =
                "Reproduces Table I and Figures 1 to 4 of the paper on the embedded Spambase, and repeats the comparison with ten classes.",
        mixinStandardHelpOptions = true)
final class PaperCommand implements Callable<Integer> {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "write paper.html and paper.json to this folder (default: paper.html alone, to the current folder)")
    private Path out;

    @Option(
            names = "--nonconvex",
            description =
                    "instead, the environments of Table I with a neural network on Spambase and Digits: nonconvex.html"
                            + " and, with --out, nonconvex.json; takes about a quarter of an hour on two cores")
    private boolean nonconvex;

    @Option(names = "--seeds", paramLabel = "N", description = "train with seeds 1 to N (default: 16)")
    private int seeds = 16;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the numbers do not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--quiet", description = "print no progress")
    private boolean quiet;

    @Override
    public Integer call() throws InterruptedException {
        Check.that(seeds >= 1, "--seeds must be at least 1, got %d", seeds);
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        String name = nonconvex ? "nonconvex" : "paper";
        Path page = (out == null ? Path.of("") : AtomicFile.folder(out)).resolve(name + ".html");
        AtomicFile.requireBeWritable(page);
        // theta starts far out, so Assumption 3 fails at first in every run, as the documentation says.
        Warnings.show(false);
        Table spambase = DataFile.read("builtin:spambase", Plan.defaults());
        Table digits = DataFile.read("builtin:digits", Plan.defaults());
        ExperimentReport report;
        try (Progress progress = new Progress(quiet)) {
            DoubleConsumer share = done ->
                    progress.show(done, "training " + seeds + (seeds == 1 ? " seed" : " seeds") + " on 2 splits");
            report = nonconvex
                    ? new NetworkReport(new NetworkExperiment(spambase, digits, seeds, threads).run(share))
                    : new PaperReport(new PaperExperiment(spambase, digits, seeds, threads).run(share));
        }
        System.out.print(report.text());
        AtomicFile.write(page, report.html());
        if (out != null) {
            AtomicFile.write(out.resolve(name + ".json"), JsonText.print(report.json()));
        }
        System.out.println("\nreport: " + page.toAbsolutePath().normalize());
        return ExitCode.OK;
    }
}
