package holdfast.app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs a command in this process, as a user would type it. */
final class Shell {
    private Shell() {}

    record Result(int code, String out, String err) {}

    static Result run(String... args) {
        return runWith("", args);
    }

    static Result runWith(String input, String... args) {
        return runWith(input.getBytes(StandardCharsets.UTF_8), args);
    }

    static synchronized Result runWith(byte[] input, String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        InputStream in = System.in;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        try {
            System.setIn(new ByteArrayInputStream(input));
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
            int code = Main.run(args);
            return new Result(
                    code, printed.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
            System.setIn(in);
        }
    }
}
