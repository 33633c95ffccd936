package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration as a user starts it, and its page in a real browser. */
class DemoIT {
    @TempDir
    private Path folder;

    @Test
    void thePageShowsTheNamedSourcesFirstInABrowserWithoutANetwork() throws IOException, InterruptedException {
        Program program = new Program(folder);
        Program.Ended ended = program.shell("./holdfast demo");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("It names 3:", "for your browser: demo.html");
        String shown = program.browse(folder.resolve("demo.html"));
        assertThat(shown.split("<tr class=\"(suspect|differs|unusable|none)\">", -1))
                .hasSize(1 + 10);
        assertThat(shown).containsPattern("(?s)<tr class=\"suspect\">.*<tr class=\"differs\">.*<tr class=\"none\">");
        assertThat(shown.split("<svg class=\"strip\"", -1)).hasSize(1 + 10);
        assertThat(shown)
                .contains("<svg class=\"line\"", "<svg class=\"square\"")
                .doesNotContain("<script");
    }
}
