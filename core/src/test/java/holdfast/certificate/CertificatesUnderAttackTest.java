package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.Round;
import holdfast.attack.Attack;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.RawAttack;
import holdfast.attack.RawContext;
import holdfast.attack.RowAttack;
import holdfast.attack.UpdateAttack;
import holdfast.certificate.ShiftCases.Case;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Vectors;
import holdfast.objective.Box;
import holdfast.objective.WeightedL2;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.WorkerReply;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every attack of the catalogue, by as many sources as are tolerated, against every certificate that speaks of lying sources. Votes
 * on classes, with rows that move, are attacked by the real command in the module app.
 */
class CertificatesUnderAttackTest {
    private static final int SOURCES = 10;
    private static final int[] LIARS = {2, 7};

    /** All but category-flood, because these rows have no text; the test of the module app has it. */
    private static Stream<String> attacks() {
        return Attacks.catalogue().names().stream()
                .filter(name -> !List.of("none", "category-flood").contains(name));
    }

    /** Those on rows, and three that are aimed at certificates. */
    private static Stream<String> attacksOnRows() {
        return Stream.concat(
                attacks().filter(name -> !(attack(name) instanceof UpdateAttack)),
                Stream.of("what the model predicts", "the opposite", "one row"));
    }

    private static Stream<String> attacksOnNumbers() {
        return attacksOnRows().filter(name -> !name.equals("backdoor"));
    }

    private static Attack attack(String name) {
        return Attacks.catalogue().choose(name).value();
    }

    private static boolean honest(int source) {
        return Arrays.binarySearch(LIARS, source) < 0;
    }

    private static Dataset onlyHonest(Dataset rows) {
        return rows.select(IntStream.range(0, rows.rows())
                .filter(r -> honest(rows.group(r)))
                .toArray());
    }

    /** Returns the rows as they are handed in if the liars attack. */
    private static Dataset attacked(Dataset rows, String name, TrainedModel model, Seed seed) {
        List<int[]> sources = rows.rowsBySource();
        if (Attacks.catalogue().names().contains(name) && attack(name) instanceof RawAttack raw) {
            return raw.poison(new RawContext(
                            Table.of(rows),
                            sources,
                            LIARS,
                            (changed, r) -> changed.cells().select(r),
                            seed))
                    .cells();
        }
        List<Dataset> parts = new ArrayList<>();
        for (int s = 0; s < SOURCES; s++) {
            Dataset own = rows.select(sources.get(s));
            parts.add(honest(s) ? own : lie(own, name, model, seed.child("source", s)));
        }
        return Dataset.joined(parts);
    }

    private static Dataset lie(Dataset own, String name, TrainedModel model, Seed seed) {
        double[] said = IntStream.range(0, own.rows())
                .mapToDouble(model.predict(own)::label)
                .toArray();
        return switch (name) {
            case "what the model predicts" -> own.relabel(r -> said[r]);
            case "the opposite" -> own.relabel(r -> 1 - said[r]);
            case "one row" -> own.select(new int[] {0});
            default -> ((RowAttack) attack(name)).poison(own, seed);
        };
    }

    /**
     * Two of ten workers attack while a model is trained, and go on when the gap is asked for. It holds for what training ends with,
     * and anywhere else. The least objective of the honest workers is found by Newton's method.
     */
    @ParameterizedTest
    @MethodSource("attacks")
    void theHonestOptimumIsNoFartherThanTheGap(String name) {
        double mu = 0.05;
        Dataset rows = Samples.dataset(Seed.of(3), 500, 4, SOURCES);
        Plan plan = Plan.defaults()
                .with("workers-by", "source")
                .with("tolerated", "2")
                .with("lambda", "none")
                .with("intercept", "false")
                .with("l2", "" + mu)
                .with("test-share", "0")
                .with("rounds", "15")
                .with("attack", name)
                .with(PlanKey.BYZANTINE, Arrays.stream(LIARS).boxed().toList());
        boolean weights = name.equals("wild-weights");
        Training training = Training.of(weights ? rows.reweigh(r -> 1 + r % 3) : rows, plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            TrainingRun run = training.run(prepared);
            List<Dataset> honest = ((InProcessPool) prepared.pool())
                    .members().stream()
                            .filter(worker -> honest(worker.id()))
                            .map(worker -> worker.shard())
                            .toList();
            double[] best = OptimumGapTest.newton(honest, mu);
            double[] trained = run.model().theta();
            double exact = OptimumGapTest.value(honest, mu, trained) - OptimumGapTest.value(honest, mu, best);
            assertThat(exact).isPositive();
            assertThat(OptimumGap.of(run, prepared).bound()).isGreaterThanOrEqualTo(exact);
            Laws.check(20, seed -> {
                double[] theta = best.clone();
                Vectors.addScaled(
                        theta,
                        StrictMath.exp(-6 * seed.random().nextDouble()),
                        seed.random().gaussians(4),
                        4);
                double gap = OptimumGapTest.value(honest, mu, theta) - OptimumGapTest.value(honest, mu, best);
                assertThat(sent(prepared, theta, attack(name), seed, mu).bound())
                        .isGreaterThanOrEqualTo(gap - 1e-14);
            });
        }
    }

