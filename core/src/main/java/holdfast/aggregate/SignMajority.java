package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Locale;
import java.util.Optional;

/**
 * signSGD with majority vote (Bernstein, Zhao, Azizzadenesheli, Anandkumar 2019): direction_k = sign(sum_i sign(g_ik)).
 * Each update has one vote per coordinate, however large its values are. Lengths are lost, so the direction is not a
 * mean.
 */
public record SignMajority(int tolerated) implements Aggregator {
    public SignMajority {
        Aggregator.checkTolerated("sign-majority", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        double[] direction = new double[round.updates().get(0).vector().length];
        int open = 0;
        for (int k = 0; k < direction.length; k++) {
            int margin = 0;
            for (WorkerUpdate update : round.updates()) {
                margin += (int) Math.signum(update.vector()[k]);
            }
            direction[k] = Integer.signum(margin);
            // A liar that changes its vote moves the margin by 2.
            open += Math.abs(margin) < 2 * lies ? 1 : 0;
        }
        return new Aggregate(
                direction,
                round.senders(),
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "all kept; %d liars could have turned %d of %d coordinates",
                        lies,
                        open,
                        direction.length));
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.none(
                "none: G has only signs, also if all honest updates are equal; |G_k| <= 1", "aggregate.SignMajority");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(
                        0.5,
                        tolerated,
                        workers,
                        "Bernstein et al. 2019; where honest signs differ, fewer liars turn a coordinate")
                .withoutLength());
    }
}
