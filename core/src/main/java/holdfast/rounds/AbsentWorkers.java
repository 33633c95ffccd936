package holdfast.rounds;

import holdfast.math.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Adds workers that never send anything to those of an engine; their ids follow. */
public class AbsentWorkers implements WorkerPool {
    private final WorkerPool present;
    private final List<String> reasons;

    private AbsentWorkers(WorkerPool present, List<String> reasons) {
        this.present = present;
        this.reasons = List.copyOf(reasons);
    }

    /**
     * Returns an engine with more workers, or the same if there are none to add.
     *
     * @param reasons for each worker to add, why it sends nothing
     */
    public static WorkerPool beside(WorkerPool present, List<String> reasons) {
        if (reasons.isEmpty()) {
            return present;
        }
        return present instanceof TwoPhasePool keeping
                ? new InTwoPhases(keeping, reasons)
                : new AbsentWorkers(present, reasons);
    }

    @Override
    public int workers() {
        return present.workers() + reasons.size();
    }

    @Override
    public List<WorkerReply> ask(RoundRequest request) {
        List<WorkerReply> all = new ArrayList<>(present.ask(request));
        all.addAll(faults());
        return all;
    }

    List<WorkerReply.Fault> faults() {
        List<WorkerReply.Fault> faults = new ArrayList<>();
        for (String reason : reasons) {
            faults.add(new WorkerReply.Fault(present.workers() + faults.size(), reason));
        }
        return faults;
    }

    @Override
    public Threads threads() {
        return present.threads();
    }

    @Override
    public void close() {
        present.close();
    }

    private static final class InTwoPhases extends AbsentWorkers implements TwoPhasePool {
        private final TwoPhasePool keeping;

        private InTwoPhases(TwoPhasePool keeping, List<String> reasons) {
            super(keeping, reasons);
            this.keeping = keeping;
        }

        @Override
        public boolean keeps(int parameters) {
            return keeping.keeps(parameters);
        }

        @Override
        public List<Measured> measure(RoundRequest request) {
            List<Measured> all = new ArrayList<>(keeping.measure(request));
            faults().forEach(fault -> all.add(Measured.of(fault)));
            return all;
        }

        @Override
        public Optional<double[]> sum(RoundRequest request, int[] workers, double[] factors) {
            return keeping.sum(request, workers, factors);
        }
    }
}
