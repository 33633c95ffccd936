package holdfast.rounds;

import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.List;

/**
 * The replies of a round, all checked before any is used: a reply that cannot be used becomes a
 * {@link WorkerReply.Fault}.
 */
final class ValidatedReplies {
    private final RoundRequest request;
    private final boolean mayAbstain;
    private final List<WorkerReply.Update> valid = new ArrayList<>();
    private final List<WorkerReply.Fault> faults = new ArrayList<>();
    private int notFinite;

    private ValidatedReplies(RoundRequest request, boolean mayAbstain) {
        this.request = request;
        this.mayAbstain = mayAbstain;
    }

    /** @param mayAbstain whether NaN is allowed as a loss */
    static ValidatedReplies of(List<WorkerReply> replies, RoundRequest request, boolean mayAbstain) {
        ValidatedReplies checked = new ValidatedReplies(request, mayAbstain);
        for (WorkerReply reply : replies) {
            double[] vector = reply instanceof WorkerReply.Update update ? update.vector() : new double[0];
            checked.add(reply, vector.length, Vectors.finite(vector));
        }
        return checked;
    }

    /** Checks replies whose vectors stay with the workers. */
    static ValidatedReplies ofMeasured(List<TwoPhasePool.Measured> measured, RoundRequest request, boolean mayAbstain) {
        ValidatedReplies checked = new ValidatedReplies(request, mayAbstain);
        measured.forEach(m -> checked.add(m.reply(), m.size(), m.finite()));
        return checked;
    }

    private void add(WorkerReply reply, int size, boolean finite) {
        if (reply instanceof WorkerReply.Fault fault) {
            faults.add(fault);
        } else if (reply instanceof WorkerReply.Update update) {
            int parameters = request.theta().length;
            int duals = request.duals().length;
            if (size != parameters) {
                refuse(update, "update has " + size + " elements instead of " + parameters);
            } else if (update.duals().length != duals) {
                refuse(update, "dual gradient has " + update.duals().length + " elements instead of " + duals);
            } else if (!finite) {
                refuseNotFinite(update, "update");
            } else if (!Vectors.finite(update.duals())) {
                refuseNotFinite(update, "dual gradient");
            } else if (request.withLoss()
                    && !Double.isFinite(update.loss())
                    && !(mayAbstain && Double.isNaN(update.loss()))) {
                refuseNotFinite(update, "loss");
            } else {
                valid.add(update);
            }
        }
    }

    private void refuse(WorkerReply.Update update, String reason) {
        faults.add(new WorkerReply.Fault(update.worker(), reason));
    }

    private void refuseNotFinite(WorkerReply.Update update, String what) {
        notFinite++;
        refuse(update, what + " is not finite");
    }

    List<WorkerReply.Update> valid() {
        return valid;
    }

    /** Ids of the workers with a valid update, ascending. */
    int[] senders() {
        return valid.stream().mapToInt(WorkerReply.Update::worker).toArray();
    }

    List<WorkerReply.Fault> faults() {
        return faults;
    }

    /** How many replies were refused because of numbers that are not finite. */
    int notFinite() {
        return notFinite;
    }

    /** The largest bound on ||z - z*|| that a valid reply reports; infinite if there is none. */
    double precision() {
        return valid.stream().mapToDouble(WorkerReply.Update::precision).max().orElse(Double.POSITIVE_INFINITY);
    }
}
