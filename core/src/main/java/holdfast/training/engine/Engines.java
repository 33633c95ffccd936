package holdfast.training.engine;

import holdfast.Check;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The engines that a program can use.
 *
 * @param all each under a name of its own, the program's own first
 */
public record Engines(List<Engine> all) {
    public Engines {
        all = List.copyOf(all);
        Set<String> names = new HashSet<>();
        all.forEach(engine ->
                Check.that(names.add(engine.name()), "there are two engines with the name '%s'", engine.name()));
    }

    /** Returns the program's own engines and those that jars on the class path provide as services. */
    public static Engines found(Engine... own) {
        List<Engine> all = new ArrayList<>(List.of(own));
        ServiceLoader.load(Engine.class).forEach(all::add);
        return new Engines(all);
    }

    /** Returns the engine with a name; empty if there is none. */
    public Optional<Engine> named(String name) {
        return all.stream().filter(engine -> engine.name().equals(name)).findFirst();
    }

    public List<String> names() {
        return all.stream().map(Engine::name).toList();
    }
}
