package holdfast.training;

import holdfast.InputException;
import holdfast.data.Schema;
import holdfast.data.UnusableSource;
import holdfast.evaluation.Metric;
import holdfast.objective.Wasserstein;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.preparation.Preparation;
import holdfast.rounds.TrainingException;
import holdfast.rounds.Worker;
import holdfast.shift.Shift;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The price of moving rows that costs nothing to speak of: the smallest whose plain loss on rows left out of training exceeds
 * that of plain training by at most 1 % and at most one standard error. Where robustness keeps a model from overfitting, a
 * larger price may do better than plain training; the loss must not exceed the best price's by more than 1 % either.
 *
 * @param price the number found, or none if every price costs too much
 * @param metric what the figures of trials are
 * @param trials what was tried: plain training, then prices from the largest to the smallest
 */
public record PriceChoice(Price price, Metric metric, List<Trial> trials) {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    /**
     * What a price does to rows left out of training. All numbers but the standard error are means over groups of sources without
     * the f largest and the f smallest.
     *
     * @param loss the mean loss of rows as they are: that of plain training and the excess
     * @param excess by how much the loss of the same rows exceeds that of plain training
     * @param standardError of the excess: the median of the groups' own, divided by the root of how many groups are averaged
     * @param figure the share misclassified or, if labels are numbers, the RMSE
     * @param shifted the same after a shift to the worst case within {@link PriceChoice#shift()}; NaN if the model has
     *     none that is known
     */
    public record Trial(Price price, double loss, double excess, double standardError, double figure, double shifted) {}

    public PriceChoice {
        trials = List.copyOf(trials);
    }

    /** Returns the shift of {@link Trial#shifted()}. */
    public static Shift shift() {
        return PriceSearch.SHIFT;
    }

    /** Returns plain training. */
    public Trial plain() {
        return trials.get(0);
    }

    /** Returns the trial of the price. */
    public Trial chosen() {
        return trials.stream()
                .filter(trial -> trial.price().equals(price))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Chooses a price if a plan leaves that to the data.
     *
     * @param plan with a penalty that is a number
     * @param probe hands out the workers' rows
     * @param preparation of these rows
     * @param schema of the features
     * @param sizes how many training rows each worker holds
     * @param root makes a worker for the server's own rows, if it has any
     * @param requireServes refuses a plan with a price that cannot be trained, whichever rows are left out
     * @return empty if the plan has a price or moves no rows, and, with a warning, if rows cannot be left out
     */
    public static Optional<PriceChoice> of(
            Plan plan,
            SourceProbe probe,
            Preparation preparation,
            Schema schema,
            long[] sizes,
            List<UnusableSource> unusable,
            Function<Plan, Optional<Worker>> root,
            Consumer<Plan> requireServes) {
        if (!isOpen(plan)) {
            return Optional.empty();
        }
        try {
            TwoFolds folds = TwoFolds.of(plan, probe, preparation, schema, sizes, unusable, root);
            return Optional.of(new PriceSearch(plan, folds).run());
        } catch (InputException | TrainingException e) {
            requireServes.accept(priced(plan, Optional.empty()));
            LOG.log(
                    System.Logger.Level.WARNING,
                    "--lambda auto is {0}, because rows could not be left out of training in turn: {1}",
                    plan.lambda().orElseThrow(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the plan with the price of a choice, or with the usual one if there is none. */
    public static Plan priced(Plan plan, Optional<PriceChoice> choice) {
        return isOpen(plan) ? priced(plan, choice.map(PriceChoice::price).orElse(Price.of(plan.lambda()))) : plan;
    }

    /** Returns the plan with a price; where rows stay, labels do too. */
    static Plan priced(Plan plan, Price price) {
        return (price.equals(Price.NONE) ? plan.without(PlanKey.LABEL_PRICE) : plan).with(PlanKey.LAMBDA, price);
    }

    private static boolean isOpen(Plan plan) {
        return plan.get(PlanKey.LAMBDA).automatic() && plan.objective() instanceof Wasserstein;
    }
}