    /** Returns the gap if liars send what an attack forges from everybody's gradients; vectors that are not finite do not arrive. */
    private static OptimumGap sent(PreparedRun prepared, double[] theta, Attack attack, Seed seed, double mu) {
        List<double[]> gradients = new ArrayList<>(prepared.pool().ask(new RoundRequest(0, theta, false)).stream()
                .map(reply -> ((WorkerReply.Update) reply).vector())
                .toList());
        if (attack instanceof UpdateAttack update) {
            List<double[]> forged = update.forge(new AttackContext(
                    Round.of(gradients.toArray(double[][]::new)), LIARS, new NormScreening(LIARS.length), seed));
            for (int i = 0; i < LIARS.length; i++) {
                gradients.set(LIARS[i], forged.get(i));
            }
        }
        List<double[]> arrived = gradients.stream().filter(Vectors::finite).toList();
        return OptimumGap.of(arrived, new double[arrived.size()], SOURCES, LIARS.length, mu, 1000);
    }

    /** The mean over the honest sources of what their rows can really be moved to is below what is certified with the lies. */
    @ParameterizedTest
    @MethodSource("attacksOnRows")
    void certificatesByShiftHoldForTheHonestSources(String name) {
        Laws.check(6, seed -> {
            Case c = ShiftCases.random(seed, "logistic", 80, 3, name.equals("wild-weights"), SOURCES, 2);
            Dataset lied = attacked(c.rows(), name, c.model(), seed.child("attack"));
            assertThat(onlyHonest(lied).rows()).isEqualTo(onlyHonest(c.rows()).rows());
            double q = seed.random().nextDouble();
            double rho = q * q / 2;
            assertThat(ShiftCurve.bySource(c.model(), lied, WeightedL2.EQUAL, Box.NONE, LIARS.length)
                            .at(rho)
                            .certified())
                    .isGreaterThanOrEqualTo(
                            ShiftCurve.bySource(c.model(), onlyHonest(c.rows()), WeightedL2.EQUAL, Box.NONE, 0)
                                    .at(rho)
                                    .attained());
            MisclassificationCurve errors =
                    MisclassificationCurve.bySource(c.model(), lied, WeightedL2.EQUAL, LIARS.length);
            MisclassificationCurve truth =
                    MisclassificationCurve.bySource(c.model(), onlyHonest(c.rows()), WeightedL2.EQUAL, 0);
            assertThat(errors.at(rho).certified())
                    .isGreaterThanOrEqualTo(truth.at(rho).attained());
            for (Norm norm : Norm.values()) {
                assertThat(errors.rate(norm, q)).isGreaterThanOrEqualTo(truth.rate(norm, q) - 1e-12);
            }
        });
    }

    /**
     * Split conformal prediction on the honest rows alone covers; so does every threshold that is not below theirs. An honest
     * source's own threshold does not depend on the others at all.
     */
    @ParameterizedTest
    @MethodSource("attacksOnRows")
    void thresholdsAreNotBelowThoseOfTheHonestSources(String name) {
        Laws.check(20, seed -> {
            Case c = ShiftCases.random(seed, "logistic", 150, 3, name.equals("wild-weights"), SOURCES, 2);
            Dataset lied = attacked(c.rows(), name, c.model(), seed.child("attack"));
            ConformalScores scores = ConformalScores.of(c.model(), lied, LIARS.length, seed);
            ConformalScores honest = ConformalScores.of(c.model(), onlyHonest(c.rows()), 0, seed);
            for (double level : new double[] {0.5, 0.7, 0.85}) {
                assertThat(scores.forPool(level).value())
                        .isGreaterThanOrEqualTo(honest.forPool(level).value());
                assertThat(scores.forNewSource(level).value())
                        .isGreaterThanOrEqualTo(honest.forNewSource(level).value());
                assertThat(scores.forSource("s0", level).value())
                        .isEqualTo(honest.forSource("s0", level).value());
            }
        });
    }

