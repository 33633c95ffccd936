package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MajorityVoteTest {
    private static MajorityVote vote(int replicas, int liars) {
        return new MajorityVote(replicas, liars, new Median(MajorityVote.spoiled(liars, replicas)));
    }

    private static Round round(int workers, List<WorkerUpdate> votes) {
        return new Round(2, workers, votes, new double[votes.get(0).vector().length], Seed.of(4), Carry.NONE, null);
    }

    /** The truthful votes: what shard g sends is drawn from its number. */
    private static List<WorkerUpdate> truth(int shards, int replicas, Seed seed) {
        return IntStream.range(0, shards * replicas)
                .mapToObj(w -> new WorkerUpdate(
                        w, seed.child("shard", w / replicas).random().gaussians(3)))
                .toList();
    }

    /** How many shards do not send their true update when these workers send this, or nothing where it is null. */
    private static int spoiled(MajorityVote vote, List<WorkerUpdate> truth, int liars, double[] lie) {
        List<WorkerUpdate> sent = new ArrayList<>();
        for (WorkerUpdate v : truth) {
            if ((liars >> v.worker() & 1) == 0) {
                sent.add(v);
            } else if (lie != null) {
                sent.add(new WorkerUpdate(v.worker(), lie));
            }
        }
        long right = vote.agreed(sent).stream()
                .filter(m -> Arrays.equals(
                        m.vector(), truth.get(m.worker() * vote.replicas()).vector()))
                .count();
        return truth.size() / vote.replicas() - (int) right;
    }

    @Test
    void noPlacementOfLiarsSpoilsMoreShardsThanCountedAndSomePlacementAsMany() {
        for (int replicas = 1; replicas <= 5; replicas++) {
            for (int shards = 1; shards * replicas <= 10; shards++) {
                int workers = shards * replicas;
                List<WorkerUpdate> truth = truth(shards, replicas, Seed.of(1));
                int[] most = new int[workers + 1];
                for (int liars = 0; liars < 1 << workers; liars++) {
                    int count = Integer.bitCount(liars);
                    MajorityVote vote = vote(replicas, 0);
                    most[count] = Math.max(most[count], spoiled(vote, truth, liars, new double[] {1, 2, 3}));
                    most[count] = Math.max(most[count], spoiled(vote, truth, liars, null));
                }
                for (int b = 0; b <= workers; b++) {
                    assertThat(most[b])
                            .as("%d liars, %d shards of %d", b, shards, replicas)
                            .isEqualTo(Math.min(shards, MajorityVote.spoiled(b, replicas)));
                    assertThat(MajorityVote.spoiled(b, replicas) == 0).isEqualTo(replicas >= 2 * b + 1);
                }
            }
        }
    }

    @Test
    void withEnoughReplicasTheMeanIsThatOfTheTruthToTheBit() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int liars = random.nextInt(3);
            int replicas = 2 * liars + 1 + random.nextInt(2);
            int shards = 1 + random.nextInt(4);
            List<WorkerUpdate> truth = truth(shards, replicas, seed);
            List<WorkerUpdate> sent = new ArrayList<>(truth);
            for (int liar : random.choose(liars, truth.size())) {
                sent.set(liar, new WorkerUpdate(liar, random.gaussians(3)));
            }
            int missing = random.nextInt(liars + 1);
            sent.removeIf(v -> !truth.contains(v) && v.worker() % 3 < missing);
            MajorityVote vote = new MajorityVote(replicas, liars, new Mean());
            Aggregate made = vote.aggregate(round(truth.size(), sent));
            List<WorkerUpdate> one = IntStream.range(0, shards)
                    .mapToObj(g -> new WorkerUpdate(g, truth.get(g * replicas).vector()))
                    .toList();
            assertThat(Laws.bits(made.direction())).isEqualTo(Laws.bits(Mean.of(one)));
            assertThat(made.kept())
                    .isEqualTo(sent.stream()
                            .filter(truth::contains)
                            .mapToInt(WorkerUpdate::worker)
                            .toArray());
        });
    }

    @Test
    void aRobustRuleBearsTheShardsThatTooFewReplicasLose() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int replicas = 2 + random.nextInt(3);
            int liars = 1 + random.nextInt(4);
            MajorityVote vote = vote(replicas, liars);
            int shards = vote.rule().minWorkers() + random.nextInt(3);
            List<WorkerUpdate> truth = truth(shards, replicas, seed);
            double longest = truth.stream()
                    .mapToDouble(v -> Vectors.norm(v.vector()))
                    .max()
                    .orElseThrow();
            List<WorkerUpdate> sent = new ArrayList<>(truth);
            double[] lie = {1e9, -1e9, 1e9};
            // From the first shard on, so that as many as possible are spoiled.
            for (int liar = 0; liar < liars; liar++) {
                int shard = liar / ((replicas + 1) / 2);
                int w = shard * replicas + liar % ((replicas + 1) / 2);
                if (w < sent.size()) {
                    sent.set(w, new WorkerUpdate(w, lie));
                }
            }
            Aggregate made = vote.aggregate(round(truth.size(), sent));
            assertThat(Vectors.norm(made.direction())).isLessThan(longest * Math.sqrt(3));
        });
    }

    @Test
    void bitsDecideAndAMissingReplyAgreesWithNobody() {
        MajorityVote vote = vote(3, 1);
        double[] plus = {0.0, 1};
        double[] minus = {-0.0, 1};
        List<PreAggregator.Mixed> agreed = vote.majorities(List.of(
                new WorkerUpdate(0, minus),
                new WorkerUpdate(1, plus),
                new WorkerUpdate(2, minus.clone()),
                new WorkerUpdate(3, plus),
                new WorkerUpdate(4, minus),
                new WorkerUpdate(6, plus),
                new WorkerUpdate(8, plus)));
        assertThat(agreed).extracting(m -> m.update().worker()).containsExactly(0, 2);
        assertThat(Laws.bits(agreed.get(0).update().vector())).isEqualTo(Laws.bits(minus));
        assertThat(agreed.get(0).members()).containsExactly(0, 2);
        assertThat(agreed.get(1).members()).containsExactly(6, 8);
        // Two of three replies are not more than half of four replicas.
        assertThat(vote(4, 1)
                        .agreed(List.of(
                                new WorkerUpdate(0, plus), new WorkerUpdate(1, plus), new WorkerUpdate(3, minus))))
                .isEmpty();
        assertThat(vote(2, 0)
                        .agreed(List.of(
                                new WorkerUpdate(0, plus), new WorkerUpdate(2, plus), new WorkerUpdate(3, plus))))
                .extracting(WorkerUpdate::worker)
                .containsExactly(1);
    }

    @Test
    void explainsWhoWasOutvoted() {
        double[] a = {1};
        double[] b = {5};
        Round round = Round.of(a, a, b, b, b, b);
        Aggregate made = new MajorityVote(3, 1, new Mean()).aggregate(round);
        assertThat(made.direction()).containsExactly(3);
        assertThat(made.kept()).containsExactly(0, 1, 3, 4, 5);
        assertThat(made.explanation()).isEqualTo("all kept; before, outvoted or without a majority [2]");
        assertThat(new MajorityVote(3, 1, new Mean())
                        .aggregate(Round.of(a, a, a))
                        .explanation())
                .isEqualTo("all kept; before, all replicas agreed");
    }

    @Test
    void whatCannotBeBorneIsRefused() {
        assertThatThrownBy(() -> new MajorityVote(3, 2, new Mean()))
                .isInstanceOf(InputException.class)
                .hasMessage("tolerates 0 false updates, so f = 2 liars need --replicas >= 2f+1 = 5, got 3");
        assertThatThrownBy(() -> vote(3, 1).requireServes(10))
                .isInstanceOf(InputException.class)
                .hasMessage("--workers must be a multiple of --replicas, got 10 workers for 3 replicas");
        assertThatThrownBy(() -> vote(2, 1).requireServes(4))
                .hasMessage("tolerated = 1 needs at least 6 workers, got 4");
        double[] a = {1};
        double[] b = {2};
        assertThatThrownBy(() -> vote(2, 1).aggregate(Round.of(a, b, a, b, a, a)))
                .isInstanceOf(LostRoundException.class)
                .hasMessage(
                        "in 2 of 3 shards no more than half of the 2 replicas agree, but at most 1 such shards are tolerated");
    }

    @Test
    void inputsStayUntouchedAndTheDirectionIsNoVotesOwnArray() {
        Laws.check(20, seed -> {
            List<WorkerUpdate> truth = truth(1, 3, seed);
            long[] before = Laws.bits(truth.get(0).vector());
            Aggregate made = new MajorityVote(3, 1, new Mean()).aggregate(round(3, truth));
            Arrays.fill(made.direction(), 7);
            assertThat(Laws.bits(truth.get(0).vector())).isEqualTo(before);
        });
    }

    @Test
    void isExactWhereNoShardCanBeSpoiled() {
        assertThat(vote(3, 1).isExact()).isTrue();
        assertThat(vote(5, 2).isExact()).isTrue();
        assertThat(new MajorityVote(2, 1, new Median(1)).isExact()).isFalse();
        assertThat(new MajorityVote(3, 2, new Median(1)).isExact()).isFalse();
    }

    @Test
    void replicasAndBudgetMustBeNumbersOfWorkers() {
        assertThatThrownBy(() -> new MajorityVote(0, 0, new Mean()))
                .isInstanceOf(InputException.class)
                .hasMessage("--replicas must be at least 1, got 0");
        assertThatThrownBy(() -> new MajorityVote(1, -1, new Mean()))
                .isInstanceOf(InputException.class)
                .hasMessage("majority vote: tolerated must be between 0 and 100000000, got -1");
    }
}
