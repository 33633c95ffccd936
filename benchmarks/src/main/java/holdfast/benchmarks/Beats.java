package holdfast.benchmarks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.SparkSession;

/**
 * Records when the jobs of a session started: rounds are timed without what comes before them, and none is left out.
 * Among jobs with the same description, such as those of one round, only the first is timed. Also counts all jobs, and
 * how many bytes each stage read.
 */
final class Beats extends SparkListener {
    private final SparkSession spark;
    private final Consumer<String> then;
    private final List<Beat> beats = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private final List<Reading> readings = new ArrayList<>();
    private int jobs;

    /** @param name the job's description, or else the name of its last stage */
    private record Beat(String name, long millis) {}

    /** What a stage read of stored rows and of other stages. */
    private record Reading(long bytes, long finished) {}

    /** @param then gets the name of every job that started */
    Beats(SparkSession spark, Consumer<String> then) {
        this.spark = spark;
        this.then = then;
        spark.sparkContext().addSparkListener(this);
    }

    @Override
    public void onJobStart(SparkListenerJobStart job) {
        String described = job.properties().getProperty("spark.job.description");
        String name = described != null ? described : job.stageInfos().last().name();
        synchronized (this) {
            jobs++;
            if (described == null || known.add(described)) {
                beats.add(new Beat(name, job.time()));
            }
        }
        then.accept(name);
    }

    @Override
    public synchronized void onStageCompleted(SparkListenerStageCompleted stage) {
        TaskMetrics metrics = stage.stageInfo().taskMetrics();
        readings.add(new Reading(
                metrics.inputMetrics().bytesRead()
                        + metrics.shuffleReadMetrics().totalBytesRead(),
                (long) stage.stageInfo().completionTime().get()));
    }

    /** Forgets all jobs so far. */
    void clear() {
        heard();
        synchronized (this) {
            beats.clear();
            known.clear();
            readings.clear();
            jobs = 0;
        }
    }

    /**
     * Returns the mean time in seconds from one job with this text in its name to the next, from number {@code from}
     * on.
     */
    double seconds(String name, int from) {
        heard();
        long[] times = times(name);
        return (times[times.length - 1] - times[from]) / 1e3 / (times.length - 1 - from);
    }

    /**
     * Returns the seconds from the first of all jobs to the first with this text in its name, and from that to the
     * next.
     */
    double[] before(String name) {
        heard();
        long[] times = times(name);
        return new double[] {(times[0] - times("")[0]) / 1e3, (times[1] - times[0]) / 1e3};
    }

    int count(String name) {
        heard();
        return times(name).length;
    }

    /** Returns the number of all jobs, whatever they are called. */
    int jobs() {
        heard();
        synchronized (this) {
            return jobs;
        }
    }

    /** Returns how many stages read at least this many bytes before the first job with this text in its name. */
    long passesBefore(String name, double bytes) {
        heard();
        long first = times(name)[0];
        synchronized (this) {
            return readings.stream()
                    .filter(reading -> reading.finished <= first && reading.bytes >= bytes)
                    .count();
        }
    }

    private synchronized long[] times(String name) {
        return beats.stream()
                .filter(beat -> beat.name.contains(name))
                .mapToLong(Beat::millis)
                .toArray();
    }

    private void heard() {
        try {
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
