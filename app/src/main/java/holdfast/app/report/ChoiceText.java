package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.model.LinearScores;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.sources.ToleratedChoice;
import holdfast.training.PreparedRun;
import holdfast.training.PriceChoice;
import holdfast.training.RadiusResult;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the rows decided where the plan left it to them: the price, the penalty, the number of liars. */
final class ChoiceText {
    private static final int MAX_NAMED = 12;

    private ChoiceText() {}

    /** Returns why more liars are tolerated than usual; empty if they are not. */
    static String raised(ToleratedChoice choice) {
        if (!choice.rises()) {
            return "";
        }
        List<String> names = choice.standOut();
        List<String> reasons = new ArrayList<>();
        if (choice.unusable() > 0) {
            reasons.add(choice.unusable() + " of the sources cannot be used");
        }
        if (!names.isEmpty()) {
            reasons.add(names.size()
                    + (reasons.isEmpty() ? " of the sources" : "")
                    + (names.size() == 1 ? " stands out: " : " stand out: ")
                    + names.stream().limit(MAX_NAMED).map(Scores::printable).collect(Collectors.joining(", "))
                    + (names.size() > MAX_NAMED ? ", ..." : ""));
        }
        return String.format(
                Locale.ROOT,
                "--tolerated auto is %d instead of %d, because %s",
                choice.chosen(),
                choice.usual(),
                String.join(" and ", reasons));
    }

    /** Returns the lines of the summary. */
    static String text(TrainingRun run, PreparedRun prepared) {
        LossUnit unit = LossUnit.of(run.model());
        StringBuilder out = new StringBuilder();
        penalty(run, prepared).ifPresent(said -> Summary.line(out, "penalty   %s", said));
        prepared.price().ifPresent(choice -> {
            Summary.line(out, "price     %s", price(choice, run));
            List<List<String>> lines = new ArrayList<>();
            lines.add(List.of(
                    "            left out in turn",
                    choice.metric().toString(),
                    PriceChoice.shift().name(),
                    "plain loss"));
            shown(choice)
                    .forEach(trial -> lines.add(List.of(
                            "            " + name(trial.price()),
                            Scores.number(trial.figure()),
                            Scores.number(trial.shifted()),
                            Scores.number(unit.of(trial.loss())))));
            out.append(Scores.aligned(lines));
        });
        run.radius().ifPresent(found -> {
            String[] words = radius(found, prepared, unit);
            Summary.line(out, "radius    %s", words[0]);
            Summary.line(out, "          %s", words[1]);
        });
        if (showsLosses(run, prepared) && !unit.words().isEmpty()) {
            Summary.line(out, "          %s", unit.words());
        }
        return out.toString();
    }

    private static boolean showsLosses(TrainingRun run, PreparedRun prepared) {
        return run.radius().isPresent() || prepared.price().isPresent();
    }

    /** Says which price training for a radius found, and what it says about the training rows. */
    private static String[] radius(RadiusResult found, PreparedRun prepared, LossUnit unit) {
        return new String[] {
            String.format(
                    Locale.ROOT,
                    "rho %s: lambda %.4g, where the worst moves cost %.4g in the mean",
                    Spec.print(found.rho()),
                    found.lambda(),
                    found.cost()),
            String.format(
                    Locale.ROOT,
                    "mean loss of training rows %.4f, robust loss at rho %.4f, as workers report (%s)",
                    unit.of(found.loss()),
                    unit.of(found.robust()),
                    prepared.plan().model(prepared.schema()) instanceof LinearScores
                            ? "certify bounds it"
                            : "by worst cases that were searched: no bound")
        };
    }

