package holdfast.training.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.plan.Plan;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnginesTest {
    /** An engine as a jar brings it. */
    public static final class Provided implements Engine {
        @Override
        public String name() {
            return "provided";
        }

        @Override
        public String meaning() {
            return "nowhere";
        }

        @Override
        public Session open(String data, Plan plan, EngineSettings settings) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void enginesOfJarsAreFoundAfterTheProgramsOwn(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(Engine.class.getName()), Provided.class.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        assertThat(Engines.found().names()).isEmpty();
        try (URLClassLoader jars = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(jars);
            Engines found = Engines.found();
            assertThat(found.names()).containsExactly("provided");
            assertThat(found.named("provided")).containsSame(found.all().get(0));
            assertThat(found.named("local")).isEmpty();
            assertThatThrownBy(() -> Engines.found(new Provided()))
                    .isInstanceOf(InputException.class)
                    .hasMessage("there are two engines with the name 'provided'");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void settingsAreCopiedAndChecked() {
        Map<String, String> given = new HashMap<>(Map.of("master", "local[2]"));
        EngineSettings settings = new EngineSettings(given, 2);
        given.clear();
        assertThat(settings.option("master")).contains("local[2]");
        assertThat(settings.option("queue")).isEmpty();
        assertThatThrownBy(() -> new EngineSettings(Map.of(), 0))
                .isInstanceOf(InputException.class)
                .hasMessage("threads must be at least 1, got 0");
    }

    @Test
    void anOptionHasANameThatFitsACommandLine() {
        assertThat(new EngineOption("memory-limit", "GB", "how much").name()).isEqualTo("memory-limit");
        for (String wrong : List.of("", "--master", "Master", "a b", "a--b", "a=b")) {
            assertThatThrownBy(() -> new EngineOption(wrong, "X", "a thing")).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new EngineOption("master", "", "a thing")).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new EngineOption("master", "X", " ")).isInstanceOf(InputException.class);
    }
}
