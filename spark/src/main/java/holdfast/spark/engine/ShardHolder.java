package holdfast.spark.engine;

import holdfast.data.Dataset;
import holdfast.math.Tree;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PortablePlan;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import java.util.List;

/**
 * A piece, with the text of the plan by which it answers.
 *
 * @param blocks how many blocks the worker has in all
 * @param replicas how many workers hold the same rows; the first of them answers
 */
record ShardHolder(Piece piece, int blocks, int replicas, PortablePlan plan) implements Answers {

    /** The objects that a plan becomes where it is used. */
    private record Rebuilt(Objective objective, Worker worker) {}

    private Rebuilt rebuild() {
        Plan made = plan.plan();
        Dataset rows = piece.rows();
        Objective objective = made.loss(rows.schema());
        return new Rebuilt(
                objective, whole() ? ResolvedPlan.worker(made, piece.worker() * replicas, rows, objective) : null);
    }

    private boolean whole() {
        return piece.rows().blocks().size() == blocks;
    }

    @Override
    public int worker() {
        return piece.worker();
    }

    @Override
    public List<Answer> to(RoundRequest request) {
        Rebuilt rebuilt = piece.kept(Rebuilt.class, plan, this::rebuild);
        return rebuilt.worker != null
                ? List.of(Answer.of(piece.worker(), rebuilt.worker.answer(request)))
                : Tree.nodes(blocks, piece.firstBlock(), piece.endBlock()).stream()
                        .map(node -> sums(rebuilt.objective, node, request))
                        .toList();
    }

    private Answer sums(Objective objective, Tree.Node node, RoundRequest request) {
        int first = piece.firstBlock();
        ShardSums sums = objective.sums(
                request.at(),
                piece.rows().blocks().subList(node.from() - first, node.to() - first),
                request.withLoss());
        return Answer.of(piece.worker(), node, sums);
    }
}
