package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code certify --report} in a browser. */
class CertificatePageIT {
    private static final String READINGS = """
            (() => { const q = document.getElementById('q'); return %s.map(v => { q.value = v; q.dispatchEvent(new Event('input'));
              const at = {q: %s * v / 1000}; for (const d of document.querySelectorAll('dd')) at[d.id] = Number(d.textContent);
              return at; }); })()""";

    @TempDir
    private Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    /** Writes the page of a model of 12 clinics, with names that would be tags. */
    private Path page(String... more) throws IOException {
        Path data = Clinics.write(folder, 1, 0);
        Files.writeString(
                data,
                Files.readString(data).replaceFirst("weight", "<script>weight").replaceFirst("ill", "{{body}}"));
        run("train", data.toString(), "--label", "{{body}}", "--quiet", "--lambda", "4", "--out", path("model.json"));
        String page = path("certificate.html");
        List<String> command =
                List.of("certify", path("model.json"), data.toString(), "--report", page, "--budgets", "0,0.2,0.6");
        run(java.util.stream.Stream.concat(command.stream(), java.util.Arrays.stream(more))
                .toArray(String[]::new));
        return Path.of(page);
    }

    /** Wherever the slider is, it shows no less than what is certified there and no more than what is found there. */
    @Test
    void theSliderReadsTheCurvesAndIsNeverBelowTheBound() throws IOException, InterruptedException, TimeoutException {
        String browser = new Program(folder).browser();
        Path page = page();
        List<Integer> places = List.of(0, 1, 7, 100, 333, 334, 500, 617, 999, 1000);
        JsonNode shown;
        try (Browser open = new Browser(browser, folder.resolve("profile"), page)) {
            assertThat(open.value("document.querySelector('label').hidden").asBoolean())
                    .isFalse();
            assertThat(open.value("document.getElementById('v-q').textContent").asText())
                    .isEqualTo("0.2");
            JsonNode box = open.value("(() => { const b = document.getElementById('q').getBoundingClientRect();"
                    + " return {x: b.x, y: b.y, width: b.width, height: b.height}; })()");
            double y = box.get("y").asDouble() + box.get("height").asDouble() / 2;
            double width = box.get("width").asDouble();
            double left = box.get("x").asDouble();
            String before =
                    open.value("document.getElementById('v-loss').textContent").asText();
            open.drag(left + width / 3, y, left + 0.8 * width, y);
            double q = open.value("Number(document.getElementById('v-q').textContent)")
                    .asDouble();
            assertThat(q).isCloseTo(0.8 * 0.6, within(0.02));
            assertThat(open.value("Number(document.getElementById('v-loss').textContent)")
                            .asDouble())
                    .isGreaterThan(Double.parseDouble(before));
            shown = open.value(String.format(READINGS, places, "0.6"));
            assertThat(open.value("performance.getEntriesByType('resource').length")
                            .asInt())
                    .isZero();
        }
        String budgets = StreamSupport.stream(shown.spliterator(), false)
                .map(at -> at.get("q").asText())
                .collect(Collectors.joining(","));
        JsonNode exact = new ObjectMapper()
                .readTree(run("certify", path("model.json"), path("clinics1-0.csv"), "--json", "--budgets", budgets))
                .get("points");
        assertThat(shown).hasSameSizeAs(places);
        for (int i = 0; i < places.size(); i++) {
            JsonNode at = shown.get(i);
            JsonNode point = exact.get(i);
            double loss = point.get("loss_at_most").asDouble();
            double error = point.get("error_at_most").asDouble();
            assertThat(at.get("v-loss").asDouble()).isBetween(loss, loss + 2e-3);
            assertThat(at.get("v-found").asDouble())
                    .isBetween(
                            point.get("loss_found").asDouble() - 2e-3,
                            point.get("loss_found").asDouble());
            assertThat(at.get("v-error").asDouble()).isBetween(error, error + 2e-2);
            for (String norm : List.of("l1", "l2", "linf")) {
                double rate = point.get("error_" + norm).asDouble();
                assertThat(at.get("v-" + norm).asDouble()).isBetween(rate, rate + 5e-2);
            }
        }
    }

    @Test
    void withoutScriptThePageIsComplete() throws IOException, InterruptedException, TimeoutException {
        String browser = new Program(folder).browser();
        Path page = page();
        String html = Files.readString(page);
        assertThat(html)
                .doesNotContain("http:", "https:", "url(", "@import", "src=", "<script>weight")
                .contains("&lt;script&gt;weight", "<bdi>{{body}}</bdi>", "script-src 'sha256-");
        Files.writeString(page, html.replaceFirst("script-src 'sha256-[^']*'", "script-src 'none'"));
        try (Browser open = new Browser(browser, folder.resolve("profile"), page)) {
            assertThat(open.value("document.querySelector('label').hidden").asBoolean())
                    .isTrue();
            assertThat(open.value("document.querySelectorAll('svg.line path.a').length")
                            .asInt())
                    .isEqualTo(2);
            assertThat(open.value("document.getElementById('v-loss').textContent")
                            .asText())
                    .isEqualTo(open.value("document.querySelector('tbody tr:nth-child(2) td:nth-child(3)').textContent")
                            .asText());
            assertThat(open.value("document.querySelectorAll('h2').length").asInt())
                    .isEqualTo(5);
        }
    }
}
