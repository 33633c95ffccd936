package holdfast.benchmarks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;

/**
 * Records when the jobs of a session started: rounds are timed without what comes before them, and none is left out.
 * Among jobs with the same description, such as those of one round, only the first counts.
 */
final class Beats extends SparkListener {
    private final SparkSession spark;
    private final Consumer<String> then;
    private final List<Beat> beats = new ArrayList<>();
    private final Set<String> known = new HashSet<>();

    /** @param name the job's description, or else the name of its last stage */
    private record Beat(String name, long millis) {}

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
            if (described == null || known.add(described)) {
                beats.add(new Beat(name, job.time()));
            }
        }
        then.accept(name);
    }

    /** Forgets all jobs so far. */
    void clear() throws InterruptedException {
        heard();
        synchronized (this) {
            beats.clear();
            known.clear();
        }
    }

    /**
     * Returns the mean time in seconds from one job with this text in its name to the next, from number {@code from}
     * on.
     */
    double seconds(String name, int from) throws InterruptedException {
        heard();
        long[] times = times(name);
        return (times[times.length - 1] - times[from]) / 1e3 / (times.length - 1 - from);
    }

    /**
     * Returns the seconds from the first of all jobs to the first with this text in its name, and from that to the
     * next.
     */
    double[] before(String name) throws InterruptedException {
        heard();
        long[] times = times(name);
        return new double[] {(times[0] - times("")[0]) / 1e3, (times[1] - times[0]) / 1e3};
    }

    int count(String name) throws InterruptedException {
        heard();
        return times(name).length;
    }

    private synchronized long[] times(String name) {
        return beats.stream()
                .filter(beat -> beat.name.contains(name))
                .mapToLong(Beat::millis)
                .toArray();
    }

    private void heard() throws InterruptedException {
        try {
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
