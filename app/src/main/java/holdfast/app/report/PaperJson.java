package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Version;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.paper.AmbiguityResults;
import holdfast.app.lab.paper.AscentPrecision;
import holdfast.app.lab.paper.Claims;
import holdfast.app.lab.paper.Figure;
import holdfast.app.lab.paper.PaperResults;
import holdfast.app.lab.paper.PaperResults.SplitResults;
import holdfast.app.lab.paper.SoftmaxResults;

/**
 * paper.json: {@code table1[environment][algorithm]}, {@code figure1} to {@code figure4}, {@code precision} and
 * {@code claims}, the same with {@code _iid}; {@code difference} to the paper's table, also of the cells that collapse;
 * {@code softmax[split][attack][algorithm]} and {@code ambiguity[split][rule][objective]}.
 */
final class PaperJson {
    private PaperJson() {}

    static ObjectNode of(PaperResults results) {
        ObjectNode root = JsonText.object();
        root.put("holdfast", Version.current());
        root.put("data", "builtin:spambase");
        root.put("sha256", results.dataHash());
        root.put("seeds", results.seeds());
        put(root, results.classSorted(), "");
        put(root, results.iid(), "_iid");
        root.put("difference", results.difference(false));
        root.put("difference_collapsed", results.difference(true));
        put(root.putObject("softmax"), results.softmax());
        put(root.putObject("ambiguity"), results.ambiguity());
        results.splits().forEach((name, split) -> {
            ArrayNode claims = root.putArray(name.equals(PaperResults.IID) ? "claims_iid" : "claims");
            Claims.check(split)
                    .forEach(c -> claims.addObject()
                            .put("says", c.says())
                            .put("criterion", c.criterion())
                            .put("holds", c.holds())
                            .put("numbers", c.numbers()));
        });
        return root;
    }

    private static void put(ObjectNode root, SplitResults split, String suffix) {
        ObjectNode table = root.putObject("table1" + suffix);
        split.table().forEach((environment, row) -> {
            ObjectNode cells = table.putObject(environment);
            row.forEach((algorithm, value) ->
                    cells.putObject(algorithm).put("mean", value.mean()).put("sd", value.sd()));
        });
        put(root.putObject("precision" + suffix), split.precision());
        for (int f = 0; f < split.figures().size(); f++) {
            put(root.putObject("figure" + (f + 1) + suffix), split.figures().get(f));
        }
    }

    /** Puts what paper.js draws. */
    static void put(ObjectNode node, Figure figure) {
        node.put("title", figure.title());
        node.put("axis", figure.axis());
        ArrayNode x = node.putArray("x");
        figure.x().forEach(x::add);
        ArrayNode all = node.putArray("series");
        figure.series().forEach((name, values) -> {
            ObjectNode series = all.addObject().put("name", name);
            ArrayNode mean = series.putArray("mean");
            ArrayNode sd = series.putArray("sd");
            values.forEach(v -> {
                mean.add(v.mean());
                sd.add(v.sd());
            });
        });
    }

    private static void put(ObjectNode node, AscentPrecision precision) {
        node.put("l_zz", precision.zz());
        node.put("d_z", precision.distance());
        node.put("after_ten", precision.afterTen());
        ArrayNode levels = node.putArray("levels");
        precision
                .levels()
                .forEach(l -> levels.addObject()
                        .put("precision", l.epsilon())
                        .put("steps", l.steps())
                        .put("bound", l.bound())
                        .put("fast_steps", l.fastSteps())
                        .put("fast_bound", l.fastBound()));
    }

    private static void put(ObjectNode node, SoftmaxResults softmax) {
        node.put("data", "builtin:digits");
        node.put("sha256", softmax.dataHash());
        node.put("seeds", softmax.seeds());
        node.put("shift", softmax.shift());
        softmax.splits().forEach((split, attacks) -> {
            ObjectNode table = node.putObject(split);
            attacks.forEach((attack, row) -> {
                ObjectNode cells = table.putObject(attack);
                row.forEach((algorithm, cell) -> {
                    ObjectNode both = cells.putObject(algorithm);
                    put(both.putObject("plain"), softmax, cell.plain());
                    put(both.putObject("shifted"), softmax, cell.shifted());
                });
            });
        });
    }

    private static void put(ObjectNode node, AmbiguityResults ambiguity) {
        node.put("seeds", ambiguity.seeds());
        ambiguity.splits().forEach((split, rules) -> {
            ObjectNode table = node.putObject(split);
            rules.forEach((rule, row) -> {
                ObjectNode objectives = table.putObject(rule);
                row.forEach((objective, cell) -> {
                    ObjectNode numbers = objectives.putObject(objective);
                    cell.errors().forEach((environment, s) -> put(numbers, environment, s));
                    put(numbers, "worst_tenth", cell.worstTenth());
                    put(numbers, "worst_class", cell.worstClass());
                });
            });
        });
    }

    static void put(ObjectNode node, String name, Statistic s) {
        node.putObject(name).put("mean", s.mean()).put("sd", s.sd());
    }

    private static void put(ObjectNode node, SoftmaxResults softmax, Statistic s) {
        node.put("mean", s.mean()).put("se", softmax.error(s));
    }
}
