package holdfast.objective;

import holdfast.Check;
import holdfast.model.Model;
import java.util.Optional;

/**
 * The paper's problem (1): the worst case over all distributions that the rows can be moved to at a mean cost of at most
 * rho, the Wasserstein ball of that radius. Its dual is
 *
 * <pre>
 * min over theta and lambda &gt;= 0 of F(theta, lambda) = lambda rho + mean phi_lambda(theta; x),
 * </pre>
 *
 * so the price lambda of moving rows, which {@link Wasserstein} is given, is found together with theta: it is the price at
 * which the mean cost of the moves is rho. F is jointly convex if the loss is convex in theta (Sinha, Namkoong, Duchi 2018).
 * Every F(theta, lambda) bounds the mean loss of every distribution in the ball. Rows that move by at most q each are in the
 * ball of rho = q^2/2.
 *
 * @param radius rho
 * @param moves what moves cost and how worst cases are found; the price in it is not used
 */
public record WassersteinBall(double radius, Wasserstein moves) implements ObjectiveFamily {
    public WassersteinBall {
        Check.that(radius > 0 && Double.isFinite(radius), "--radius must be finite and > 0, got %s", radius);
        Check.that(
                moves.ascentRate().isEmpty(),
                "--ascent-rate is one over lambda with --radius, which finds lambda; leave it out, got %s",
                moves.ascentRate().orElse(Double.NaN));
        moves = moves.withLambda(1);
    }

    /** The ball under the paper's cost, everything else automatic. */
    public WassersteinBall(double radius) {
        this(radius, Wasserstein.none());
    }

    @Override
    public BallLoss on(Model model, double l2) {
        return new BallLoss(model, this, l2);
    }

    @Override
    public boolean movesRows() {
        return true;
    }

    @Override
    public Optional<FirstStage> firstStage() {
        return moves.firstStage();
    }

    @Override
    public Box boxFor(Model model) {
        return moves.boxFor(model);
    }
}
