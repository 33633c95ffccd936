package holdfast.spark.engine;

import holdfast.data.Dataset;
import holdfast.math.Tree;
import holdfast.objective.RobustLoss;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * A piece and the plan by which it answers, as text.
 *
 * @param blocks how many the worker has in all
 * @param replicas how many workers hold the same rows; the first of them answers
 */
record ShardHolder(Piece piece, int blocks, int replicas, LinkedHashMap<String, String> settings) implements Answers {

    /** What a plan is where it is used. */
    private record Rebuilt(RobustLoss loss, Worker worker) {}

    private Rebuilt rebuild() {
        Plan plan = Plan.of(settings);
        Dataset rows = piece.rows();
        RobustLoss loss = plan.loss(rows.schema());
        return new Rebuilt(loss, whole() ? Worker.of(piece.worker() * replicas, rows, loss, plan) : null);
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
        Rebuilt rebuilt = piece.kept(Rebuilt.class, settings, this::rebuild);
        return rebuilt.worker != null
                ? List.of(Answer.of(piece.worker(), rebuilt.worker.answer(request)))
                : Tree.nodes(blocks, piece.firstBlock(), piece.endBlock()).stream()
                        .map(node -> sums(rebuilt.loss, node, request))
                        .toList();
    }

    private Answer sums(RobustLoss loss, Tree.Node node, RoundRequest request) {
        int first = piece.firstBlock();
        ShardSums sums = loss.sums(
                request.at(),
                piece.rows().blocks().subList(node.from() - first, node.to() - first),
                request.withLoss());
        return new Answer(
                piece.worker(),
                node.from(),
                node.to(),
                sums.gradient(),
                sums.loss(),
                sums.rows(),
                sums.precision(),
                null);
    }
}
