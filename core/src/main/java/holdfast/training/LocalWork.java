package holdfast.training;

import holdfast.Check;

/**
 * What a worker does before it answers: one gradient, or several gradient steps of its own from the server's parameters,
 * in which case its update is the mean of the gradients it met. The server's step of steps x rate along the plain mean of
 * such updates is federated averaging (McMahan et al. 2017). Or one Newton step on its own rows, which the server screens
 * like any update (Cao, Lai 2020).
 *
 * @param batch which rows each step looks at
 * @param steps how many
 * @param rate their size; of no meaning for a single step
 * @param damping of the Newton step that is sent instead of a gradient; NaN: a gradient is sent
 */
public record LocalWork(Batch batch, int steps, double rate, double damping) {
    /** The gradient on all rows. */
    public static final LocalWork GRADIENT = new LocalWork(Batch.ALL, 1, 1, Double.NaN);

    public LocalWork {
        Check.that(steps >= 1, "local-steps must be at least 1, got %d", steps);
        Check.that(rate > 0 && Double.isFinite(rate), "local-rate must be finite and > 0, got %s", rate);
        Check.that(
                Double.isNaN(damping) || damping >= 0 && Double.isFinite(damping),
                "update newton: damping must be finite and >= 0, got %s",
                damping);
        Check.that(
                Double.isNaN(damping) || steps == 1, "update newton is one step: local-steps must be 1, got %d", steps);
    }
}
