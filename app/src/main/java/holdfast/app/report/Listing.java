package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Catalogue;
import holdfast.theory.Robustness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A catalogue as text of 80 columns and as JSON.
 *
 * @param key in JSON
 * @param title one line
 */
public record Listing(String key, String title, List<Item> items) {
    private static final int COLUMNS = 80;
    private static final int WORKERS_COLUMN = 60;

    /**
     * One entry.
     *
     * @param workers how many workers it needs, as text; empty if that does not matter
     * @param robustness how far liars can move a rule; empty for what is no rule
     */
    public record Item(Catalogue.Entry entry, String workers, Optional<Robustness> robustness) {
        /** What is known about the rule, its number and its source. */
        private String bound() {
            return robustness
                    .map(r -> r.formula()
                            + (r.kappa().isPresent()
                                    ? String.format(
                                            Locale.ROOT, " [%.3g]", r.kappa().getAsDouble())
                                    : "")
                            + (r.source().isEmpty() ? "" : " (" + r.source() + ")"))
                    .orElse("");
        }

        /** The entry as users write it, with its default values. */
        String signature() {
            return entry.parameters().isEmpty()
                    ? entry.name()
                    : entry.parameters().entrySet().stream()
                            .map(p -> p.getKey().equals(p.getValue()) ? p.getKey() : p.getKey() + "=" + p.getValue())
                            .collect(Collectors.joining(", ", entry.name() + "(", ")"));
        }
    }

    public static Listing of(String key, String title, Catalogue<?> catalogue) {
        return new Listing(
                key,
                title,
                catalogue.entries().stream()
                        .map(e -> new Item(e, "", Optional.empty()))
                        .toList());
    }

    public static String text(List<Listing> listings) {
        StringBuilder out = new StringBuilder();
        for (Listing listing : listings) {
            out.append(out.isEmpty() ? "" : "\n");
            wrapped(listing.title, 0, COLUMNS).forEach(line -> out.append(line).append('\n'));
            for (Item item : listing.items) {
                List<String> lines = new ArrayList<>(wrapped(item.signature(), 2, WORKERS_COLUMN));
                int last = lines.size() - 1;
                lines.set(
                        last,
                        String.format("%-" + WORKERS_COLUMN + "s %s", lines.get(last), item.workers)
                                .stripTrailing());
                lines.addAll(wrapped(item.entry.meaning(), 6, COLUMNS));
                if (item.robustness.isPresent()) {
                    lines.addAll(wrapped(item.bound(), 6, COLUMNS));
                }
                lines.forEach(line -> out.append(line).append('\n'));
            }
        }
        return out.toString();
    }

    /** Wraps a text into lines of at most {@code columns}, if the words allow it. */
    private static List<String> wrapped(String text, int indent, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(" ".repeat(indent));
        for (String word : text.split(" ")) {
            if (line.length() > indent && line.length() + 1 + word.length() > columns) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent));
            }
            line.append(line.length() > indent ? " " : "").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    public static String json(List<Listing> listings) {
        ObjectNode root = JsonText.object();
        for (Listing listing : listings) {
            var all = root.putArray(listing.key);
            for (Item item : listing.items) {
                ObjectNode node = all.addObject();
                node.put("name", item.entry.name());
                node.put("meaning", item.entry.meaning());
                ObjectNode parameters = node.putObject("parameters");
                item.entry.parameters().forEach(parameters::put);
                if (!item.workers.isEmpty()) {
                    node.put("workers", item.workers);
                }
                item.robustness.ifPresent(r -> {
                    ObjectNode robustness = node.putObject("robustness");
                    robustness.put("formula", r.formula()).put("source", r.source());
                    r.kappa().ifPresent(kappa -> robustness.put("kappa", kappa));
                });
            }
        }
        return JsonText.print(root);
    }
}
