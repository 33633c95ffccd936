package holdfast.evaluation;

import holdfast.data.Dataset;
import holdfast.preparation.AcrossSources;
import holdfast.shift.Shift;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How well a model does on rows that took no part in training, by source. A figure over the rows of all sources is
 * partly written by sources that lie: where labels are swapped, a good model is wrong, and a model that learnt the lie is
 * right. So the figure to compare models by is that of the <em>trusted</em> sources, against which there is no verdict.
 *
 * @param sources one figure per source with rows, in the order of the rows' schema; empty if rows name no source
 * @param trustedRows the rows of all trusted sources; all rows if they name no source; empty if no source is trusted
 * @param trusted the evaluation of these rows
 * @param all the evaluation of all rows
 */
public record HeldOutFigures(
        List<SourceFigure> sources, Optional<Dataset> trustedRows, Optional<Evaluation> trusted, Evaluation all) {
    /**
     * The figures of one source.
     *
     * @param trusted whether there is no verdict against it
     */
    public record SourceFigure(String source, boolean trusted, Evaluation evaluation) {}

    public HeldOutFigures {
        sources = List.copyOf(sources);
    }

    /**
     * Evaluates a model.
     *
     * @param rows unscaled
     * @param distrusted the sources that a verdict names or whose training rows are unusable
     */
    public static HeldOutFigures of(TrainedModel model, Dataset rows, Set<String> distrusted) {
        Evaluation all = Evaluation.of(model, rows, Shift.NONE);
        if (!rows.hasGroups()) {
            return new HeldOutFigures(List.of(), Optional.of(rows), Optional.of(all), all);
        }
        List<String> names = rows.schema().groups();
        List<int[]> bySource = rows.rowsBySource();
        List<SourceFigure> figures = new ArrayList<>();
        for (int s = 0; s < names.size(); s++) {
            if (bySource.get(s).length > 0) {
                figures.add(new SourceFigure(
                        names.get(s),
                        !distrusted.contains(names.get(s)),
                        Evaluation.of(model, rows.select(bySource.get(s)), Shift.NONE)));
            }
        }
        if (figures.stream().allMatch(SourceFigure::trusted)) {
            return new HeldOutFigures(figures, Optional.of(rows), Optional.of(all), all);
        }
        int[] chosen = IntStream.range(0, rows.rows())
                .filter(r -> !distrusted.contains(names.get(rows.group(r))))
                .toArray();
        Optional<Dataset> trusted = chosen.length == 0 ? Optional.empty() : Optional.of(rows.select(chosen));
        return new HeldOutFigures(figures, trusted, trusted.map(own -> Evaluation.of(model, own, Shift.NONE)), all);
    }

    /**
     * Returns the median over all sources of the headline metric. Fewer than half of the sources, whatever their rows,
     * cannot move it beyond where the others are. NaN if rows name no source.
     */
    public double median() {
        return AcrossSources.POOLED.median(
                sources.stream().mapToDouble(s -> s.evaluation().headline()).toArray());
    }

    /** Returns how many sources are trusted. */
    public int trustedSources() {
        return (int) sources.stream().filter(SourceFigure::trusted).count();
    }

    /** Returns the figure of a source; empty if it has no rows here. */
    public Optional<SourceFigure> of(String source) {
        return sources.stream().filter(s -> s.source().equals(source)).findFirst();
    }
}
