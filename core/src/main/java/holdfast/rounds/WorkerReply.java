package holdfast.rounds;

/** What came back from one worker. */
public sealed interface WorkerReply {
    int worker();

    /**
     * What a worker sent; nothing about it is trusted yet.
     *
     * @param vector what the plan says to send: the gradient of its robust loss, a model delta or a Newton step
     * @param duals the gradient in the objective's own variables; empty if it has none
     * @param loss the value of its robust loss, on rows set aside if there are any; NaN if not asked for
     * @param precision its bound on ||z - z*||, infinite if it can give none
     */
    record Update(int worker, double[] vector, double[] duals, double loss, double precision) implements WorkerReply {
        /** An update for an objective without variables of its own. */
        public Update(int worker, double[] vector, double loss, double precision) {
            this(worker, vector, new double[0], loss, precision);
        }

        /** The same reply with another vector. */
        public Update with(double[] other) {
            return new Update(worker, other, duals, loss, precision);
        }
    }

    /**
     * No usable update: the worker is dead or late, or its reply is malformed. Counts as one of the lies that the rule
     * tolerates.
     */
    record Fault(int worker, String reason) implements WorkerReply {}
}
