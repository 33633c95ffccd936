package holdfast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Outputs of ByzFL (PyTorch, float64) for seven seeded inputs: what its aggregators, pre-aggregators and attacks made of
 * them. Names are ByzFL's, with the parameters used.
 *
 * @param f the number of liars the aggregators were set up for
 * @param x the vectors they combined
 * @param honest the vectors the attacks saw
 */
public record Golden(int f, double[][] x, double[][] honest, JsonNode outputs) {

    public static List<Golden> cases() {
        try (InputStream in = Golden.class.getResourceAsStream("byzfl-aggregators-attacks.json")) {
            List<Golden> cases = new ArrayList<>();
            for (JsonNode node : new ObjectMapper().readTree(in)) {
                cases.add(new Golden(node.get("f").asInt(), matrix(node.get("x")), matrix(node.get("honest")), node));
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of an aggregator; null if this case has none. */
    public double[] aggregate(String name) {
        JsonNode out = outputs.get("out").get(name);
        return out == null ? null : vector(out);
    }

    /** Of a pre-aggregator, one vector per input. */
    public double[][] mixed(String name) {
        return matrix(outputs.get("pre").get(name));
    }

    /** Of an attack: the one vector all liars send. */
    public double[] forged(String name) {
        return vector(outputs.get("attacks").get(name));
    }

    private static double[][] matrix(JsonNode rows) {
        double[][] out = new double[rows.size()][];
        for (int i = 0; i < out.length; i++) {
            out[i] = vector(rows.get(i));
        }
        return out;
    }

    private static double[] vector(JsonNode row) {
        double[] out = new double[row.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = row.get(i).asDouble();
        }
        return out;
    }
}
