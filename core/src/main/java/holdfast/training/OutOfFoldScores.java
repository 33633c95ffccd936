package holdfast.training;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.ScoredSource;
import holdfast.model.Model;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.LabelScaling;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Training rows of classes, scored by models that have not seen them: each of {@link TwoFolds} by a model that is trained
 * on the other, for as many rounds as the run took.
 *
 * @param sources one for each group of sources whose statistics are taken together
 * @param across combines what they say
 */
record OutOfFoldScores(List<ScoredSource> sources, AcrossSources across) {
    /**
     * Trains on each half and scores the other.
     *
     * @param rounds how many rounds made the model
     * @throws holdfast.InputException if there are too few rows for the plan
     * @throws holdfast.rounds.TrainingException if training fails on half of the rows
     */
    static OutOfFoldScores of(PreparedRun prepared, int rounds) {
        TwoFolds folds = TwoFolds.of(prepared);
        Plan plan = prepared.plan().with(PlanKey.ROUNDS, rounds).with(PlanKey.TOLERANCE, 0.0);
        Model model = plan.model(prepared.schema());
        int perRow = prepared.schema().classes().size() == 2 ? 1 : model.scoresPerRow();
        double[][] scores = folds.leftOut(folds.train(plan, null), perRow, (theta, rows) -> score(model, theta, rows));
        int[] groupOf = folds.groupOf();
        return new OutOfFoldScores(
                IntStream.range(0, folds.groups())
                        .mapToObj(g -> together(g, groupOf, folds.shards(), scores))
                        .toList(),
                folds.across());
    }

    private static ScoredSource together(int group, int[] groupOf, List<Dataset> shards, double[][] scores) {
        int[] members = IntStream.range(0, groupOf.length)
                .filter(s -> groupOf[s] == group)
                .toArray();
        return new ScoredSource(
                Arrays.stream(members)
                        .boxed()
                        .flatMapToDouble(s -> Arrays.stream(scores[s]))
                        .toArray(),
                Arrays.stream(members)
                        .boxed()
                        .flatMapToDouble(
                                s -> IntStream.range(0, shards.get(s).rows()).mapToDouble(shards.get(s)::label))
                        .toArray());
    }

    private static double[] score(Model model, double[] theta, Dataset rows) {
        int k = model.scoresPerRow();
        double[] all = new double[rows.rows() * k];
        int at = 0;
        for (Block block : rows.blocks()) {
            double[] own = new double[block.rows() * k];
            model.scores(theta, block, own);
            System.arraycopy(own, 0, all, at, own.length);
            at += own.length;
        }
        Predictions read = new Predictions(model, 0.5, LabelScaling.NONE, all);
        if (read.classes() > 2) {
            return all;
        }
        return IntStream.range(0, rows.rows()).mapToDouble(read::score).toArray();
    }
}
