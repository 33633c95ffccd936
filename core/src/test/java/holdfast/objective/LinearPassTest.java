package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LogisticRegression;
import holdfast.testkit.Laws;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LinearPassTest {

    @Test
    void onePassHasTheBitsOfTheWorstCaseAndItsGradientOneAfterTheOther() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            // Every other time so wide that a block is taken in parts.
            int d = 1 + random.nextInt(random.nextInt(2) == 0 ? 40 : 900);
            boolean intercept = random.nextInt(2) == 0;
            Dataset data = data(seed.child("rows"), d, random.nextInt(2) == 0);
            double[] theta = Vectors.scaled(2 / Math.sqrt(d), random.gaussians(intercept ? d + 1 : d));
            LinearModel model =
                    random.nextInt(3) == 0 ? new HuberRegression(intercept, 1) : new LogisticRegression(intercept);
            Effort effort = random.nextInt(2) == 0 ? new Effort.Steps(random.nextInt(6)) : new Effort.Precision(1e-3);
            for (InnerMaximiser maximiser :
                    List.of(InnerMaximiser.none(), new ScalarRecurrence(model, 9, 0.1), new ExactMaximiser(model, 9))) {
                RobustLoss loss = new RobustLoss(model, maximiser, Effort.always(effort), 0);
                ShardSums apart = Tree.reduce(
                        data.blocks().size(),
                        b -> oneAfterTheOther(loss, theta, data.blocks().get(b)),
                        ShardSums::merge);
                ShardSums pass = loss.sums(Iterate.of(theta), data, false);
                assertThat(Laws.bits(pass.gradient())).isEqualTo(Laws.bits(apart.gradient()));
                assertThat(pass.precision()).isEqualTo(apart.precision());
                assertThat(pass.rows()).isEqualTo(data.rows());
                ShardSums pieces = inTwoPieces(
                        loss, theta, data.blocks(), random.nextInt(data.blocks().size()));
                assertThat(Laws.bits(pieces.gradient())).isEqualTo(Laws.bits(apart.gradient()));
            }
        });
    }

    /** As by two who hold the blocks before this one and from it on, and send what they make of the nodes of the tree. */
    private static ShardSums inTwoPieces(RobustLoss loss, double[] theta, List<Block> blocks, int cut) {
        int n = blocks.size();
        Map<Tree.Node, ShardSums> sent = new HashMap<>();
        Stream.concat(Tree.nodes(n, 0, cut).stream(), Tree.nodes(n, cut, n).stream())
                .forEach(node ->
                        sent.put(node, loss.sums(Iterate.of(theta), blocks.subList(node.from(), node.to()), false)));
        return Tree.complete(n, (from, to) -> sent.get(new Tree.Node(from, to)), ShardSums::merge);
    }

    private static ShardSums oneAfterTheOther(RobustLoss loss, double[] theta, Block block) {
        WorstCase worst = loss.maximiser().maximise(theta, block, loss.effort().at(false));
        double[] gradient = new double[theta.length];
        loss.model().addGradient(theta, worst.rows(), gradient);
        return new ShardSums(gradient, Double.NaN, block.rows(), worst.precision());
    }

    private static Dataset data(Seed seed, int d, boolean weighted) {
        Randomness random = seed.random();
        int rows = 1 + random.nextInt(1200);
        DatasetBuilder builder = new DatasetBuilder(d);
        for (int j = 0; j < rows; j++) {
            builder.add(random.gaussians(d), random.nextInt(2), 0, weighted ? 0.5 + random.nextDouble() : 1);
        }
        Schema schema = new Schema(Collections.nCopies(d, "x"), "y", List.of("0", "1"), List.of());
        return builder.build(schema, DataSource.MEMORY);
    }
}
