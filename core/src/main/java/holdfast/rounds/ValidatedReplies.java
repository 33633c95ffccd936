package holdfast.rounds;

import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.List;

/** Replies of a round, of which everything is checked before anything is used. */
final class ValidatedReplies {
    private final List<WorkerReply.Update> valid = new ArrayList<>();
    private final List<WorkerReply.Fault> faults = new ArrayList<>();
    private int notFinite;

    static ValidatedReplies of(List<WorkerReply> replies, int parameters, boolean withLoss) {
        ValidatedReplies checked = new ValidatedReplies();
        for (WorkerReply reply : replies) {
            if (reply instanceof WorkerReply.Fault fault) {
                checked.add(fault);
            } else if (reply instanceof WorkerReply.Update update) {
                int size = update.vector().length;
                if (size == parameters) {
                    checked.add(update, Vectors.finite(update.vector()), withLoss);
                } else {
                    checked.add(new WorkerReply.Fault(
                            update.worker(), "update has " + size + " elements instead of " + parameters));
                }
            }
        }
        return checked;
    }

    void add(WorkerReply.Fault fault) {
        faults.add(fault);
    }

    /**
     * @param finite whether the update is
     * @return whether it may be used; if not, it is a fault
     */
    boolean add(WorkerReply.Update update, boolean finite, boolean withLoss) {
        if (finite && (!withLoss || Double.isFinite(update.loss()))) {
            return valid.add(update);
        }
        notFinite++;
        faults.add(new WorkerReply.Fault(update.worker(), (finite ? "loss" : "update") + " is not finite"));
        return false;
    }

    List<WorkerReply.Update> valid() {
        return valid;
    }

    List<WorkerReply.Fault> faults() {
        return faults;
    }

    /** How many were refused for numbers that are not finite. */
    int notFinite() {
        return notFinite;
    }
}
