package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Check;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Says which worker holds which rows of a table, and at which place among its own. This is known without moving or
 * sorting rows: from a row's number, its source and how many rows of that source came before. It stays on the driver;
 * each task gets only what the rows of its own stretch need.
 */
abstract class RowAssignment {
    /** How many rows each worker holds. */
    final long[] sizes;

    RowAssignment(long[] sizes) {
        this.sizes = sizes;
    }

    /**
     * Returns what a task needs to deal the rows of a stretch of the table.
     *
     * @param first the number of its first row in the table
     * @param rows the number of its rows
     */
    abstract Part stretch(int stretch, long first, long rows);

    /** The part of the assignment that a task gets: the numbers for its own rows and no others. */
    interface Part extends Serializable {
        /** Returns the places of rows from the first one of the stretch on. */
        Places fromFirst();
    }

    /** Says where rows go. Must be asked for every row, in order. */
    interface Places {
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
        return new RowAssignment(turns(rows, workers)) {
            @Override
            Part stretch(int stretch, long first, long count) {
                return new InTurn(workers);
            }
        };
    }

    /** Returns how many of the rows each worker gets in turn. */
    private static long[] turns(long rows, int workers) {
        Check.that(
                rows >= workers,
                "there must be at least one training row per worker, got %d rows for %d workers",
                rows,
                workers);
        return IntStream.range(0, workers)
                .mapToLong(w -> (rows - w - 1) / workers + 1)
                .toArray();
    }

    /**
     * Gives row i to the group of worker i mod m.
     *
     * @param groupOf the group of each of the m workers
     */
    static RowAssignment inTurn(long rows, int[] groupOf) {
        int workers = groupOf.length;
        long[] turns = turns(rows, workers);
        long[] sizes = new long[Arrays.stream(groupOf).max().orElseThrow() + 1];
        int[] members = new int[sizes.length];
        for (int w = 0; w < workers; w++) {
            sizes[groupOf[w]] += turns[w];
            members[groupOf[w]]++;
        }
        return new RowAssignment(sizes) {
            @Override
            Part stretch(int stretch, long first, long count) {
                long[] before = Arrays.stream(members)
                        .mapToLong(m -> first / workers * m)
                        .toArray();
                for (int w = 0; w < first % workers; w++) {
                    before[groupOf[w]]++;
                }
                int[] own = IntStream.range(0, (int) Math.min(workers, count))
                        .map(i -> groupOf[(int) ((first + i) % workers)])
                        .toArray();
                return new Grouped(
                        own, Arrays.stream(own).mapToLong(g -> before[g]).toArray(), true);
            }
        };
    }

    @DefaultSerializer(JavaSerializer.class)
    private record InTurn(int workers) implements Part {
        @Override
        public Places fromFirst() {
            return new Places() {
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
     * Makes every source, or every group of sources, a worker.
     *
     * @param counts for each stretch, the number of rows of each source, in the order of their first rows there
     * @param index the worker of each source
     */
    static RowAssignment bySource(List<Map<String, Long>> counts, Map<String, Integer> index) {
        long[] sizes = new long[Collections.max(index.values()) + 1];
        List<Grouped> parts = new ArrayList<>();
        for (Map<String, Long> here : counts) {
            int[] workers = here.keySet().stream().mapToInt(index::get).toArray();
            parts.add(new Grouped(
                    workers, Arrays.stream(workers).mapToLong(w -> sizes[w]).toArray(), false));
            here.forEach((name, count) -> sizes[index.get(name)] += count);
        }
        return new RowAssignment(sizes) {
            @Override
            Part stretch(int stretch, long first, long rows) {
                return parts.get(stretch);
            }
        };
    }

    /**
     * The sources of a stretch, without their names: they are numbered in the order of their first rows there.
     *
     *
     * @param workers who holds each source, in that order; several of them may have the same
     * @param before the number of rows in the stretches before, of each source's worker
     * @param inTurn whether the sources take turns, so that rows need not name them
     */
    @DefaultSerializer(JavaSerializer.class)
    private record Grouped(int[] workers, long[] before, boolean inTurn) implements Part {
        @Override
        public Places fromFirst() {
            long[] next = before.clone();
            int[] counter = counters();
            Map<String, Integer> met = new HashMap<>();
            return new Places() {
                private int turn;
                private long place;

                @Override
                public int worker(long number, String source) {
                    int k = inTurn ? turn : met(source);
                    if (k >= workers.length) {
                        throw SparkTable.changed();
                    }
                    turn = (turn + 1) % workers.length;
                    place = next[counter[k]]++;
                    return workers[k];
                }

                private int met(String source) {
                    Integer known = met.putIfAbsent(source, met.size());
                    return known == null ? met.size() - 1 : known;
                }

                @Override
                public long place() {
                    return place;
                }
            };
        }

        /** Returns for each source the first one with the same worker. */
        private int[] counters() {
            Map<Integer, Integer> first = new HashMap<>();
            int[] counters = new int[workers.length];
            for (int k = 0; k < counters.length; k++) {
                first.putIfAbsent(workers[k], k);
                counters[k] = first.get(workers[k]);
            }
            return counters;
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
            Part stretch(int stretch, long first, long count) {
                int from = (int) first;
                int to = (int) (first + count);
                return new Listed(from, Arrays.copyOfRange(worker, from, to), Arrays.copyOfRange(place, from, to));
            }
        };
    }

    @DefaultSerializer(JavaSerializer.class)
    private record Listed(int first, int[] workers, int[] places) implements Part {
        @Override
        public Places fromFirst() {
            return new Places() {
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
