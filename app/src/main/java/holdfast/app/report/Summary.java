package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.certificate.OptimumGap;
import holdfast.data.Dataset;
import holdfast.data.UnusableSource;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.HeldOutFigures;
import holdfast.evaluation.Metric;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Threads;
import holdfast.model.LinearScores;
import holdfast.model.Models;
import holdfast.model.Target;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Threshold;
import holdfast.rounds.Ledger;
import holdfast.shift.Drift;
import holdfast.shift.Missing;
import holdfast.shift.Noise;
import holdfast.shift.Prior;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.sources.Finding;
import holdfast.sources.RunReview;
import holdfast.sources.SourceValue;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.Verdict;
import holdfast.training.Guarantee;
import holdfast.training.Prediction;
import holdfast.training.PreparedRun;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The result of a training run, as text and as JSON. */
public final class Summary {
    private static final List<Shift> WORST_CASES =
            List.of(new WorstCaseShift(Norm.L1, 0.3), new WorstCaseShift(Norm.L2, 0.3));
    private static final int MAX_NAMED = 12;
    private static final int MAX_EFFECTS = 10;

    private final long start = System.nanoTime();

    /**
     * Returns the evaluation of the trusted rows, or of all if none is trusted, as they are, in their worst cases and under
     * natural shifts.
     */
    static List<Evaluation> evaluations(TrainingRun run, HeldOutFigures figures, Dataset tested) {
        Dataset rows = figures.trustedRows().orElse(tested);
        return Stream.of(
                        Stream.of(figures.trusted().orElse(figures.all())),
                        worstCases(run, rows).stream(),
                        natural(run, rows).stream())
                .flatMap(evaluations -> evaluations)
                .toList();
    }

    /**
     * Returns the evaluations of rows moved to their worst cases: exact for models linear in their scores, else lower bounds
     * from a search, which would fill sparse rows.
     */
    static List<Evaluation> worstCases(TrainingRun run, Dataset rows) {
        boolean searched = !(run.model().model() instanceof LinearScores);
        return searched && rows.sparse() ? List.of() : under(WORST_CASES, run, rows);
    }

    /**
     * Returns the evaluations of rows to which something happens without intent. Noise would fill sparse rows, and only two
     * classes have a share to change.
     */
    static List<Evaluation> natural(TrainingRun run, Dataset rows) {
        List<Shift> shifts = new ArrayList<>(List.of(new Drift(0.2), new Missing(0.2)));
        if (!rows.sparse()) {
            shifts.add(0, new Noise(0.3));
        }
        boolean two = run.model().model().target() == Target.TWO_CLASSES;
        if (two
                && IntStream.range(0, rows.rows())
                                .mapToDouble(rows::label)
                                .distinct()
                                .count()
                        == 2) {
            shifts.add(new Prior(1, 0.5));
        }
        return under(shifts, run, rows);
    }

    private static List<Evaluation> under(List<Shift> shifts, TrainingRun run, Dataset rows) {
        Evaluation[] found = new Evaluation[shifts.size()];
        Threads.here().each(found.length, i -> found[i] = Evaluation.of(run.model(), rows, shifts.get(i)));
        return List.of(found);
    }

    static void line(StringBuilder out, String format, Object... args) {
        out.append(String.format(Locale.ROOT, format, args).stripTrailing()).append('\n');
    }

