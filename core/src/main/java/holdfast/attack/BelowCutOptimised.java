package holdfast.attack;

import holdfast.Check;
import holdfast.aggregate.Mean;
import holdfast.aggregate.Median;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * {@link BelowCut} for any rule: uses the same lengths, but along the direction, and then at the scale, that give the
 * least {@code <G, u>} under the actual defence. The candidate directions are minus the mean of the honest updates, of
 * those that screening would keep and of the others, minus the signs of the mean, minus the coordinate-wise median, and
 * random directions. No two liars send the same vector.
 *
 * @param tries how many random directions
 */
public record BelowCutOptimised(int tries) implements UpdateAttack {
    private static final double[] SCALES = {0.25, 0.5, 2, 4, 16};

    public BelowCutOptimised {
        Check.that(tries >= 0, "below-cut-optimised: tries must be >= 0, got %d", tries);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        if (context.byzantine().length == 0) {
            return List.of();
        }
        Cloud honest = Cloud.of(context);
        double[] lengths = BelowCut.lengths(context, honest, honest.heading());
        Stream<List<double[]>> turned = directions(context, honest)
                .map(direction -> Arrays.stream(lengths)
                        .mapToObj(length -> Vectors.scaled(length, direction))
                        .toList());
        List<double[]> best = Strongest.of(context, honest, turned);
        Stream<List<double[]>> scaled = Arrays.stream(SCALES)
                .mapToObj(scale -> best.stream()
                        .map(v -> Vectors.clamped(Vectors.scaled(scale, v)))
                        .toList());
        return Strongest.of(context, honest, Stream.concat(Stream.of(best), scaled));
    }

    private Stream<double[]> directions(AttackContext context, Cloud honest) {
        List<WorkerUpdate> byNorm = BelowCut.byNorm(honest.updates());
        int cut = Math.max(1, Math.min(BelowCut.kept(context), byNorm.size() - 1));
        List<double[]> against = new ArrayList<>();
        against.add(honest.heading());
        if (cut < byNorm.size()) {
            against.add(Mean.of(byNorm.subList(0, cut)));
            against.add(Mean.of(byNorm.subList(cut, byNorm.size())));
        }
        against.add(Arrays.stream(honest.mean()).map(Math::signum).toArray());
        against.add(new Median(0)
                .aggregate(Round.of(
                        honest.updates().stream().map(WorkerUpdate::vector).toArray(double[][]::new)))
                .direction());
        Stream<double[]> random = IntStream.range(0, tries)
                .mapToObj(i -> context.seed().child("direction", i).random().gaussians(honest.mean().length));
        return Stream.concat(against.stream(), random).map(v -> Vectors.scaled(-1, Vectors.unit(v)));
    }
}
