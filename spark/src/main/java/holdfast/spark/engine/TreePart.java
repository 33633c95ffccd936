package holdfast.spark.engine;

import holdfast.math.Tree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** A result for consecutive blocks of a worker: those under one node of the tree of its blocks. */
interface TreePart extends Serializable {
    int worker();

    /** The first block. */
    int from();

    /** One past the last block; equal to {@link #from} if this is about the worker as a whole. */
    int to();

    /**
     * Merges parts as far as the trees of their workers allow. The bits of what is merged in the end do not depend on
     * who merges what.
     *
     * @param parts of a worker cover consecutive blocks
     * @param merge merges two neighbours, the earlier one first
     */
    static <P extends TreePart> ArrayList<P> merged(List<P> parts, BlockLayout cut, BinaryOperator<P> merge) {
        ArrayList<P> merged = new ArrayList<>();
        TreeMap<Integer, Map<Tree.Node, P>> byWorker = new TreeMap<>();
        for (P part : parts) {
            if (part.from() == part.to()) {
                merged.add(part);
            } else {
                byWorker.computeIfAbsent(part.worker(), w -> new HashMap<>())
                        .put(new Tree.Node(part.from(), part.to()), part);
            }
        }
        byWorker.forEach((worker, known) -> {
            int first = known.keySet().stream().mapToInt(Tree.Node::from).min().orElseThrow();
            int end = known.keySet().stream().mapToInt(Tree.Node::to).max().orElseThrow();
            for (Tree.Node node : Tree.nodes(cut.blocks(worker), first, end)) {
                merged.add(Tree.complete(node, (from, to) -> known.get(new Tree.Node(from, to)), merge));
            }
        });
        return merged;
    }
}