    /** @param gap how far the run is from the honest optimum, if that is known */
    public String text(RunReview review, PreparedRun prepared, Optional<Dataset> tested, Optional<OptimumGap> gap) {
        TrainingRun run = review.run();
        StringBuilder out = new StringBuilder();
        int m = prepared.allNames().size();
        int f = ResolvedPlan.rule(run.plan(), m).tolerated();
        String rule = run.plan().get(PlanKey.RULE).toString();
        int replicas = run.plan().get(PlanKey.REPLICAS);
        line(
                out,
                "data      %s, %d rows, %d features, %s: %s",
                prepared.source().name(),
                prepared.rows(),
                prepared.schema().features().size(),
                prepared.schema().label(),
                labels(prepared.schema().classes(), run.model().model().target()));
        line(out, "model     %s%s", run.model().kind(), otherwise(run));
        line(
                out,
                rule.startsWith("norm-screening") && replicas == 1
                        ? "workers   %d, %d screened in each round"
                        : "workers   %d, f = %d, %s",
                m,
                f,
                rule);
        if (review.tolerated().rises()) {
            line(out, "          %s", ChoiceText.raised(review.tolerated()));
        }
        for (UnusableSource source : run.unusable()) {
            line(out, "unusable  %s, counted as one of the liars: %s", source.name(), source.reason());
        }
        if (replicas > 1) {
            line(out, "replicas  %d: every row is computed %d times", replicas, replicas);
        }
        boolean validated = run.plan().get(PlanKey.VALIDATION) > 0;
        line(
                out,
                "training  %d rounds, %s; %.1f s",
                run.state().round(),
                !run.stopped()
                        ? "the maximum (--rounds)"
                        : validated
                                ? "stopped when the validation loss no longer fell"
                                : run.converged() ? "converged" : "stopped when the objective no longer fell",
                (System.nanoTime() - start) / 1e9);
        int early = run.plan()
                .get(PlanKey.EARLY_ROUNDS)
                .map(given -> Math.min(given, run.state().round()))
                .orElse(run.state().stage().rounds());
        if (early > 0) {
            line(out, "          %d of them in the first stage", early);
        }
        if (validated) {
            line(
                    out,
                    "          the model is that of round %d, the best on the workers' validation rows",
                    run.chosen());
        }
        line(
                out,
                "          objective %.4f, learning rate %.4g, seed %d",
                run.objective(),
                run.learningRate(),
                run.plan().get(PlanKey.SEED));
        out.append(ChoiceText.text(run, prepared));
        line(out, "guarantee %s", run.guarantee());
        gap.ifPresent(found -> line(out, "optimum   %s", GapText.of(found)));
        decisions(out, run);
        review.figures().ifPresent(found -> test(out, run, found, tested.orElseThrow()));
        if (tested.isEmpty() && run.plan().get(PlanKey.TEST_SHARE) > 0) {
            out.append("\nNothing was tested: --test-share of these rows is less than one row, or no source has two\n");
        }
        effects(out, run.model());
        out.append(LedgerText.of(review, prepared)).append(LedgerText.verdicts(review));
        return out.toString();
    }

    /** Says how probabilities and labels follow from scores, unless it is as the model was trained. */
    private static void decisions(StringBuilder out, TrainingRun run) {
        Threshold wanted = run.plan().get(PlanKey.THRESHOLD);
        if (!wanted.equals(Threshold.NONE)) {
            line(
                    out,
                    "decisions from probability %.4g, by --threshold %s%s",
                    run.model().threshold(),
                    wanted,
                    wanted.equals(Threshold.AUTO) ? ": the largest F1 on rows left out of training in turn" : "");
        }
        new ScoreWords(run.model())
                .calibration()
                .ifPresent(
                        words -> line(out, "%s %s", wanted.equals(Threshold.NONE) ? "decisions" : "         ", words));
    }

    /** Shows the largest effects with their intervals, if these were computed. */
    private static void effects(StringBuilder out, TrainedModel model) {
        if (model.errors().isEmpty()) {
            return;
        }
        CoefficientReport report = new CoefficientReport(model);
        List<CoefficientReport.Line> largest = report.largest(MAX_EFFECTS);
        line(out, "%nLargest effects on the score, of %s each", report.step());
        line(out, "%s:", CoefficientReport.origin(model.errors().get()));
        out.append(Scores.aligned(largest.stream()
                .map(l -> List.of(
                        "  " + Scores.printable(report.name(l)),
                        CoefficientReport.brief(l.effect()),
                        CoefficientReport.brief(l.effectInterval().orElseThrow())))
                .toList()));
    }

