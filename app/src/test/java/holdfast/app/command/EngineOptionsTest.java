package holdfast.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.plan.Plan;
import holdfast.training.engine.Engine;
import holdfast.training.engine.EngineOption;
import holdfast.training.engine.EngineSettings;
import holdfast.training.engine.Engines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class EngineOptionsTest {
    private final List<String> opened = new ArrayList<>();

    @Command(name = "train", sortOptions = false)
    private static final class NoCommand {}

    private Engine engine(String name, String... options) {
        return new Engine() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String meaning() {
                return "on 100% " + name;
            }

            @Override
            public List<EngineOption> options() {
                return List.of(options).stream()
                        .map(option -> new EngineOption(option, "X", "the " + option + " of " + name))
                        .toList();
            }

            @Override
            public Session open(String data, Plan plan, EngineSettings settings) {
                opened.add(name + " " + data + " " + settings);
                return null;
            }
        };
    }

    private void open(Engines engines, String... args) {
        EngineOptions options = new EngineOptions(engines);
        CommandLine line = new CommandLine(new NoCommand());
        options.addTo(line.getCommandSpec());
        options.open(line.parseArgs(args), List.of("rows.csv"), Plan.defaults(), 3);
    }

    @Test
    void anEngineIsChosenByItsNameAndGetsItsOwnOptions() {
        Engines engines =
                new Engines(List.of(engine("here"), engine("grid", "master", "queue"), engine("sea", "queue")));
        open(engines);
        open(engines, "--engine", "grid", "--queue", "night");
        open(engines, "--engine=sea", "--queue=low tide");
        assertThat(opened)
                .containsExactly(
                        "here rows.csv " + new EngineSettings(Map.of(), 3),
                        "grid rows.csv " + new EngineSettings(Map.of("queue", "night"), 3),
                        "sea rows.csv " + new EngineSettings(Map.of("queue", "low tide"), 3));
        assertThatThrownBy(() -> open(engines, "--queue", "night"))
                .isInstanceOf(InputException.class)
                .hasMessage("--queue is an option of --engine grid or sea, got --engine here");
        assertThatThrownBy(() -> open(engines, "--engine", "sea", "--master", "me"))
                .isInstanceOf(InputException.class)
                .hasMessage("--master is an option of --engine grid, got --engine sea");
    }

    @Test
    void theHelpShowsTheEnginesThatAreThere() {
        CommandLine line = new CommandLine(new NoCommand());
        new EngineOptions(new Engines(List.of(engine("here"), engine("grid", "queue")))).addTo(line.getCommandSpec());
        assertThat(line.setUsageHelpWidth(120).getUsageMessage())
                .contains("--engine=X")
                .contains("where the workers are: here (on 100% here), grid (on 100% grid) (default: here)")
                .containsPattern("--queue=X +the queue of grid")
                .doesNotContain("master");
    }
}
