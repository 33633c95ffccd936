package holdfast.training.engine;

import holdfast.Check;
import java.util.Map;
import java.util.Optional;

/**
 * What an engine is told besides the plan. None of it changes the result of a run, so none of it is part of the plan.
 *
 * @param options the values given for {@link Engine#options}, by name
 * @param threads how many threads this process may use
 */
public record EngineSettings(Map<String, String> options, int threads) {
    public EngineSettings {
        options = Map.copyOf(options);
        Check.that(threads >= 1, "threads must be at least 1, got %d", threads);
    }

    /** Returns the value given for an option; empty if the engine should choose. */
    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }
}