    private static void test(StringBuilder out, TrainingRun run, HeldOutFigures figures, Dataset tested) {
        List<Evaluation> evaluations = evaluations(run, figures, tested);
        boolean whole = run.plan().get(PlanKey.TEST_SHARE) == 0;
        out.append('\n')
                .append(
                        run.heldOut().isEmpty()
                                ? "On the test file"
                                : whole ? "On sources held out of training" : "On rows held out of training");
        int sources = figures.sources().size();
        int trusted = figures.trustedSources();
        line(
                out,
                sources == 0 || trusted == sources
                        ? ":"
                        : trusted == 0
                                ? ", all of sources that are named or unusable:"
                                : ", of the %d of %d sources that are neither named nor unusable:",
                trusted,
                sources);
        out.append(Scores.table(evaluations));
        out.append(Scores.headline(figures));
        out.append(Scores.detection(evaluations.get(0), run.model().schema()));
        others(out, run, figures);
        Target target = run.model().model().target();
        double guessing = Evaluation.guessing(figures.trustedRows().orElse(tested), target);
        // Who asks for a threshold accepts more errors for fewer of the kind that costs more.
        if (run.plan().get(PlanKey.THRESHOLD).equals(Threshold.NONE)
                && evaluations.get(0).headline() >= guessing) {
            line(
                    out,
                    target.isClass()
                            ? "No better than always guessing the most frequent class, which has error %.4f"
                            : "No better than always guessing the mean, which has %s %.4g",
                    target.isClass()
                            ? new Object[] {guessing}
                            : new Object[] {Metric.of(target).get(0), guessing});
        }
    }

    /** Shows the figures of sources that are no workers, and so not in the ledger. */
    private static void others(StringBuilder out, TrainingRun run, HeldOutFigures figures) {
        List<HeldOutFigures.SourceFigure> others = others(run, figures);
        others.stream()
                .limit(Scores.MAX_SOURCES)
                .forEach(figure -> out.append(Scores.sourceLine(figure)).append('\n'));
        if (others.size() > Scores.MAX_SOURCES) {
            line(out, "  ... and %d more sources; --json has them all", others.size() - Scores.MAX_SOURCES);
        }
    }

    /** Returns the figures of sources that are no workers. */
    static List<HeldOutFigures.SourceFigure> others(TrainingRun run, HeldOutFigures figures) {
        Set<String> workers = LedgerText.sources(run);
        return figures.sources().stream()
                .filter(figure -> !workers.contains(figure.source()))
                .toList();
    }

    static String labels(List<String> classes, Target target) {
        if (classes.isEmpty()) {
            return target.toString();
        }
        List<String> names = classes.stream()
                .limit(MAX_NAMED)
                .map(Scores::printable)
                .map(name -> name.contains(",") ? '"' + name + '"' : name)
                .toList();
        return classes.size() == 2
                ? String.join(" or ", names)
                : classes.size() + " classes, " + String.join(", ", names)
                        + (classes.size() > MAX_NAMED ? ", ..." : "");
    }

    /** Says what else whole-number labels could mean, if the user did not choose. */
    private static String otherwise(TrainingRun run) {
        boolean chosen = run.plan().get(PlanKey.MODEL).equals(Models.AUTO);
        boolean whole = run.model().schema().classes().stream().allMatch(name -> name.matches("[+-]?[0-9]+(\\.0*)?"));
        return chosen && whole && run.model().schema().classes().size() > 2
                ? ", which takes the numbers for classes; --model linear and --model poisson take them for numbers"
                : "";
    }

