package holdfast.formats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.UnusableSource;
import holdfast.rounds.Ledger;
import holdfast.sources.Finding;
import holdfast.sources.RunReview;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.Verdict;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * summary.json: how a training went and what is said about its sources. Numbers are written so that they read back to
 * the same bits.
 *
 * @param rounds the number of rounds
 * @param converged whether training ended before its maximum number of rounds because the objective had converged
 * @param objectiveHistory the objective in every round, or in every tenth if the learning rate was given: the mean of
 *     the losses that workers reported, after dropping as many of the largest and as many of the smallest as there may
 *     be liars
 * @param objective its value for the final model
 * @param learningRate the step size used; of the last round, unless it was given
 * @param ledger what happened to each worker; being screened is no accusation, because some honest worker nearly always
 *     is
 * @param verdicts what is said about each source, if workers are sources and there are at least four; otherwise empty
 * @param unusable sources whose rows could not be used
 * @param guarantee what the convergence theorems say about this run
 */
public record SummaryFile(
        int rounds,
        boolean converged,
        double[] objectiveHistory,
        double objective,
        double learningRate,
        List<Ledger.Line> ledger,
        List<Verdict> verdicts,
        List<UnusableSource> unusable,
        String guarantee) {
    private static final String FORMAT = "holdfast-summary";
    private static final int VERSION = 1;

    public SummaryFile {
        objectiveHistory = objectiveHistory.clone();
        ledger = List.copyOf(ledger);
        verdicts = List.copyOf(verdicts);
        unusable = List.copyOf(unusable);
    }

    public static SummaryFile of(RunReview review, double[] objectiveHistory) {
        TrainingRun run = review.run();
        return new SummaryFile(
                run.state().round(),
                run.converged(),
                objectiveHistory,
                run.objective(),
                run.learningRate(),
                run.ledger(),
                review.verdicts(),
                run.unusable(),
                run.guarantee().toString());
    }

    /** Returns a copy. */
    @Override
    public double[] objectiveHistory() {
        return objectiveHistory.clone();
    }

    /** Returns the summary as JSON. */
    public String print() {
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("version", VERSION);
        root.put("rounds", rounds);
        root.put("converged", converged);
        Json.put(root, "objective", objective);
        Json.put(root, "objective_history", objectiveHistory);
        Json.put(root, "learning_rate", learningRate);
        root.put("guarantee", guarantee);
        ArrayNode lines = root.putArray("ledger");
        for (Ledger.Line line : ledger) {
            ObjectNode node = lines.addObject();
            node.put("worker", line.worker());
            node.put("rounds", line.rounds());
            node.put("screened", line.screened());
            node.put("failed", line.failed());
            Json.put(node, "median_norm_ratio", line.medianNormRatio());
        }
        ArrayNode sources = root.putArray("verdicts");
        for (Verdict verdict : verdicts) {
            ObjectNode node = sources.addObject();
            node.put("source", verdict.source());
            Json.put(node, "agreement", verdict.agreement());
            Json.put(node, "agreement_z", verdict.z());
            ArrayNode findings = node.putArray("findings");
            verdict.findings().forEach(finding -> put(findings.addObject(), finding));
        }
        ArrayNode others = root.putArray("unusable");
        for (UnusableSource source : unusable) {
            others.addObject().put("source", source.name()).put("reason", source.reason());
        }
        return Json.print(root);
    }

    private static void put(ObjectNode node, Finding finding) {
        node.put("index", finding.source());
        node.put("kind", finding.kind().key());
        finding.column().ifPresent(column -> node.put("column", column));
        node.put("words", finding.words());
        Json.put(node, "p_value", finding.pValue());
    }

    /**
     * Reads a summary from text.
     *
     * @param name the name of the text in error messages
     * @throws InputException if it is not a summary
     */
    public static SummaryFile parse(String name, String text) {
        Json root = Json.parse(name, text);
        Check.that(root.node().path("format").asText().equals(FORMAT), "%s: is not a holdfast summary", name);
        int version = root.integer("version");
        Check.that(
                version == VERSION,
                "%s: summary version must be %d, got %d; it was written by a newer holdfast",
                name,
                VERSION,
                version);
        return new SummaryFile(
                root.integer("rounds"),
                root.bool("converged"),
                root.numbers("objective_history"),
                root.number("objective"),
                root.number("learning_rate"),
                root.objects("ledger").stream()
                        .map(line -> new Ledger.Line(
                                line.text("worker"),
                                line.integer("rounds"),
                                line.integer("screened"),
                                line.integer("failed"),
                                line.number("median_norm_ratio")))
                        .toList(),
                root.objects("verdicts").stream()
                        .map(verdict -> new Verdict(
                                verdict.text("source"),
                                verdict.objects("findings").stream()
                                        .map(SummaryFile::finding)
                                        .toList(),
                                verdict.number("agreement"),
                                verdict.node().has("agreement_z") ? verdict.number("agreement_z") : Double.NaN))
                        .toList(),
                root.objects("unusable").stream()
                        .map(source -> new UnusableSource(source.text("source"), source.text("reason")))
                        .toList(),
                root.text("guarantee"));
    }

    private static Finding finding(Json json) {
        String kind = json.text("kind");
        return new Finding(
                json.integer("index"),
                Arrays.stream(Finding.Kind.values())
                        .filter(known -> known.key().equals(kind))
                        .findFirst()
                        .orElseThrow(
                                () -> new InputException(json.file() + ": unknown kind of finding '" + kind + "'")),
                json.node().has("column") ? Optional.of(json.text("column")) : Optional.empty(),
                json.text("words"),
                json.number("p_value"));
    }

    /**
     * Prints everything but the history: a line for the run, one per worker, one per finding against a source, and the
     * guarantee.
     */
    @Override
    public String toString() {
        return String.format(
                        Locale.ROOT,
                        "%d rounds%s, objective %.6g, learning rate %.4g%n",
                        rounds,
                        converged ? " (converged)" : "",
                        objective,
                        learningRate)
                + ledger.stream().map(line -> "  " + line + "\n").collect(Collectors.joining())
                + verdicts.stream()
                        .flatMap(verdict -> verdict.findings().stream()
                                .map(finding ->
                                        verdict.source() + ": " + finding.verdict() + ": " + finding.words() + "\n"))
                        .collect(Collectors.joining())
                + SourceVerdicts.labelsNotCompared(verdicts)
                        .map(why -> why + "\n")
                        .orElse("")
                + unusable.stream()
                        .map(source -> source.name() + ": unusable: " + source.reason() + "\n")
                        .collect(Collectors.joining())
                + "guarantee: " + guarantee;
    }
}
