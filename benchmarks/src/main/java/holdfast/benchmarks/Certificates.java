package holdfast.benchmarks;

import holdfast.Seed;
import holdfast.certificate.MisclassificationCurve;
import holdfast.certificate.Roster;
import holdfast.certificate.RowMove;
import holdfast.certificate.ShiftCurve;
import holdfast.certificate.VoteGrid;
import holdfast.certificate.VoteTraining;
import holdfast.certificate.VotedRows;
import holdfast.certificate.VotingModel;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Partitions;
import holdfast.data.Table;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.objective.WeightedL2;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.training.Training;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which share of Spambase's held-out rows is predicted right and stays so, whichever k sources lie and however each row moves within
 * q, with one group per source; and what certificates take, in trainings.
 *
 * <p>q is an l2 budget in standard deviations of the columns over the held-out rows, which no source has. A fifth of the rows is held
 * out.
 */
final class Certificates {
    private static final int SEEDS = Integer.getInteger("holdfast.bench.seeds", 5);
    private static final int MAX_LIARS = 6;
    private static final double[] MOVES = {0, 0.1, 0.3};
    private static final double[] BUDGETS = {0, 0.05, 0.1, 0.2, 0.3, 0.5, 1};
    private static final int HELD_OUT = 5;

    private Certificates() {}

    static List<Measured> measure() {
        Table spam = DataFile.read("builtin:spambase", Plan.defaults());
        List<Measured> lines = new ArrayList<>();
        for (int sources : new int[] {10, 20}) {
            for (String dealing : List.of("iid", "dirichlet(alpha=1)")) {
                lines.addAll(shares(spam, sources, dealing));
            }
        }
        lines.addAll(times(spam, "Spambase", 9));
        lines.addAll(times(DataFile.read("builtin:digits", Plan.defaults()), "Digits", 3));
        lines.add(timeOfVotes(spam));
        return lines;
    }

    /** Votes of one group per source, and the rows that none of them has. */
    private record Votes(VotingModel model, Table heldOut) {
        static Votes of(Table table, int sources, String dealing, long number) {
            Seed seed = Seed.of(number);
            int[] order = IntStream.range(0, table.rows()).toArray();
            seed.child("held out").random().shuffle(order);
            int held = table.rows() / HELD_OUT;
            Table training = part(table, Arrays.copyOfRange(order, held, order.length));
            Partition dealt = Partitions.catalogue().choose(dealing).value().deal(training.cells(), sources, seed);
            List<String> names =
                    IntStream.range(0, sources).mapToObj(s -> "s" + s).toList();
            Roster roster = Roster.deal(names, sources);
            VotingModel model = VoteTraining.train(
                    table.schema().label(),
                    table.schema().classes(),
                    roster,
                    Plan.automatic().with("workers-by", "source").with(PlanKey.SEED, number),
                    g -> {
                        String source = roster.groups().get(g).get(0);
                        int[] rows = dealt.rows().get(names.indexOf(source));
                        Dataset own = training.cells().select(rows).grouped(List.of(source), new int[rows.length]);
                        return training.with(training.columns(), own);
                    },
                    Runtime.getRuntime().availableProcessors(),
                    g -> {});
            return new Votes(model, part(table, Arrays.copyOf(order, held)));
        }

        private static Table part(Table table, int[] rows) {
            return table.with(table.columns(), table.cells().select(rows));
        }

        VoteGrid grid() {
            Dataset cells = heldOut.cells();
            List<Optional<VotedRows.GroupRows>> read = model.groups().stream()
                    .map(group ->
                            group.model().map(own -> new VotedRows.GroupRows(own.features(heldOut), new BitSet())))
                    .toList();
            VotedRows voted = VotedRows.of(model, read, cells.rows(), Optional.empty());
            double[] labels =
                    IntStream.range(0, cells.rows()).mapToDouble(cells::label).toArray();
            return VoteGrid.of(voted, labels, Optional.of(new RowMove(Norm.L2, 0, spreads(cells))), MOVES);
        }
    }

    /** Returns the standard deviation of each column that is not constant. */
    private static Map<String, Double> spreads(Dataset rows) {
        Map<String, Double> spreads = new TreeMap<>();
        for (int c = 0; c < rows.columns(); c++) {
            int column = c;
            double[] values = IntStream.range(0, rows.rows())
                    .mapToDouble(r -> rows.row(r)[column])
                    .toArray();
            double sd = sd(values);
            if (sd > 0) {
                spreads.put(rows.schema().features().get(c), sd);
            }
        }
        return spreads;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double sd(double[] values) {
        double mean = mean(values);
        return Math.sqrt(Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / (values.length - 1));
    }

    private static List<Measured> shares(Table table, int sources, String dealing) {
        String where = sources + " sources, " + dealing;
        List<VoteGrid> grids = IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Votes.of(table, sources, dealing, seed).grid())
                .toList();
        List<Measured> lines = new ArrayList<>();
        lines.add(line(
                where + ": right",
                grids.stream()
                        .mapToDouble(grid -> 1 - grid.evaluations().get(0).error())
                        .toArray()));
        for (int q = 0; q < MOVES.length; q++) {
            for (int k = 0; k <= Math.min(MAX_LIARS, VoteGrid.largestLiars(sources)); k++) {
                int liars = k;
                int move = q;
                lines.add(line(
                        where + ": q " + MOVES[q] + ", k " + k,
                        grids.stream()
                                .mapToDouble(grid -> grid.share(liars, move))
                                .toArray()));
            }
        }
        return lines;
    }

    private static Measured line(String what, double[] bySeed) {
        return Measured.only(String.format(Locale.ROOT, "%s (sd %.3f)", what, sd(bySeed)), mean(bySeed));
    }

    /** What {@code certify} computes of one model, in trainings without the choice of a price. */
    private static List<Measured> times(Table table, String name, int turns) {
        TrainedModel model = Training.of(table, Plan.automatic()).run().model();
        Dataset rows = model.features(table);
        Turns taken = Turns.of(
                1,
                turns,
                Turns.timed(() -> certify(model, rows)),
                Turns.timed(() -> Training.of(table, Plan.defaults()).run()),
                Turns.timed(() -> Training.of(table, Plan.automatic()).run()));
        return List.of(
                Measured.atMost(name + ": certify / one training", taken.ratio(0, 1), 1),
                Measured.atMost(name + ": certify / training with the automatic price", taken.ratio(0, 2), 1),
                Measured.only(name + ": certify, s", taken.seconds(0)));
    }

    private static void certify(TrainedModel model, Dataset rows) {
        ShiftCurve losses = ShiftCurve.of(model, rows, WeightedL2.EQUAL);
        MisclassificationCurve errors = MisclassificationCurve.of(model, rows, WeightedL2.EQUAL);
        for (double q : BUDGETS) {
            losses.at(q * q / 2);
            errors.at(q * q / 2);
            Arrays.stream(Norm.values()).forEach(norm -> errors.rate(norm, q));
        }
    }

    private static Measured timeOfVotes(Table table) {
        Votes votes = Votes.of(table, 20, "iid", 1);
        Turns taken = Turns.of(1, 9, Turns.timed(votes::grid), Turns.timed(() -> Votes.of(table, 20, "iid", 1)));
        return Measured.atMost("Spambase: certify 20 votes / training them", taken.ratio(0, 1), 1);
    }
}
