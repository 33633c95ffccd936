package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Check;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Says which worker holds which rows of a table, and at which place among its own. This is known without moving or
 * sorting rows: from a row's number, its source and how many rows of that source came before. It stays on the driver;
 * each task gets only what the rows of its own partition need.
 */
abstract class RowAssignment {
    /** How many rows each worker holds. */
    final long[] sizes;

    RowAssignment(long[] sizes) {
        this.sizes = sizes;
    }

    /**
     * Returns what a task needs to deal the rows of one partition of the table.
     *
     * @param first the number of its first row in the table
     * @param rows the number of its rows
     */
    abstract Part partition(int partition, long first, long rows);

    /** The part of the assignment that a task gets: the numbers for its own rows and no others. */
    interface Part extends Serializable {
        /** Returns a dealer that starts before the first row of the partition. */
        Dealer dealer();
    }

    /** Says where rows go. Must be asked for every row, in order. */
    interface Dealer {
        /**
         * @param number of the row in the table
         * @param source its name; empty where rows name none
         * @return the worker, or -1 if nobody holds the row
         */
        int worker(long number, String source);

        /** The place of the last row asked for, among the rows of its worker. */
        long place();
    }

    /** Gives all rows, in their order, to one worker. */
    static RowAssignment together(long rows) {
        return inTurn(rows, 1);
    }

    /** Gives row i to worker i mod m. */
    static RowAssignment inTurn(long rows, int workers) {
        Check.that(
                rows >= workers,
                "there must be at least one training row per worker, got %d rows for %d workers",
                rows,
                workers);
        long[] sizes = IntStream.range(0, workers)
                .mapToLong(w -> (rows - w - 1) / workers + 1)
                .toArray();
        return new RowAssignment(sizes) {
            @Override
            Part partition(int partition, long first, long count) {
                return new InTurn(workers);
            }
        };
    }

    @DefaultSerializer(JavaSerializer.class)
    private record InTurn(int workers) implements Part {
        @Override
        public Dealer dealer() {
            return new Dealer() {
                private long place;

                @Override
                public int worker(long number, String source) {
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

    /**
     * Makes every source a worker, in the order of their first rows.
     *
     * @param counts for each partition, the number of rows of each source, in the order of their first rows there
     */
    static RowAssignment bySource(List<Map<String, Long>> counts) {
        Map<String, Integer> index = new HashMap<>();
        counts.forEach(here -> here.keySet().forEach(name -> index.putIfAbsent(name, index.size())));
        long[] sizes = new long[index.size()];
        List<BySource> parts = new ArrayList<>();
        for (Map<String, Long> here : counts) {
            int[] workers = here.keySet().stream().mapToInt(index::get).toArray();
            parts.add(new BySource(
                    workers, Arrays.stream(workers).mapToLong(w -> sizes[w]).toArray()));
            here.forEach((name, count) -> sizes[index.get(name)] += count);
        }
        return new RowAssignment(sizes) {
            @Override
            Part partition(int partition, long first, long rows) {
                return parts.get(partition);
            }
        };
    }

    /**
     * The sources of one partition, without their names: they are numbered in the order of their first rows in the
     * partition.
     *
     * @param workers the worker of each source, in that order
     * @param before the number of rows of each source in the partitions before
     */
    @DefaultSerializer(JavaSerializer.class)
    private record BySource(int[] workers, long[] before) implements Part {
        @Override
        public Dealer dealer() {
            long[] next = before.clone();
            Map<String, Integer> met = new HashMap<>();
            return new Dealer() {
                private long place;

                @Override
                public int worker(long number, String source) {
                    Integer known = met.putIfAbsent(source, met.size());
                    int k = known == null ? met.size() - 1 : known;
                    if (k >= workers.length) {
                        throw SparkTable.changed();
                    }
                    place = next[k]++;
                    return workers[k];
                }

                @Override
                public long place() {
                    return place;
                }
            };
        }
    }

    /** Assigns rows by a list of row numbers per worker, each ascending. */
    static RowAssignment listed(int rows, List<int[]> shards) {
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
        return new RowAssignment(
                shards.stream().mapToLong(shard -> shard.length).toArray()) {
            @Override
            Part partition(int partition, long first, long count) {
                int from = (int) first;
                int to = (int) (first + count);
                return new Listed(from, Arrays.copyOfRange(worker, from, to), Arrays.copyOfRange(place, from, to));
            }
        };
    }

    @DefaultSerializer(JavaSerializer.class)
    private record Listed(int first, int[] workers, int[] places) implements Part {
        @Override
        public Dealer dealer() {
            return new Dealer() {
                private long place;

                @Override
                public int worker(long number, String source) {
                    int row = (int) number - first;
                    if (row >= workers.length) {
                        throw SparkTable.changed();
                    }
                    place = places[row];
                    return workers[row];
                }

                @Override
                public long place() {
                    return place;
                }
            };
        }
    }
}