    /** Every source is a group; the medians of their numbers stay in the intervals that were certified before the attack. */
    @ParameterizedTest
    @MethodSource("attacksOnNumbers")
    void mediansStayWithinTheirIntervals(String name) {
        Dataset rows = Samples.numbers(Seed.of(5), 300, 3, SOURCES);
        Dataset all = name.equals("wild-weights") ? rows.reweigh(r -> 1 + r % 3) : rows;
        VotingModel honest = votes(all);
        TrainedModel any = honest.groups().get(0).model().orElseThrow();
        Dataset test = Samples.numbers(Seed.of(6), 40, 3, 0);
        VotedRows before = voted(honest, test);
        VotedRows after = voted(votes(attacked(all, name, any, Seed.of(7))), test);
        for (int r = 0; r < test.rows(); r++) {
            NumberVotes certified = before.numbers(r);
            assertThat(after.numbers(r).median())
                    .isBetween(certified.lowest(LIARS.length), certified.highest(LIARS.length));
        }
    }

    /** If nobody is tolerated, the same lies break every law above, so that they can fail. */
    @Test
    void liesThatAreNotToleratedBreakTheLaws() {
        int[] broken = new int[3];
        Laws.check(20, seed -> {
            Case c = ShiftCases.random(seed, "logistic", 150, 3, false, SOURCES, 2);
            Dataset lied = attacked(c.rows(), "what the model predicts", c.model(), seed);
            Dataset honest = onlyHonest(c.rows());
            double certified = ShiftCurve.bySource(c.model(), lied, WeightedL2.EQUAL, Box.NONE, 0)
                    .at(0.1)
                    .certified();
            double truth = ShiftCurve.bySource(c.model(), honest, WeightedL2.EQUAL, Box.NONE, 0)
                    .at(0.1)
                    .attained();
            broken[0] += certified < truth ? 1 : 0;
            broken[1] += MisclassificationCurve.bySource(c.model(), lied, WeightedL2.EQUAL, 0)
                                    .rate(Norm.L2, 0.1)
                            < MisclassificationCurve.bySource(c.model(), honest, WeightedL2.EQUAL, 0)
                                    .rate(Norm.L2, 0.1)
                    ? 1
                    : 0;
            broken[2] +=
                    ConformalScores.of(c.model(), lied, 0, seed).forPool(0.7).value()
                                    < ConformalScores.of(c.model(), honest, 0, seed)
                                            .forPool(0.7)
                                            .value()
                            ? 1
                            : 0;
        });
        assertThat(broken).doesNotContain(0);
        Dataset rows = Samples.numbers(Seed.of(5), 300, 3, SOURCES);
        VotingModel honest = votes(rows);
        Dataset test = Samples.numbers(Seed.of(6), 40, 3, 0);
        VotedRows after = voted(
                votes(attacked(
                        rows, "the opposite", honest.groups().get(0).model().orElseThrow(), Seed.of(7))),
                test);
        VotedRows before = voted(honest, test);
        assertThat(IntStream.range(0, test.rows())
                        .filter(r ->
                                after.numbers(r).median() != before.numbers(r).median()))
                .isNotEmpty();
    }

    private static VotingModel votes(Dataset rows) {
        List<String> names = rows.schema().groups();
        Roster roster = Roster.deal(names, SOURCES);
        return VoteTraining.train(
                rows.schema().label(),
                List.of(),
                roster,
                Plan.defaults()
                        .with("workers-by", "source")
                        .with("model", "linear")
                        .with("lambda", "none")
                        .with("rounds", "5"),
                g -> Table.of(rows.select(rows.rowsBySource()
                        .get(names.indexOf(roster.groups().get(g).get(0))))),
                1,
                g -> {});
    }

    private static VotedRows voted(VotingModel model, Dataset rows) {
        return VotedRows.of(
                model,
                model.groups().stream()
                        .map(group -> group.model().map(own -> new VotedRows.GroupRows(rows, new BitSet())))
                        .toList(),
                rows.rows(),
                Optional.empty());
    }
}
