package holdfast.training;

import holdfast.InputException;
import holdfast.evaluation.Calibration;
import holdfast.evaluation.ThresholdChoice;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Recalibration;
import holdfast.plan.Threshold;
import holdfast.preparation.ClassWeights;
import holdfast.rounds.TrainingException;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Learns how a trained model's scores become probabilities of classes and, with two classes, labels. Both are learnt from
 * training rows, scored by models that have not seen them ({@link OutOfFoldScores}); held-out rows are left for the figures.
 * The parameters of the model stay as they are. Of two classes the likelier one is predicted, unless the plan sets a
 * threshold; with class weights, and of more classes, the one that the model as trained finds likelier.
 */
final class DecisionFit {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private static final int ROWS_PER_WEIGHT = 10;

    private DecisionFit() {}

    /**
     * Returns the model with the plan's calibration and threshold.
     *
     * @param model as it was trained
     * @param rounds how many rounds made it
     */
    static TrainedModel of(TrainedModel model, PreparedRun prepared, int rounds) {
        Plan plan = prepared.plan();
        Threshold wanted = plan.get(PlanKey.THRESHOLD);
        boolean calibrates = plan.get(PlanKey.RECALIBRATION) == Recalibration.AUTO
                && plan.hasProbabilities(prepared.schema())
                && plan.distortsProbabilities()
                && (plan.hasTwoProbabilities(prepared.schema()) || isWorthwhile(prepared));
        if (!calibrates && !wanted.equals(Threshold.AUTO)) {
            return model.deciding(Calibration.NONE, wanted.probability().orElse(model.threshold()));
        }
        OutOfFoldScores rows;
        try {
            rows = OutOfFoldScores.of(prepared, rounds);
        } catch (InputException | TrainingException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}, because rows could not be left out of training in turn: {1}",
                    Stream.of(
                                    calibrates ? "probabilities stay as trained" : "",
                                    wanted.equals(Threshold.AUTO) ? "--threshold auto leaves labels as trained" : "")
                            .filter(said -> !said.isEmpty())
                            .collect(Collectors.joining(" and ")),
                    e.getMessage());
            return model.deciding(Calibration.NONE, wanted.probability().orElse(model.threshold()));
        }
        if (!plan.hasTwoProbabilities(prepared.schema())) {
            return model.deciding(Calibration.fit(rows.sources(), rows.across()), model.threshold());
        }
        Calibration calibration = calibrates ? ofTwo(rows) : Calibration.NONE;
        // Whoever weighs classes wants other labels than the likelier ones.
        boolean weighed = !(plan.get(PlanKey.CLASS_WEIGHTS) instanceof ClassWeights.None);
        double unasked = weighed ? calibration.probability(0) : 0.5;
        if (!wanted.equals(Threshold.AUTO)) {
            return model.deciding(calibration, wanted.probability().orElse(unasked));
        }
        OptionalDouble best = ThresholdChoice.largestF1(rows.sources(), calibration, rows.across());
        if (best.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "--threshold auto needs rows of {0} = {1} in more sources; labels stay as trained",
                    prepared.schema().label(),
                    prepared.schema().classes().get(1));
        }
        return model.deciding(calibration, best.orElse(unasked));
    }

    /**
     * Whether more than two classes gain by a calibration. Models of half of few rows are less certain than the run's: without
     * class weights, that would change probabilities by more than the objective does.
     */
    private static boolean isWorthwhile(PreparedRun prepared) {
        Plan plan = prepared.plan();
        double rows = (double) Arrays.stream(prepared.sizes()).sum() / plan.get(PlanKey.REPLICAS);
        int weights = plan.model(prepared.schema())
                .parameters(prepared.schema().features().size());
        return !(plan.get(PlanKey.CLASS_WEIGHTS) instanceof ClassWeights.None) || rows >= ROWS_PER_WEIGHT * weights;
    }

    /** Returns none if the boundary between the classes would round to a probability of 0 or 1. */
    private static Calibration ofTwo(OutOfFoldScores rows) {
        Calibration found = Calibration.fit(rows.sources(), rows.across());
        double boundary = found.probability(0);
        return boundary > 0 && boundary < 1 ? found : Calibration.NONE;
    }
}
