package holdfast.app.command;

import holdfast.Check;
import holdfast.Seed;
import holdfast.app.lab.demo.Demo;
import holdfast.app.lab.demo.PoisonedOffices;
import holdfast.app.report.DemoReport;
import holdfast.formats.AtomicFile;
import holdfast.formats.DataFile;
import holdfast.formats.ShellArgument;
import holdfast.plan.Plan;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast demo}: shows in seconds what Holdfast does about sources that hand in bad rows. */
@Command(
        name = "demo",
        description = "Poisons three of ten sources of the embedded Spambase, names them, and compares the models.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "write the page to this file (default: demo.html in the current folder)")
    private Path report = Path.of("demo.html");

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description = "also write the ten sources' rows to this file, as a table to train on")
    private Path data;

    @Option(names = "--seed", paramLabel = "N", description = "deal and poison the rows otherwise (default: 1)")
    private long seed = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the numbers do not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        Check.that(threads >= 1, "--threads must be at least 1, got %d", threads);
        OutputFile.requireWritable("--report", report, data);
        OutputFile.requireWritable("--data", data, report);
        Warnings.show(false);
        PoisonedOffices offices = PoisonedOffices.of(
                DataFile.read("builtin:spambase", Plan.defaults()).cells(),
                Seed.of(seed).child("demo"));
        if (data != null) {
            AtomicFile.write(data, offices.csv());
        }
        System.out.print(DemoReport.introduction(offices));
        DemoReport demo = new DemoReport(new Demo(offices, threads).run());
        AtomicFile.write(report, demo.html(command()));
        System.out.print(demo.text(report));
        return ExitCode.OK;
    }

    /** Returns the command that trains as the demonstration does. */
    private String command() {
        String table = data == null ? "offices.csv" : ShellArgument.of(data.toString());
        return (data == null ? "./holdfast demo --seed " + seed + " --data " + table + " && " : "")
                + "./holdfast train " + table + " --workers-by " + PoisonedOffices.COLUMN;
    }
}
