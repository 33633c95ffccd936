package holdfast.sources;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.UnusableSource;
import holdfast.evaluation.HeldOutFigures;
import holdfast.training.PreparedRun;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is said about a finished run and its sources.
 *
 * @param tolerated how many liars were tolerated, and the verdicts on sources
 * @param values what each source is worth to the others; empty if this was not computed
 * @param figures how well the model does on tested rows; empty if there are none
 */
public record RunReview(
        TrainingRun run, ToleratedChoice tolerated, List<SourceValue> values, Optional<HeldOutFigures> figures) {
    /** Which values of sources to compute. */
    public enum Values {
        /** Those of up to {@value SourceValue#MAX_SOURCES} sources. */
        AUTO,
        ALL,
        NONE;

        /** @param text as written after {@code --values} */
        public static Values parse(String text) {
            return Arrays.stream(values())
                    .filter(v -> v.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new InputException("--values must be auto, all or none, got '" + text + "'"));
        }
    }

    public RunReview {
        values = List.copyOf(values);
    }

    /**
     * Reviews a run.
     *
     * @param prepared what it was trained on
     * @param tested unscaled rows that took no part in training, if there are any
     */
    public static RunReview of(TrainingRun run, PreparedRun prepared, Optional<Dataset> tested, Values wanted) {
        return of(run, prepared, tested, wanted, ToleratedChoice.asPlanned(prepared.probe(), run.plan()));
    }

    /**
     * Reviews a run whose sources were compared before.
     *
     * @param tolerated what was found then
     */
    public static RunReview of(
            TrainingRun run, PreparedRun prepared, Optional<Dataset> tested, Values wanted, ToleratedChoice tolerated) {
        List<Verdict> verdicts = tolerated.verdicts();
        Set<String> distrusted = distrusted(run, verdicts);
        boolean valued = !verdicts.isEmpty()
                && (wanted == Values.ALL
                        || wanted == Values.AUTO && prepared.names().size() <= SourceValue.MAX_SOURCES);
        return new RunReview(
                run,
                tolerated,
                valued ? SourceValue.of(prepared, run.model().theta(), distrusted) : List.of(),
                tested.map(rows -> HeldOutFigures.of(run.model(), rows, distrusted)));
    }

    private static Set<String> distrusted(TrainingRun run, List<Verdict> verdicts) {
        Set<String> names = verdicts.stream()
                .filter(Verdict::named)
                .map(Verdict::source)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        run.unusable().stream().map(UnusableSource::name).forEach(names::add);
        return names;
    }

    /** Returns one verdict per source, in worker order; none if the sources were not compared. */
    public List<Verdict> verdicts() {
        return tolerated.verdicts();
    }

    /**
     * Returns why the labels of sources could not be compared, and where to look instead; empty if they could, or if sources were
     * not compared at all.
     */
    public Optional<String> labelsNotCompared() {
        return SourceVerdicts.labelsNotCompared(verdicts())
                .map(why -> why + (figures.isPresent() ? "; look at the errors in the ledger" : ""));
    }

    /** Returns the sources that a verdict names or that are unusable. */
    public Set<String> distrusted() {
        return distrusted(run, verdicts());
    }

    /** Returns the value of a source, if it was computed. */
    public Optional<SourceValue> value(String source) {
        return values.stream().filter(v -> v.source().equals(source)).findFirst();
    }
}