    /** Returns the same for a page. */
    static String html(TrainingRun run, PreparedRun prepared) {
        LossUnit unit = LossUnit.of(run.model());
        StringBuilder out = new StringBuilder();
        run.radius()
                .ifPresent(found -> out.append("<h2>Trained for a radius</h2>\n<p>")
                        .append(Page.escaped(String.join("; ", radius(found, prepared, unit))))
                        .append(".</p>\n"));
        prepared.price().ifPresent(choice -> {
            out.append("<h2>What robustness costs and buys</h2>\n<p>Price ")
                    .append(Page.escaped(price(choice, run)))
                    .append(".</p>\n<table><thead><tr><th>Training</th><th class=\"number\">")
                    .append(choice.metric())
                    .append("</th><th class=\"number\">after shift ")
                    .append(PriceChoice.shift().name())
                    .append("</th><th class=\"number\">plain loss</th></tr></thead><tbody>\n");
            choice.trials()
                    .forEach(trial -> out.append(String.format(
                            Locale.ROOT,
                            "<tr><th scope=\"row\">%s%s</th><td class=\"number\">%s</td><td class=\"number\">%s</td><td"
                                    + " class=\"number\">%s</td></tr>%n",
                            name(trial.price()),
                            trial.price().equals(choice.price()) ? ", chosen" : "",
                            Scores.number(trial.figure()),
                            Scores.number(trial.shifted()),
                            Scores.number(unit.of(trial.loss())))));
            out.append("</tbody></table>\n");
        });
        if (showsLosses(run, prepared) && !unit.words().isEmpty()) {
            out.append("<p>").append(Page.escaped(unit.words())).append("</p>\n");
        }
        penalty(run, prepared)
                .ifPresent(said ->
                        out.append("<p>Penalty ").append(Page.escaped(said)).append(".</p>\n"));
        return out.toString();
    }

    static void json(ObjectNode root, TrainingRun run, PreparedRun prepared, ToleratedChoice tolerated) {
        LossUnit unit = LossUnit.of(run.model());
        root.put("lambda", prepared.plan().lambda().orElse(null));
        root.put("l2", prepared.plan().l2());
        run.radius().ifPresent(found -> {
            ObjectNode node = root.putObject("radius");
            node.put("rho", found.rho());
            JsonText.put(node, "lambda", found.lambda());
            JsonText.put(node, "cost", found.cost());
            JsonText.put(node, "robust_loss", unit.of(found.robust()));
            JsonText.put(node, "loss", unit.of(found.loss()));
        });
        if (showsLosses(run, prepared)) {
            unit.put(root);
        }
        ObjectNode liars = root.putObject("tolerated");
        liars.put("chosen", tolerated.chosen());
        liars.put("usual", tolerated.usual());
        prepared.price().ifPresent(choice -> {
            ObjectNode node = root.putObject("price");
            node.put("metric", choice.metric().key());
            node.put("shift", PriceChoice.shift().name());
            ArrayNode trials = node.putArray("trials");
            choice.trials().forEach(trial -> {
                ObjectNode line = trials.addObject();
                line.put("lambda", trial.price().lambda().orElse(null));
                JsonText.put(line, "loss", unit.of(trial.loss()));
                JsonText.put(line, "excess", unit.of(trial.excess()));
                JsonText.put(line, "standard_error", unit.of(trial.standardError()));
                JsonText.put(line, "figure", trial.figure());
                JsonText.put(line, "shifted", trial.shifted());
            });
        });
    }

    /** Returns plain training and the price that was chosen. */
    private static List<PriceChoice.Trial> shown(PriceChoice choice) {
        return choice.price().equals(Price.NONE) ? List.of(choice.plain()) : List.of(choice.plain(), choice.chosen());
    }

    private static String price(PriceChoice choice, TrainingRun run) {
        return choice.price().equals(Price.NONE)
                ? "none, by --lambda auto: every price tried costs more than 1 % of the plain loss or one standard error"
                        + (run.plan().get(PlanKey.LABEL_PRICE).isPresent()
                                ? "; labels stay, because lambda is none"
                                : "")
                : name(choice.price())
                        + ", by --lambda auto: the smallest that costs at most 1 % of the plain loss and one standard error";
    }

    private static String name(Price price) {
        return price.lambda().isEmpty() ? "plain" : "lambda " + price;
    }

    private static Optional<String> penalty(TrainingRun run, PreparedRun prepared) {
        return run.plan().get(PlanKey.L2).isEmpty() && prepared.plan().l2() > 0
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%.3g, by --l2 auto: there are fewer than ten training rows for each weight%s",
                        prepared.plan().l2(),
                        run.plan().bySource() ? ", counting each source with the rows of the median one" : ""))
                : Optional.empty();
    }
}
