package holdfast.app;

import holdfast.InputException;
import holdfast.Version;
import holdfast.training.TrainingException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code holdfast}. */
@Command(
        name = "holdfast",
        description = "Trains models that hold fast when some of the workers lie and the data shift.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        footer = {
            "",
            "DATA is a CSV file (plain or gzip), builtin:spambase for the embedded data, or - for standard input.",
            "",
            "Exit codes: 0 done, 1 a bug in holdfast, 2 bad input, 3 no JDK or Maven, 4 training had to stop,",
            "5 rerun gave other weights, 130 interrupted."
        })
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        AtomicBoolean finished = new AtomicBoolean();
        Thread main = Thread.currentThread();
        // Ctrl-C interrupts the work, so that it ends between two rounds with its checkpoint written.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!finished.get()) {
                main.interrupt();
                try {
                    main.join(10_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }));
        int code = run(args);
        if (code != Exit.INTERRUPTED) {
            finished.set(true);
            System.exit(code);
        }
    }

    /** Runs a command and says how it ended; never throws. */
    static int run(String... args) {
        CommandLine root = new CommandLine(new Main())
                .addSubcommand("paper", new PaperCommand())
                .addSubcommand("train", TrainCommand.commandLine())
                .addSubcommand("evaluate", new EvaluateCommand())
                .addSubcommand("predict", new PredictCommand())
                .addSubcommand("rerun", new RerunCommand());
        root.getSubcommands().values().forEach(c -> c.getCommandSpec().versionProvider(new VersionText()));
        root.setUsageHelpWidth(110);
        root.setUsageHelpAutoWidth(false);
        root.setExecutionStrategy(parsed -> {
            if (!parsed.hasSubcommand() && !parsed.isUsageHelpRequested() && !parsed.isVersionHelpRequested()) {
                root.usage(System.out);
                return Exit.OK;
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        root.setParameterExceptionHandler((e, given) -> {
            System.err.println("holdfast: " + complaint(e));
            return Exit.BAD_INPUT;
        });
        root.setExecutionExceptionHandler((e, command, parsed) -> failed(e));
        int code = root.execute(args);
        System.out.flush();
        return code;
    }

    private static String complaint(CommandLine.ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return e.getMessage().lines().findFirst().orElse("");
        }
        CommandLine command = e.getCommandLine();
        String what = unmatched.isUnknownOption()
                ? "option"
                : command.getSubcommands().isEmpty() ? "argument" : "command";
        Stream<String> options = command.getCommandSpec().options().stream().map(o -> o.longestName());
        return "unknown " + what + " '" + unmatched.getUnmatched().get(0) + "'; known: "
                + Stream.concat(command.getSubcommands().keySet().stream(), options)
                        .collect(Collectors.joining(", "));
    }

    private static int failed(Exception e) {
        if (e instanceof InputException) {
            System.err.println("holdfast: " + e.getMessage());
            return Exit.BAD_INPUT;
        }
        if (e instanceof TrainingException) {
            System.err.println("holdfast: " + e.getMessage());
            return Exit.TRAINING_STOPPED;
        }
        if (e instanceof CancellationException || e instanceof InterruptedException) {
            System.err.println("holdfast: interrupted");
            return Exit.INTERRUPTED;
        }
        System.err.println("holdfast: this is a bug in holdfast:");
        e.printStackTrace();
        return Exit.BUG;
    }

    /** The version, and which Java the launcher chose. */
    static final class VersionText implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "holdfast " + Version.current(),
                "Java " + System.getProperty("java.version") + ", " + System.getProperty("java.home")
            };
        }
    }
}
