package holdfast.app;

import holdfast.InputException;
import holdfast.Version;
import holdfast.app.command.Commands;
import holdfast.app.command.ExitCode;
import holdfast.app.command.InterruptibleWork;
import holdfast.app.command.Warnings;
import holdfast.math.Kernels;
import holdfast.plan.Plugins;
import holdfast.rounds.TrainingException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program {@code holdfast}: runs a command, prints what went wrong in one line, and sets the exit code. */
@Command(
        name = "holdfast",
        description = "Trains models that hold fast when some of the workers lie and the data shift.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        footer = {
            "",
            "DATA is a CSV or LIBSVM file (plain or gzip), an .hfd file, builtin:spambase or builtin:digits, or - for standard input;",
            "for train, rerun and convert also several CSV files or a folder of them, each one worker.",
            "",
            "Exit codes: 0 done, 1 a bug in holdfast, 2 bad input, 3 no JDK or Maven, 4 stopped (training diverged, a plugin failed, or out of memory),",
            "5 rerun gave other weights, 130 interrupted."
        })
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        AtomicBoolean stopping = new AtomicBoolean();
        Thread main = Thread.currentThread();
        // Ctrl-C ends training between two rounds, and the checkpoint is still written.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopping.set(true);
            if (InterruptibleWork.underWay()) {
                main.interrupt();
                try {
                    main.join(10_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }));
        int code = run(args);
        InterruptibleWork.end();
        if (!stopping.get()) {
            System.exit(code);
        }
    }

    /** Runs a command and returns its exit code; never throws. */
    static int run(String... args) {
        CommandLine root = new CommandLine(new Main());
        Commands.addTo(root, args);
        root.getSubcommands().values().forEach(c -> c.getCommandSpec().versionProvider(new VersionText()));
        root.setUsageHelpWidth(Math.max(60, Math.min(110, Integer.getInteger("holdfast.columns", 100))));
        root.setUsageHelpAutoWidth(false);
        root.setExecutionStrategy(parsed -> {
            if (!parsed.hasSubcommand() && !parsed.isUsageHelpRequested() && !parsed.isVersionHelpRequested()) {
                root.usage(System.out);
                return ExitCode.OK;
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        root.setParameterExceptionHandler((e, given) -> {
            System.err.println("holdfast: " + complaint(e));
            return ExitCode.BAD_INPUT;
        });
        root.setExecutionExceptionHandler((e, command, parsed) -> failed(e));
        try {
            if (System.getProperty("holdfast.kernels") != null) {
                // Chosen now: if several threads needed them first, only one of them would get the message.
                Kernels.CHOSEN.name();
            }
            int code = root.execute(args);
            return code == ExitCode.OK && System.out.checkError() ? notPrinted() : code;
        } catch (OutOfMemoryError e) {
            System.err.println("holdfast: out of memory; to give it more, set HOLDFAST_JAVA_OPTS=-Xmx8g, for instance");
            return ExitCode.STOPPED;
        } catch (ExceptionInInitializerError e) {
            // A wrong choice that is made once at start, such as holdfast.kernels, is thrown from a static initialiser.
            return failed(e.getCause() instanceof InputException wrong ? wrong : e);
        } catch (LinkageError e) {
            // A plugin that was compiled for another version of Holdfast.
            return failed(e);
        }
    }

    /** Tells a full disk, which is an error, from a reader that stopped reading, as {@code | head} does. */
    private static int notPrinted() {
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write('\n');
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("Broken pipe")) {
                return ExitCode.OK;
            }
            System.err.println("holdfast: standard output cannot be written: " + e.getMessage());
        }
        return ExitCode.BAD_INPUT;
    }

    private static String complaint(CommandLine.ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return e.getMessage().lines().findFirst().orElse("");
        }
        CommandLine command = e.getCommandLine();
        String what = unmatched.isUnknownOption()
                ? "option"
                : command.getSubcommands().isEmpty() ? "argument" : "command";
        Stream<String> options = command.getCommandSpec().options().stream()
                .filter(o -> !o.hidden())
                .map(o -> o.longestName());
        return "unknown " + what + " '" + unmatched.getUnmatched().get(0) + "'; known: "
                + Stream.concat(command.getSubcommands().keySet().stream(), options)
                        .collect(Collectors.joining(", "));
    }

    private static int failed(Throwable e) {
        if (e instanceof InputException) {
            System.err.println("holdfast: " + Warnings.printable(e.getMessage()));
            return ExitCode.BAD_INPUT;
        }
        if (e instanceof CancellationException || e instanceof InterruptedException) {
            System.err.println("holdfast: interrupted");
            return ExitCode.INTERRUPTED;
        }
        Optional<String> stopped = Plugins.failure(e)
                .or(() -> Optional.of(e)
                        .filter(TrainingException.class::isInstance)
                        .map(Throwable::getMessage));
        if (stopped.isPresent()) {
            System.err.println("holdfast: " + Warnings.printable(stopped.get()));
            return ExitCode.STOPPED;
        }
        System.err.println("holdfast: this is a bug in holdfast:");
        e.printStackTrace();
        return ExitCode.BUG;
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
