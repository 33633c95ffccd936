package holdfast.rounds;

import holdfast.Catalogue;
import holdfast.Check;

/**
 * What a worker does before it answers: takes some gradient steps of its own from the server's parameters, or one
 * Newton step, and sends a result of them.
 *
 * @param batch which rows each step uses
 * @param steps the number of steps
 * @param rate their size; ignored if a single gradient is sent
 * @param sent what is made of the gradients along the way
 */
public record LocalWork(RowSampling batch, int steps, double rate, Sent sent) {
    /** What workers may send, by name. */
    public static final Catalogue<Sent> UPDATES = Catalogue.<Sent>of("update")
            .with("gradient", "the gradient on the worker's rows", p -> new Gradient())
            .with("delta", "by how much the worker's own steps changed theta", p -> new Delta())
            .with("newton", "a Newton step on the worker's rows", p -> new Newton(p.number("damping", 0.1)));

    /** The gradient on all rows. */
    public static final LocalWork GRADIENT = new LocalWork(RowSampling.ALL, 1, 1, new Gradient());

    public LocalWork {
        Check.that(steps >= 1, "--local-steps must be at least 1, got %d", steps);
        Check.that(rate > 0 && Double.isFinite(rate), "--local-rate must be finite and > 0, got %s", rate);
        Check.that(
                steps == 1 || !(sent instanceof Newton),
                "--update newton is one step: --local-steps must be 1, got %d",
                steps);
    }

    /** A worker's update. */
    public sealed interface Sent {}

    /** Sends the mean of the gradients along the way. */
    public record Gradient() implements Sent {}

    /**
     * Sends theta at the start minus theta at the end, which is rate times the sum of the gradients along the way. With
     * the plain mean and learning rate 1 the server then averages the workers' models: federated averaging (McMahan et
     * al. 2017).
     */
    public record Delta() implements Sent {}

    /**
     * Sends a Newton step on the worker's own rows, which the server screens like any update (Ghosh, Maity, Mazumdar
     * 2020).
     */
    public record Newton(double damping) implements Sent {
        public Newton {
            Check.that(
                    damping >= 0 && Double.isFinite(damping),
                    "--update newton: damping must be finite and >= 0, got %s",
                    damping);
        }
    }
}
