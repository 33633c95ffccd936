package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DatePart;
import holdfast.data.Schema;
import holdfast.evaluation.Calibration;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Vectors;
import holdfast.model.Models;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReachTest {
    private static final int FEATURES = 3;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> CLASSES = List.of("x", "y", "z");

    private static TrainedModel model(int classes, Randomness random, double clip) {
        List<String> names = CLASSES.subList(0, classes);
        int scores = classes == 2 ? 1 : classes;
        return new TrainedModel(
                Models.catalogue().choose(classes == 2 ? "logistic" : "softmax"),
                true,
                random.gaussians(scores * (FEATURES + 1)),
                Encoding.NONE,
                new Scaling(
                        Scaling.Kind.STANDARDISE,
                        random.gaussians(FEATURES),
                        Arrays.stream(random.gaussians(FEATURES))
                                .map(x -> 0.2 + Math.abs(x))
                                .toArray(),
                        clip),
                LabelScaling.NONE,
                new Schema(NAMES, "label", names, List.of()),
                0.2 + 0.6 * random.nextDouble(),
                classes == 2 ? new Calibration(0.5 + random.nextDouble(), random.nextGaussian()) : Calibration.NONE,
                Optional.empty(),
                Optional.empty());
    }

    private static Dataset rows(double[]... rows) {
        DatasetBuilder builder = new DatasetBuilder(FEATURES);
        for (double[] row : rows) {
            builder.add(row, 0, 0, 1);
        }
        return builder.build(new Schema(NAMES, "label", List.of(), List.of()), new DataSource("rows", ""));
    }

    private static RowMove move(Randomness random, double budget) {
        Map<String, Double> units = new HashMap<>();
        NAMES.subList(0, 1 + random.nextInt(FEATURES)).forEach(name -> units.put(name, 0.2 + random.nextDouble()));
        return new RowMove(Norm.values()[random.nextInt(3)], budget, units);
    }

    /** Returns a move of exactly the budget: along an axis or a corner, which are the worst ones, or anywhere. */
    private static double[] moved(double[] row, RowMove move, Randomness random) {
        double[] direction = random.gaussians(FEATURES);
        int kind = random.nextInt(3);
        int axis = random.nextInt(FEATURES);
        for (int i = 0; i < FEATURES; i++) {
            direction[i] = !move.units().containsKey(NAMES.get(i))
                    ? 0
                    : kind == 0 ? (i == axis ? direction[i] : 0) : kind == 1 ? Math.signum(direction[i]) : direction[i];
        }
        double length = switch (move.norm()) {
            case L1 -> Arrays.stream(direction).map(Math::abs).sum();
            case L2 -> Math.sqrt(Arrays.stream(direction).map(x -> x * x).sum());
            case LINF -> Arrays.stream(direction).map(Math::abs).max().orElseThrow();
        };
        double[] to = row.clone();
        for (int i = 0; i < FEATURES && length > 0; i++) {
            to[i] += move.budget() * direction[i] / length * move.units().getOrDefault(NAMES.get(i), 0.0);
        }
        return to;
    }

    @Test
    void noMoveMakesAModelPredictWhatIsNotReachable() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int classes = 2 + random.nextInt(2);
            TrainedModel model = model(classes, random, random.nextInt(2) == 0 ? 1 : Double.POSITIVE_INFINITY);
            RowMove move = move(random, random.nextDouble());
            double[] row = random.gaussians(FEATURES);
            boolean[] reach = Reach.of(model, move).of(model.predict(rows(row)), 0, row);
            double[][] tried = new double[60][];
            Arrays.setAll(tried, i -> moved(row, move, random));
            var said = model.predict(rows(tried));
            for (int i = 0; i < tried.length; i++) {
                assertThat(reach[(int) said.label(i)]).isTrue();
            }
        });
    }

    /** Large terms that cancel leave a score with a large error; the label is still that of computed scores. */
    @Test
    void scoresWhoseTermsCancelAreRounded() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int classes = 2 + random.nextInt(2);
            int scores = classes == 2 ? 1 : classes;
            double size = Math.pow(10, 3 * random.nextInt(4));
            double[] row = Vectors.scaled(size, random.gaussians(FEATURES));
            double[] theta = random.gaussians(scores * (FEATURES + 1));
            for (int c = 0; c < scores; c++) {
                for (int i = 0; i < FEATURES; i++) {
                    theta[scores * FEATURES + c] -= theta[c * FEATURES + i] * row[i];
                }
            }
            TrainedModel model = new TrainedModel(
                    Models.catalogue().choose(classes == 2 ? "logistic" : "softmax"),
                    true,
                    theta,
                    Scaling.none(FEATURES),
                    LabelScaling.NONE,
                    new Schema(NAMES, "label", CLASSES.subList(0, classes), List.of()),
                    0.5);
            var said = model.predict(rows(row));
            RowMove move = new RowMove(Norm.LINF, 1, Map.of("a", 1.0, "b", 1.0, "c", 1.0));
            // Just less than what changes the label.
            double low = 0;
            double high = 100;
            for (int step = 0; step < 80; step++) {
                double middle = (low + high) / 2;
                boolean[] reach = Reach.of(model, move.within(middle)).of(said, 0, row);
                if (IntStream.range(0, classes).filter(c -> reach[c]).count() == 1) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            for (int corner = 0; corner < 8; corner++) {
                double[] to = row.clone();
                for (int i = 0; i < FEATURES; i++) {
                    double by = (corner >> i & 1) == 1 ? low : -low;
                    // Towards the row, so that rounding takes it no farther.
                    to[i] = Math.nextAfter(row[i] + by, row[i]);
                }
                assertThat(low > 0 && model.predict(rows(to)).label(0) != said.label(0))
                        .isFalse();
            }
        });
    }

    /** With two classes the worst move is known: along the dual direction. */
    @Test
    void ofTwoClassesWhatIsReachableIsReached() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            TrainedModel model = model(2, random, Double.POSITIVE_INFINITY);
            RowMove move = move(random, random.nextDouble());
            double[] row = random.gaussians(FEATURES);
            boolean[] reach = Reach.of(model, move).of(model.predict(rows(row)), 0, row);
            double[] slopes = model.coefficients().get(0).values();
            double[] units = NAMES.stream()
                    .mapToDouble(name -> move.units().getOrDefault(name, 0.0))
                    .toArray();
            double[] gain = new double[FEATURES];
            Arrays.setAll(gain, i -> slopes[i] * units[i]);
            int best = IntStream.range(0, FEATURES)
                    .boxed()
                    .max((i, j) -> Double.compare(Math.abs(gain[i]), Math.abs(gain[j])))
                    .orElseThrow();
            double length = Math.sqrt(Arrays.stream(gain).map(x -> x * x).sum());
            for (int sign : new int[] {-1, 1}) {
                double[] to = row.clone();
                for (int i = 0; i < FEATURES; i++) {
                    double share = switch (move.norm()) {
                        case L1 -> i == best ? Math.signum(gain[i]) : 0;
                        case L2 -> gain[i] / length;
                        case LINF -> Math.signum(gain[i]);
                    };
                    to[i] += sign * move.budget() * (1 + 1e-6) * share * units[i];
                }
                int wanted = sign < 0 ? 0 : 1;
                assertThat(model.predict(rows(to)).label(0) == wanted || !reach[wanted])
                        .isTrue();
            }
        });
    }

    /** The strongest joint attack that can be searched: the row moves anywhere, and then any k groups vote anything. */
    @Test
    void certifiedLabelsStandMovesAndLiarsTogether() {
        int[] certified = new int[3];
        Laws.check(150, seed -> {
            Randomness random = seed.random();
            int classes = 2 + random.nextInt(2);
            int groups = 3 + random.nextInt(5);
            double[] shared = random.gaussians(FEATURES);
            List<TrainedModel> models = IntStream.range(0, groups)
                    .mapToObj(g -> model(classes, random, 3))
                    .toList();
            VotingModel voting = new VotingModel(
                    "label",
                    CLASSES.subList(0, classes),
                    Roster.deal(
                            IntStream.range(0, groups).mapToObj(g -> "s" + g).toList(), groups),
                    models.stream().map(m -> VotingModel.Group.of(m, 1)).toList());
            RowMove move = move(random, 0.3 * random.nextDouble());
            VotedRows here = votes(voting, rows(shared), 1, Optional.of(move));
            int k = here.certified(0);
            certified[Math.min(2, k + 1)]++;
            double[][] tried = new double[100][];
            Arrays.setAll(tried, i -> moved(shared, move, random));
            VotedRows there = votes(voting, rows(tried), tried.length, Optional.empty());
            for (int i = 0; i < tried.length && k >= 0; i++) {
                int[] counts = there.classes(i).counts();
                int label = here.classes(0).label();
                for (int b = 0; b < classes; b++) {
                    // The worst that k groups can do is to leave the label for one rival.
                    boolean beats = b == label
                            || counts[label] - k > counts[b] + k
                            || counts[label] - k == counts[b] + k && label < b;
                    assertThat(beats).isTrue();
                }
            }
        });
        assertThat(certified).as("every kind of case is met").doesNotContain(0);
    }

    private static VotedRows votes(VotingModel model, Dataset rows, int count, Optional<RowMove> move) {
        return VotedRows.of(
                model,
                model.groups().stream()
                        .map(group -> Optional.of(new VotedRows.GroupRows(rows, new BitSet())))
                        .toList(),
                count,
                move);
    }

    @Test
    void aGroupThatReadsAMovedColumnAsTextReachesEveryClass() {
        Encoding encoding = new Encoding(
                List.of(new Encoding.Column("a", List.of("1", "2"), List.of(), false), Encoding.Column.number("b")));
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {1, -1, 1, 5},
                encoding,
                Scaling.none(3),
                LabelScaling.NONE,
                new Schema(encoding.features(), "label", List.of("x", "y"), List.of()),
                0.5);
        var said = model.predict(rows(new double[] {1, 0, 0}));
        assertThat(Reach.of(model, new RowMove(Norm.L2, 0.1, Map.of("b", 1.0))).of(said, 0, new double[] {1, 0, 0}))
                .containsExactly(false, true);
        assertThat(Reach.of(model, new RowMove(Norm.L2, 0.1, Map.of("a", 1.0))).of(said, 0, new double[] {1, 0, 0}))
                .containsExactly(true, true);
        assertThat(Reach.of(model, new RowMove(Norm.L2, 7, Map.of("b", 1.0))).of(said, 0, new double[] {1, 0, 0}))
                .containsExactly(true, true);
    }

    /** Days are numbers, but what the group reads of a date that moves is another month. */
    @Test
    void aGroupThatReadsAMovedColumnAsADateReachesEveryClass() {
        Encoding encoding = new Encoding(List.of(
                new Encoding.Column("a", List.of(), List.of(), false, DatePart.DAYS), Encoding.Column.number("b")));
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {1e-6, 1, 5},
                encoding,
                Scaling.none(2),
                LabelScaling.NONE,
                new Schema(encoding.features(), "label", List.of("x", "y"), List.of()),
                0.5);
        DatasetBuilder builder = new DatasetBuilder(2);
        builder.add(new double[] {1, 1}, 0, 0, 1);
        var said = model.predict(builder.build(model.schema(), new DataSource("rows", "")));
        assertThat(Reach.of(model, new RowMove(Norm.L2, 0.1, Map.of("b", 1.0))).of(said, 0, new double[] {1, 1}))
                .containsExactly(false, true);
        assertThat(Reach.of(model, new RowMove(Norm.L2, 0.1, Map.of("a", 1.0))).of(said, 0, new double[] {1, 1}))
                .containsExactly(true, true);
    }

    @Test
    void aGroupThatCannotReadARowMayVoteForAnythingWhereItMoves() {
        VotingModel.Group sure = VotingModel.Group.of(
                new TrainedModel(
                        Models.catalogue().choose("logistic"),
                        true,
                        new double[] {0, 0, 0, 5},
                        Scaling.none(FEATURES),
                        LabelScaling.NONE,
                        new Schema(NAMES, "label", List.of("x", "y"), List.of()),
                        0.5),
                5);
        VotingModel voting = new VotingModel(
                "label", List.of("x", "y"), Roster.deal(List.of("s", "t", "u"), 3), List.of(sure, sure, sure));
        Dataset row = rows(new double[FEATURES]);
        BitSet unreadable = new BitSet();
        unreadable.set(0);
        // The second group would vote for y, as its fixed vote is.
        List<Optional<VotedRows.GroupRows>> read = List.of(
                Optional.of(new VotedRows.GroupRows(row, new BitSet())),
                Optional.of(new VotedRows.GroupRows(row, unreadable)),
                Optional.of(new VotedRows.GroupRows(row, unreadable)));
        assertThat(VotedRows.of(voting, read, 1, Optional.empty()).classes(0).counts())
                .containsExactly(1, 2);
        assertThat(VotedRows.of(voting, read, 1, Optional.of(new RowMove(Norm.L2, 0.1, Map.of("a", 1.0))))
                        .certified(0))
                .isEqualTo(-1);
    }

    @Test
    void groupsWithoutAVoteCastAFixedOneAndCountAsUnusable() {
        Randomness random = holdfast.Seed.of(1).random();
        VotingModel.Group known = VotingModel.Group.of(model(2, random, 3), 5);
        VotingModel voting = new VotingModel(
                "label",
                List.of("x", "y"),
                Roster.deal(List.of("s", "t", "u"), 3),
                List.of(known, VotingModel.Group.unusable("one class only"), known));
        double[] far = {1e308, -1e308, 1e308};
        Dataset rows = rows(new double[] {0, 0, 0}, far, new double[] {1, 1, 1});
        BitSet unreadable = new BitSet();
        unreadable.set(2);
        VotedRows voted = VotedRows.of(
                voting,
                List.of(
                        Optional.of(new VotedRows.GroupRows(rows, unreadable)),
                        Optional.empty(),
                        Optional.of(new VotedRows.GroupRows(rows, new BitSet()))),
                3,
                Optional.empty());
        assertThat(voted.vote(1, 0)).isEqualTo(1);
        assertThat(voted.isOwn(0, 0)).isTrue();
        assertThat(voted.isOwn(0, 2)).isFalse();
        assertThat(voted.vote(0, 2)).isZero();
        assertThat(voted.classes(0).unusable()).isEqualTo(1);
        assertThat(voted.classes(2).unusable()).isEqualTo(2);
        assertThat(voted.classes(2).certified()).isZero();
        VotingModel numbers = new VotingModel(
                "label",
                List.of(),
                Roster.deal(List.of("s", "t"), 2),
                List.of(VotingModel.Group.unusable("?"), VotingModel.Group.unusable("?")));
        assertThat(numbers.fixedVote(0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(numbers.fixedVote(1)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(numbers.unusable()).isEqualTo(2);
    }

    @Test
    void badMovesAreRefused() {
        assertThatThrownBy(() -> new RowMove(Norm.L2, -1, Map.of())).hasMessageContaining(">= 0, got -1");
        assertThatThrownBy(() -> new RowMove(Norm.L2, Double.NaN, Map.of())).hasMessageContaining("got NaN");
        assertThatThrownBy(() -> new RowMove(Norm.L2, 1, Map.of("a", 0.0)))
                .hasMessage("the unit of a must be finite and > 0, got 0.0");
    }
}
