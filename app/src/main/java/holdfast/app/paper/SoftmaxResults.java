package holdfast.app.paper;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.app.Statistic;
import java.util.Map;

/**
 * The table of softmax regression on Digits.
 *
 * @param seeds how many seeds each number is the mean of
 * @param shift that the second number of each cell is measured under
 * @param splits by split, attack and algorithm
 */
public record SoftmaxResults(
        int seeds, String dataHash, String shift, Map<String, Map<String, Map<String, Cell>>> splits) {

    /** Errors of one algorithm under one attack, on rows as they are and shifted. */
    public record Cell(Statistic plain, Statistic shifted) {}

    /** The standard error of a mean over the seeds. */
    double error(Statistic s) {
        return s.sd() / Math.sqrt(seeds);
    }

    /** {@code softmax[split][attack][algorithm]} of paper.json. */
    void put(ObjectNode root) {
        ObjectNode softmax = root.putObject("softmax");
        softmax.put("data", "builtin:digits");
        softmax.put("sha256", dataHash);
        softmax.put("seeds", seeds);
        softmax.put("shift", shift);
        splits.forEach((split, attacks) -> {
            ObjectNode table = softmax.putObject(split);
            attacks.forEach((attack, row) -> {
                ObjectNode cells = table.putObject(attack);
                row.forEach((algorithm, cell) -> {
                    ObjectNode node = cells.putObject(algorithm);
                    put(node.putObject("plain"), cell.plain);
                    put(node.putObject("shifted"), cell.shifted);
                });
            });
        });
    }

    private void put(ObjectNode node, Statistic s) {
        node.put("mean", s.mean()).put("se", error(s));
    }
}
