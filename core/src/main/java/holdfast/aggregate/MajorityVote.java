package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Redundancy: workers g r, ..., g r + r - 1 hold the same shard g. Honest ones send the same bits, so what more than
 * half of the r send is the shard's true update. The rule sees one update per shard, under the shard's number; a shard
 * without such a majority sends nothing. A missing reply agrees with nobody.
 *
 * <p>Falsifying or silencing a shard takes ceil(r/2) of its replicas, so b liars spoil at most floor(b/ceil(r/2))
 * shards. With r &gt;= 2b + 1 they spoil none, and the plain mean is exact to the bit: DRACO's repetition code (Chen,
 * Wang, Charles, Papailiopoulos 2018). With fewer replicas the rule must tolerate that many spoiled shards: DETOX
 * (Rajput, Wang, Charles, Papailiopoulos 2019). Every row is computed r times.
 *
 * @param replicas r
 * @param tolerated b, the number of workers that may lie or fail
 * @param rule combines the shards' updates; set up for at least {@link #spoiled} of them
 */
public record MajorityVote(int replicas, int tolerated, Aggregator rule) implements Aggregator, ReplicaAgreement {
    public MajorityVote {
        Check.that(replicas >= 1, "--replicas must be at least 1, got %d", replicas);
        Aggregator.checkTolerated("majority vote", tolerated);
        Check.that(
                rule.tolerated() >= spoiled(tolerated, replicas),
                "tolerates %d false updates, so f = %d liars need --replicas >= 2f+1 = %d, got %d",
                rule.tolerated(),
                tolerated,
                2L * tolerated + 1,
                replicas);
    }

    /** Returns the largest number of shards that this many liars can falsify or silence. */
    public static int spoiled(int liars, int replicas) {
        return liars / (replicas - replicas / 2);
    }

    /** Whether no shard can be spoiled, whichever workers lie. */
    public boolean isExact() {
        return spoiled(tolerated, replicas) == 0;
    }

    /** @throws LostRoundException if more shards are silent than the rule tolerates */
    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        List<PreAggregator.Mixed> majorities = majorities(round.updates());
        int shards = round.workers() / replicas;
        int silent = shards - majorities.size();
        if (silent > rule.tolerated() || majorities.isEmpty()) {
            throw new LostRoundException("in " + silent + " of " + shards + " shards no more than half of the "
                    + replicas + " replicas agree, but at most " + rule.tolerated() + " such shards are tolerated");
        }
        Aggregate made = rule.aggregate(new Round(
                round.number(),
                shards,
                majorities.stream().map(PreAggregator.Mixed::update).toList(),
                round.theta(),
                round.seed(),
                round.carry(),
                round.trusted(),
                round.threads()));
        int[] kept = PreAggregator.Mixed.members(majorities, made.kept());
        int[] others = round.sendersBut(majorities.stream()
                .flatMapToInt(m -> Arrays.stream(m.members()))
                .toArray());
        return new Aggregate(
                made.direction(),
                kept,
                made.carry(),
                made.explanation() + "; before, "
                        + (others.length == 0
                                ? "all replicas agreed"
                                : "outvoted or without a majority " + Arrays.toString(others)));
    }

    @Override
    public List<WorkerUpdate> agreed(List<WorkerUpdate> sent) {
        return majorities(sent).stream().map(PreAggregator.Mixed::update).toList();
    }

    @Override
    public int toleratedShards() {
        return rule.tolerated();
    }

    @Override
    public Optional<String> warning(int workers) {
        return isExact()
                ? Optional.empty()
                : Optional.of("--replicas " + replicas + " is below 2f+1 for f = " + tolerated
                        + " liars: they can spoil up to " + rule.tolerated() + " of " + workers / replicas
                        + " shards, which the rule must tolerate");
    }

    /**
     * Returns one update for each shard that has a majority, in the order of the shards; the workers who agree are its
     * members. Bits decide, so 0 and -0 differ: honest replicas compute the same bits.
     *
     * @param updates by ascending worker id
     */
    List<PreAggregator.Mixed> majorities(List<WorkerUpdate> updates) {
        List<PreAggregator.Mixed> majorities = new ArrayList<>();
        for (int from = 0; from < updates.size(); ) {
            int shard = updates.get(from).worker() / replicas;
            int to = from;
            while (to < updates.size() && updates.get(to).worker() / replicas == shard) {
                to++;
            }
            List<WorkerUpdate> group = updates.subList(from, to);
            for (int i = 0; 2 * (group.size() - i) > replicas; i++) {
                double[] candidate = group.get(i).vector();
                int[] members = group.stream()
                        .filter(v -> Arrays.equals(v.vector(), candidate))
                        .mapToInt(WorkerUpdate::worker)
                        .toArray();
                if (2 * members.length > replicas) {
                    majorities.add(new PreAggregator.Mixed(new WorkerUpdate(shard, candidate), members));
                    break;
                }
            }
            from = to;
        }
        return majorities;
    }

    @Override
    public boolean needsTrusted() {
        return rule.needsTrusted();
    }

    @Override
    public int minWorkers() {
        return (int) Math.min(Integer.MAX_VALUE, (long) rule.minWorkers() * replicas);
    }

    /** What is known about the rule, of the shards' updates: at most {@link #spoiled} of them are lies. */
    @Override
    public Robustness robustness(int workers) {
        return rule.robustness(workers / replicas);
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return isExact()
                ? Optional.of(Proof.of(
                        true,
                        replicas + " replicas outvote f = " + tolerated,
                        "Chen, Wang, Charles, Papailiopoulos 2018"))
                : rule.proof(workers / replicas);
    }

    @Override
    public void requireServes(int workers) {
        Check.that(
                workers % replicas == 0,
                "--workers must be a multiple of --replicas, got %d workers for %d replicas",
                workers,
                replicas);
        Aggregator.super.requireServes(workers);
    }
}