    /**
     * @param predicted what a theorem bounds for the run, if one applies
     * @param gap how far the run is from the honest optimum, if that is known
     */
    public String json(
            RunReview review,
            PreparedRun prepared,
            Optional<Dataset> tested,
            Optional<Prediction> predicted,
            Optional<OptimumGap> gap) {
        TrainingRun run = review.run();
        ObjectNode root = JsonText.object();
        root.put("data", prepared.source().name());
        root.put("sha256", prepared.source().sha256());
        root.put("rows", prepared.rows());
        root.put("features", prepared.schema().features().size());
        root.put("model", run.model().kind().toString());
        root.put("seed", run.plan().get(PlanKey.SEED));
        root.put("holdfast", run.provenance().version());
        root.put("rounds", run.state().round());
        root.put("replicas", run.plan().get(PlanKey.REPLICAS));
        root.put("converged", run.converged());
        root.put("chosen_round", run.chosen());
        JsonText.put(root, "objective", run.objective());
        root.put("learning_rate", run.learningRate());
        ChoiceText.json(root, run, prepared, review.tolerated());
        ObjectNode guarantee = root.putObject("guarantee");
        guarantee(guarantee, run.guarantee());
        predicted.ifPresent(found -> prediction(guarantee.putObject("prediction"), found));
        gap.ifPresent(found -> GapText.json(root, found));
        if (run.plan().hasTwoProbabilities(prepared.schema())) {
            root.put("threshold", run.model().threshold());
        }
        if (run.plan().hasProbabilities(prepared.schema())) {
            calibration(root.putObject("calibration"), run.model());
        }
        ArrayNode tests = root.putArray("evaluation");
        review.figures().ifPresent(figures -> {
            evaluations(run, figures, tested.orElseThrow())
                    .forEach(e -> tests.add(Scores.json(e, prepared.schema().classes())));
            root.set("held_out", Scores.json(figures, prepared.schema().classes()));
        });
        ArrayNode workers = root.putArray("ledger");
        for (int w = 0; w < run.ledger().size(); w++) {
            Ledger.Line l = run.ledger().get(w);
            ObjectNode node = workers.addObject();
            node.put("worker", l.worker());
            node.put("rows", LedgerText.rows(prepared, w));
            node.put("rounds", l.rounds());
            node.put("screened", l.screened());
            node.put("failed", l.failed());
            JsonText.put(node, "median_norm_ratio", l.medianNormRatio());
            if (w < review.verdicts().size()) {
                verdict(node, review.verdicts().get(w));
            }
            review.value(l.worker()).ifPresent(value -> value(node.putObject("value"), value));
        }
        ArrayNode unusable = root.putArray("unusable");
        for (UnusableSource source : run.unusable()) {
            unusable.addObject().put("source", source.name()).put("reason", source.reason());
        }
        if (!review.verdicts().isEmpty()) {
            ArrayNode named = root.putArray("named");
            review.verdicts().stream().filter(Verdict::named).forEach(v -> named.add(v.source()));
            ArrayNode suspects = root.putArray("suspects");
            review.verdicts().stream().filter(Verdict::suspect).forEach(v -> suspects.add(v.source()));
            root.put("level", SourceVerdicts.LEVEL);
            root.put("labels_compared", review.labelsNotCompared().isEmpty());
            review.labelsNotCompared().ifPresent(why -> root.put("labels_not_compared", why));
        }
        if (run.model().errors().isPresent()) {
            new CoefficientReport(run.model()).put(root.putObject("coefficients"));
        }
        ObjectNode plan = root.putObject("plan");
        run.plan().settings().forEach(plan::put);
        return JsonText.print(root);
    }

    /** Puts slope and intercept for two classes, slope and offsets for more, as in model.json. */
    private static void calibration(ObjectNode node, TrainedModel model) {
        int classes = model.schema().classes().size();
        node.put("slope", model.calibration().slope());
        if (classes == 2) {
            node.put("intercept", model.calibration().intercept());
        } else {
            ArrayNode offsets = node.putArray("offsets");
            Arrays.stream(model.calibration().offsets(classes)).forEach(offsets::add);
        }
    }

    private static void verdict(ObjectNode node, Verdict verdict) {
        JsonText.put(node, "agreement", verdict.agreement());
        ArrayNode findings = node.putArray("findings");
        for (Finding f : verdict.findings()) {
            ObjectNode found = findings.addObject();
            found.put("verdict", f.verdict());
            found.put("kind", f.kind().key());
            f.column().ifPresent(column -> found.put("column", column));
            found.put("words", f.words());
            JsonText.put(found, "p_value", f.pValue());
        }
    }

    private static void value(ObjectNode node, SourceValue value) {
        node.put("metric", value.metric().key());
        JsonText.put(node, "change_without", value.change());
        JsonText.put(node, "low", value.interval().low());
        JsonText.put(node, "high", value.interval().high());
    }

    private static void prediction(ObjectNode node, Prediction prediction) {
        node.put("theorem", prediction.theorem());
        node.put("quantity", prediction.quantity());
        JsonText.put(node, "bound", prediction.bound());
        JsonText.put(node, "floor", prediction.floor());
        JsonText.put(node, "measured", prediction.measured());
    }

    private static void guarantee(ObjectNode node, Guarantee guarantee) {
        node.put("holds", guarantee.holds());
        node.put("if_liars_at_most", guarantee.tolerated());
        guarantee.curvature().ifPresent(found -> {
            ObjectNode zz = node.putObject("l_zz");
            JsonText.put(zz, "bound", found.bound());
            JsonText.put(zz, "estimate", found.estimate());
            zz.put("estimated_at_rows", found.rows());
        });
        ArrayNode conditions = node.putArray("conditions");
        guarantee
                .conditions()
                .forEach(c -> conditions
                        .addObject()
                        .put("name", c.name())
                        .put("holds", c.holds())
                        .put("detail", c.detail()));
    }
}
