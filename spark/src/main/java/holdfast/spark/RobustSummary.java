package holdfast.spark;

import holdfast.data.UnusableSource;
import holdfast.rounds.Ledger;
import holdfast.sources.RunReview;
import holdfast.sources.Verdict;
import holdfast.training.TrainingRun;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How training went.
 *
 * @param rounds the number of rounds
 * @param converged whether training ended before {@code maxIter} rounds because the objective had converged
 * @param objectiveHistory the objective in every round, or in every tenth if the learning rate was given: the mean of the
 *     losses that workers reported, after dropping as many of the largest and as many of the smallest as there may be
 *     liars
 * @param objective its value for the final model
 * @param learningRate the step size used; of the last round, unless it was given
 * @param ledger what happened to each worker; being screened is no accusation, because some honest worker nearly always
 *     is
 * @param verdicts what is said about each source, if workers are sources and there are at least four; otherwise empty
 * @param unusable sources whose rows could not be used
 * @param guarantee what the convergence theorems say about this run
 */
public record RobustSummary(
        int rounds,
        boolean converged,
        double[] objectiveHistory,
        double objective,
        double learningRate,
        List<Ledger.Line> ledger,
        List<Verdict> verdicts,
        List<UnusableSource> unusable,
        String guarantee) {

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
                + unusable.stream()
                        .map(source -> source.name() + ": unusable: " + source.reason() + "\n")
                        .collect(Collectors.joining())
                + "guarantee: " + guarantee;
    }

    static RobustSummary of(RunReview review, double[] objectiveHistory) {
        TrainingRun run = review.run();
        return new RobustSummary(
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
}
