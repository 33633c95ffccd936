package holdfast.spark;

import holdfast.Check;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which worker holds which rows of a table, and at which place among its own. Known without moving or sorting a row: from its
 * number, its source and how many rows of that source came before.
 */
abstract class Deal implements Serializable {
    private static final long serialVersionUID = 1;

    /** How many rows each worker holds. */
    final long[] sizes;

    Deal(long[] sizes) {
        this.sizes = sizes;
    }

    /** Deals the rows of one partition of the table, in their order. */
    abstract Dealer partition(int partition);

    /** Tells where rows go. */
    interface Dealer {
        /**
         * @param number of the row in the table
         * @param source as an index; 0 where rows name none
         * @return the worker, or -1 if nobody holds the row
         */
        int worker(long number, int source);

        /** Of the row asked for last. */
        long place();
    }

    /** All rows, in their order, held by one. */
    static Deal together(long rows) {
        return inTurn(rows, 1);
    }

    /** Row i to worker i mod m. */
    static Deal inTurn(long rows, int workers) {
        Check.that(
                rows >= workers,
                "there must be at least one training row per worker, got %d rows for %d workers",
                rows,
                workers);
        return new InTurn(IntStream.range(0, workers)
                .mapToLong(w -> (rows - w - 1) / workers + 1)
                .toArray());
    }

    private static final class InTurn extends Deal {
        private static final long serialVersionUID = 1;

        InTurn(long[] sizes) {
            super(sizes);
        }

        @Override
        Dealer partition(int partition) {
            int workers = sizes.length;
            return new Dealer() {
                private long place;

                @Override
                public int worker(long number, int source) {
                    place = number / workers;
                    return (int) (number % workers);
                }

                @Override
                public long place() {
                    return place;
                }
            };
        }
    }

    /** @param counts rows of each source, by partition */
    static Deal bySource(List<long[]> counts) {
        long[] sizes = new long[counts.get(0).length];
        long[][] before = new long[counts.size()][];
        for (int p = 0; p < before.length; p++) {
            before[p] = sizes.clone();
            for (int s = 0; s < sizes.length; s++) {
                sizes[s] += counts.get(p)[s];
            }
        }
        return new BySource(sizes, before);
    }

    private static final class BySource extends Deal {
        private static final long serialVersionUID = 1;
        private final long[][] before;

        BySource(long[] sizes, long[][] before) {
            super(sizes);
            this.before = before;
        }

        @Override
        Dealer partition(int partition) {
            long[] next = before[partition].clone();
            return new Dealer() {
                private long place;

                @Override
                public int worker(long number, int source) {
                    place = next[source]++;
                    return source;
                }

                @Override
                public long place() {
                    return place;
                }
            };
        }
    }

    /** As a list of row numbers per worker says, each ascending. */
    static Deal listed(int rows, List<int[]> shards) {
        int[] worker = new int[rows];
        int[] place = new int[rows];
        Arrays.fill(worker, -1);
        for (int w = 0; w < shards.size(); w++) {
            int[] shard = shards.get(w);
            for (int i = 0; i < shard.length; i++) {
                worker[shard[i]] = w;
                place[shard[i]] = i;
            }
        }
        return new Listed(shards.stream().mapToLong(shard -> shard.length).toArray(), worker, place);
    }

    private static final class Listed extends Deal {
        private static final long serialVersionUID = 1;
        private final int[] workers;
        private final int[] places;

        Listed(long[] sizes, int[] workers, int[] places) {
            super(sizes);
            this.workers = workers;
            this.places = places;
        }

        @Override
        Dealer partition(int partition) {
            return new Dealer() {
                private long place;

                @Override
                public int worker(long number, int source) {
                    place = places[(int) number];
                    return workers[(int) number];
                }

                @Override
                public long place() {
                    return place;
                }
            };
        }
    }
}
