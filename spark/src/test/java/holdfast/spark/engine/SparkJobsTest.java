package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.InputException;
import holdfast.rounds.TrainingException;
import holdfast.spark.Sparks;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SparkJobsTest {
    /** Tasks of a local master find these here. */
    private static final CountDownLatch BEGUN = new CountDownLatch(1);

    private static final Semaphore ENDED = new Semaphore(0);
    private static final Thread STOPS = new Thread(SparkJobsTest::stop);
    private static SparkSession spark;
    private static JavaSparkContext context;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
        context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static JavaRDD<Integer> numbers() {
        return context.parallelize(List.of(1, 2, 3), 2);
    }

    @Test
    void whatAnExecutorSaysOfTheInputArrivesAsItWasSaid() {
        assertThatThrownBy(() -> SparkJobs.run(context.sc(), "look", numbers().map(n -> {
                    if (n == 3) {
                        throw new IllegalStateException(new InputException("row 3 is wrong"));
                    }
                    return n;
                })::collect))
                .isInstanceOf(InputException.class)
                .hasMessage("row 3 is wrong");
        assertThatThrownBy(() -> SparkJobs.run(context.sc(), "look", numbers().map(n -> n / (n - 2))::collect))
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith("Spark gave up on look: Job aborted due to stage failure")
                .hasMessageContaining("ArithmeticException: / by zero")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void filesAreToBlameForWhatReadersSayAndForNothingElse() {
        assertThat(SparkJobs.isAboutFiles(new IllegalStateException(new FileNotFoundException("t.csv"))))
                .isTrue();
        assertThat(SparkJobs.isAboutFiles(
                        catchThrowable(() -> spark.read().text("no-such-file").count())))
                .isTrue();
        for (Throwable other : List.of(
                new SparkException("Job aborted due to stage failure: ExecutorLostFailure (executor 1 exited)"),
                catchThrowable(() ->
                        SparkJobs.run(context.sc(), "look", numbers().map(n -> n / (n - 2))::collect)),
                new IllegalStateException("Cannot call methods on a stopped SparkContext."))) {
            assertThat(SparkJobs.isAboutFiles(other)).as("%s", other).isFalse();
        }
    }

    @Test
    void aContextThatIsStoppedIsNotACancellation() throws InterruptedException {
        Throwable thrown = catchThrowable(
                () -> SparkJobs.run(context.sc(), "wait", numbers().map(SparkJobsTest::stopped)::collect));
        try {
            assertThat(thrown)
                    .isInstanceOf(TrainingException.class)
                    .hasMessageStartingWith("Spark gave up on wait: ")
                    .hasMessageContaining("shut down");
        } finally {
            STOPS.join();
            start(); // Another one, for the other tests.
        }
    }

    private static int stopped(int number) throws InterruptedException {
        if (number == 1) {
            STOPS.start();
        }
        TimeUnit.MINUTES.sleep(10); // Ended with the context.
        return number;
    }

    @Test
    void whatTheOwnerOfTheThreadHadSetStays() {
        context.setJobGroup("mine", "my pipeline", false);
        try {
            String seen = SparkJobs.run(
                    context.sc(),
                    "look",
                    () -> context.getLocalProperty("spark.jobGroup.id") + ", "
                            + context.getLocalProperty("spark.job.description"));
            assertThat(seen).isEqualTo("mine, holdfast look");
            assertThat(context.getLocalProperty("spark.job.description")).isEqualTo("my pipeline");
            assertThat(context.getLocalProperty("spark.job.interruptOnCancel")).isEqualTo("false");
            assertThat(context.sc().getJobTags().isEmpty()).isTrue();
        } finally {
            context.clearJobGroup();
        }
    }

    @Test
    void anInterruptedThreadTakesItsJobsAlong() throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        boolean[] flag = new boolean[1];
        Thread thread = new Thread(() -> {
            thrown[0] = catchThrowable(
                    () -> SparkJobs.run(context.sc(), "wait", numbers().map(SparkJobsTest::sleep)::collect));
            flag[0] = Thread.currentThread().isInterrupted();
        });
        thread.start();
        assertThat(BEGUN.await(30, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        thread.join(30_000);
        assertThat(thrown[0]).isInstanceOf(CancellationException.class).hasMessage("interrupted in wait");
        assertThat(flag[0]).isTrue();
        assertThat(ENDED.tryAcquire(30, TimeUnit.SECONDS))
                .as("tasks were interrupted")
                .isTrue();
    }

    private static int sleep(int number) throws InterruptedException {
        BEGUN.countDown();
        try {
            // Longer than the test waits.
            TimeUnit.MINUTES.sleep(10);
        } finally {
            ENDED.release();
        }
        return number;
    }
}
