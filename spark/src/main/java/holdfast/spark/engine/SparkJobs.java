package holdfast.spark.engine;

import holdfast.InputException;
import holdfast.rounds.TrainingException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;

/**
 * Runs jobs for a thread. When the thread is interrupted, its jobs end; when somebody cancels the jobs, this throws a
 * {@link CancellationException} too. An error in a user's rows is thrown in this process as it was thrown on the
 * executor. The thread's own settings for jobs are restored afterwards.
 */
public final class SparkJobs {
    private static final String DESCRIPTION = "spark.job.description";
    private static final String INTERRUPTS = "spark.job.interruptOnCancel";

    private SparkJobs() {}

    /**
     * @param what the jobs are for
     * @throws InputException if a task threw it
     * @throws CancellationException if the thread is interrupted, in which case its flag stays set, or somebody
     *     cancelled the jobs, for example by their group
     * @throws IllegalStateException if a worker's code is at fault, see {@link Broken}
     * @throws TrainingException if Spark gave up for another reason
     */
    public static <T> T run(SparkContext spark, String what, Supplier<T> jobs) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(what);
        }
        String tag = "holdfast-" + UUID.randomUUID();
        String description = spark.getLocalProperty(DESCRIPTION);
        String interrupts = spark.getLocalProperty(INTERRUPTS);
        spark.addJobTag(tag);
        spark.setLocalProperty(DESCRIPTION, "holdfast " + what);
        spark.setLocalProperty(INTERRUPTS, "true");
        try {
            return jobs.get();
        } catch (TrainingException e) {
            // Thrown here and not by Spark, so it says what it has to say.
            throw e;
        } catch (Exception e) {
            if (wasInterrupted(e)) {
                undisturbed(() -> spark.cancelJobsWithTag(tag));
                Thread.currentThread().interrupt();
                throw interrupted(what);
            }
            if (wasCancelled(e) && !spark.isStopped()) {
                throw new CancellationException("cancelled in " + what + ": " + firstLine(e));
            }
            throw causes(e)
                    .map(cause -> cause instanceof InputException said
                            ? new InputException(said.getMessage())
                            : cause instanceof Broken broken ? new IllegalStateException(broken.getMessage(), e) : null)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseGet(() -> gaveUp(what, e));
        } finally {
            spark.removeJobTag(tag);
            spark.setLocalProperty(DESCRIPTION, description);
            spark.setLocalProperty(INTERRUPTS, interrupts);
        }
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }

    /** Whether this thread was interrupted. Spark may have wrapped the exception and cleared the flag. */
    private static boolean wasInterrupted(Throwable failure) {
        return causes(failure).anyMatch(InterruptedException.class::isInstance)
                || Thread.currentThread().isInterrupted();
    }

    /** Whether somebody told Spark to end the job; failed tasks and lost executors have another condition. */
    private static boolean wasCancelled(Throwable failure) {
        return causes(failure)
                .anyMatch(cause ->
                        cause instanceof SparkThrowable said && "SPARK_JOB_CANCELLED".equals(said.getCondition()));
    }

    private static CancellationException interrupted(String what) {
        return new CancellationException("interrupted in " + what);
    }

    /** @param e what Spark threw */
    static TrainingException gaveUp(String what, Throwable e) {
        TrainingException gaveUp = new TrainingException("Spark gave up on " + what + ": " + firstLine(e), null);
        gaveUp.initCause(e);
        return gaveUp;
    }

    /** Returns the first line of Spark's message, with the second if the first only announces it. */
    private static String firstLine(Throwable e) {
        if (!(e instanceof SparkException)
                || e.getMessage() == null
                || e.getMessage().isBlank()) {
            return e.toString().lines().findFirst().orElseThrow();
        }
        List<String> lines =
                e.getMessage().lines().filter(line -> !line.isBlank()).limit(2).toList();
        return lines.size() > 1 && lines.get(0).endsWith(":") ? lines.get(0) + " " + lines.get(1) : lines.get(0);
    }

    /**
     * An exception that our own code or a plugin's threw while a worker answered: a bug, which says nothing about the
     * worker. Has the stack trace of what was thrown, and that as its cause unless only the plugin has its class: the
     * driver could not read it.
     */
    static final class Broken extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Broken(String message, RuntimeException thrown) {
            super(message, isReadable(thrown) ? thrown : null);
            setStackTrace(thrown.getStackTrace());
        }

        private static boolean isReadable(RuntimeException thrown) {
            return causes(thrown)
                    .map(cause -> cause.getClass().getName())
                    .allMatch(name -> name.startsWith("java.") || name.startsWith("holdfast."));
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    /**
     * Whether files are at fault: a file system said so, or a reader of Spark's whose error has a name. A lost
     * executor, a lack of memory or a bug does not count.
     */
    public static boolean isAboutFiles(Throwable failure) {
        return causes(failure)
                .anyMatch(cause -> cause instanceof IOException
                        || cause instanceof AnalysisException
                        || cause instanceof SparkThrowable said
                                && said.getCondition() != null
                                && said.getCondition().contains("READ_FILE"));
    }

    /** Returns the first line of the innermost message; the outer ones only say where in Spark it happened. */
    public static String reason(Throwable failure) {
        return causes(failure)
                .map(Throwable::getMessage)
                .filter(message -> message != null && !message.isBlank())
                .reduce((outer, inner) -> inner)
                .map(message -> message.strip().lines().findFirst().orElseThrow())
                .orElse(failure.getClass().getSimpleName());
    }

    /** Cleans up with the interrupt flag cleared, because Spark sends nothing to executors while it is set. */
    public static void undisturbed(Runnable work) {
        boolean flag = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (flag) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
