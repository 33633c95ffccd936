package holdfast.plan;

import holdfast.Check;
import holdfast.InputException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** Loads {@link Plugin}s from jars. */
public final class Plugins {
    /** The jars that this process has loaded, by digest. */
    private static final Map<String, Loaded> LOADED = new ConcurrentHashMap<>();

    private Plugins() {}

    private record Loaded(Path file, URLClassLoader loader) {
        /** Whether the jar brings this class; Java loads a class that Holdfast has too from Holdfast. */
        boolean brings(String className) {
            String path = className.replace('.', '/') + ".class";
            return loader.findResource(path) != null && loader.getParent().getResource(path) == null;
        }
    }

    /**
     * Returns the catalogues with what the plugins of these jars add. The jars stay open as long as the process runs.
     *
     * @throws InputException for a file that is not a jar with a plugin, or a name that is taken
     */
    public static Catalogues load(List<Path> jars, Catalogues known) {
        Catalogues all = known;
        for (Path jar : jars) {
            all = load(jar, all);
        }
        return all;
    }

    private static Catalogues load(Path jar, Catalogues known) {
        Check.that(Files.isRegularFile(jar), "--plugins: %s is not a file", jar);
        URLClassLoader loader = new URLClassLoader(new URL[] {url(jar)}, Plugins.class.getClassLoader());
        Catalogues extended = known;
        List<String> classes = new ArrayList<>();
        try {
            for (Plugin plugin : ServiceLoader.load(Plugin.class, loader)) {
                if (plugin.getClass().getClassLoader() == loader) {
                    classes.add(plugin.getClass().getName());
                    extended = plugin.extend(extended);
                    Check.that(
                            extended != null,
                            "the plugin %s returned no catalogues",
                            plugin.getClass().getName());
                    Check.that(
                            extended.extendFrom(known),
                            "the plugin %s replaces or removes names that are known already",
                            plugin.getClass().getName());
                }
            }
        } catch (InputException e) {
            throw new InputException("--plugins: " + jar + ": " + e.getMessage());
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new InputException("--plugins: " + jar + ": a plugin cannot be loaded: " + e.getMessage());
        } catch (RuntimeException e) {
            throw new InputException("--plugins: " + jar + ": a plugin failed: " + e);
        }
        Check.that(
                !classes.isEmpty(),
                "--plugins: %s names no plugin in META-INF/services/%s",
                jar,
                Plugin.class.getName());
        PluginJar loaded = new PluginJar(jar.getFileName().toString(), sha256(jar), classes);
        LOADED.put(loaded.sha256(), new Loaded(jar, loader));
        return known.with(loaded, extended);
    }

    /** Returns where a jar that this process has loaded is, for engines that send it to other processes. */
    public static Optional<Path> file(PluginJar jar) {
        return Optional.ofNullable(LOADED.get(jar.sha256())).map(Loaded::file);
    }

    /**
     * Returns the catalogues with the plugins of jars that this process has loaded, or that are on the class path, as
     * on the executors of a cluster.
     *
     * @param jars as {@link #load} recorded them
     * @param loader finds those that were not loaded here
     * @throws InputException if a class is not there
     */
    public static Catalogues reload(List<PluginJar> jars, ClassLoader loader, Catalogues known) {
        Catalogues all = known;
        for (PluginJar jar : jars) {
            Catalogues extended = all;
            Loaded here = LOADED.get(jar.sha256());
            ClassLoader own = here == null ? loader : here.loader;
            for (String name : jar.classes()) {
                try {
                    extended = own.loadClass(name)
                            .asSubclass(Plugin.class)
                            .getDeclaredConstructor()
                            .newInstance()
                            .extend(extended);
                } catch (ReflectiveOperationException e) {
                    throw new InputException("the plugin " + name + " of " + jar.name() + " is not on the class path");
                }
            }
            all = all.with(jar, extended);
        }
        return all;
    }

    /**
     * Returns one line that names the plugin whose code threw this or one of its causes, and where; empty if no plugin
     * did. Knows the code by the names in the stack trace, so the exception may come from another process.
     */
    public static Optional<String> failure(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            for (StackTraceElement frame : cause.getStackTrace()) {
                for (Loaded plugin : LOADED.values()) {
                    if (plugin.brings(frame.getClassName())) {
                        return Optional.of(String.format(
                                "the plugin %s failed in %s: %s",
                                plugin.file.getFileName(),
                                frame,
                                cause.toString().lines().findFirst().orElse("")));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new InputException("--plugins: " + jar + " is not a file name");
        }
    }

    private static String sha256(Path jar) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
        } catch (IOException e) {
            throw new InputException("--plugins: " + jar + " cannot be read");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
