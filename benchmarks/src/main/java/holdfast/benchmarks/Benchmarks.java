package holdfast.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the named groups, or all of them, prints a table and writes JSON. */
public final class Benchmarks {
    private static final long BYTES = 200_000_000;

    private static final Logger LOG = Logger.getLogger("holdfast");

    private Benchmarks() {}

    private interface Group {
        Iterable<Measured> measure() throws IOException, InterruptedException;
    }

    private static Map<String, Group> groups() {
        Map<String, Group> groups = new LinkedHashMap<>();
        groups.put("gradients", () -> Gradients.measure(BYTES));
        groups.put("growth", Growth::measure);
        groups.put("aggregations", Aggregations::measure);
        groups.put("tables", () -> Tables.measure(BYTES / 4));
        groups.put("mapped", () -> Mapped.measure(Long.getLong("holdfast.bench.bytes", 4_000_000_000L)));
        groups.put("preparation", RawAttacks::measure);
        groups.put("sources", Sources::measure);
        groups.put("certificates", Certificates::measure);
        groups.put("stages", TwoStages::measure);
        groups.put("paper", Paper::measure);
        groups.put("train", TrainAgainstPython::measure);
        groups.put("networks", Networks::measure);
        groups.put("network-errors", NetworkErrors::measure);
        groups.put("rivals", () -> Rivals.measure(100_000, 100));
        groups.put("spark", () -> Spread.measure(Long.getLong("holdfast.bench.bytes", 2_000_000_000L)));
        return groups;
    }

    /** @param args the file for JSON, then the groups to run */
    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, Group> groups = groups();
        List<String> wanted = new ArrayList<>(List.of(args).subList(1, args.length));
        if (!groups.keySet().containsAll(wanted)) {
            System.err.println("holdfast-bench: the groups are " + String.join(", ", groups.keySet()));
            System.exit(2);
        }
        LOG.setLevel(Level.OFF); // Whether the theorems apply does not matter here.
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("java", System.getProperty("java.vm.version"));
        root.put("processors", Runtime.getRuntime().availableProcessors());
        for (Map.Entry<String, Group> group : groups.entrySet()) {
            if (wanted.isEmpty() || wanted.contains(group.getKey())) {
                System.out.println(group.getKey());
                ArrayNode lines = root.putArray(group.getKey());
                for (Measured m : group.getValue().measure()) {
                    System.out.printf(
                            Locale.ROOT,
                            "  %-64s %9.3f  %-8s %s%n",
                            m.what(),
                            m.value(),
                            m.goal(),
                            m.met() ? "" : "missed");
                    lines.addObject()
                            .put("what", m.what())
                            .put("value", Double.isFinite(m.value()) ? m.value() : null)
                            .put("goal", m.goal())
                            .put("met", m.met());
                }
            }
        }
        Files.writeString(
                Path.of(args[0]),
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    }
}
