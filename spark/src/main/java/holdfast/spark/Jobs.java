package holdfast.spark;

import holdfast.InputException;
import holdfast.training.TrainingException;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;

/**
 * Runs jobs for a thread: when it is interrupted its jobs end, and what is wrong with a user's rows is said in this process
 * as it was said on an executor. Whatever the thread's owner had set for jobs stays as it was.
 */
final class Jobs {
    private static final String DESCRIPTION = "spark.job.description";
    private static final String INTERRUPTS = "spark.job.interruptOnCancel";

    private Jobs() {}

    /**
     * @param what they are for
     * @throws InputException that a task threw
     * @throws CancellationException when the thread is interrupted; the flag stays set
     * @throws TrainingException when Spark gave up for another reason
     */
    static <T> T run(SparkContext spark, String what, Supplier<T> jobs) {
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
        } catch (Exception e) {
            if (wasInterrupted(e)) {
                undisturbed(() -> spark.cancelJobsWithTag(tag));
                Thread.currentThread().interrupt();
                throw interrupted(what);
            }
            throw causes(e)
                    .filter(InputException.class::isInstance)
                    .findFirst()
                    .map(said -> (RuntimeException) new InputException(said.getMessage()))
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

    /** Spark may have wrapped what woke this thread, and taken its flag. */
    private static boolean wasInterrupted(Throwable failure) {
        return causes(failure).anyMatch(InterruptedException.class::isInstance)
                || Thread.currentThread().isInterrupted();
    }

    private static CancellationException interrupted(String what) {
        return new CancellationException("interrupted in " + what);
    }

    private static TrainingException gaveUp(String what, Exception e) {
        String reason = e instanceof SparkException && e.getMessage() != null
                ? e.getMessage().lines().findFirst().orElse("")
                : e.toString();
        TrainingException gaveUp = new TrainingException("Spark gave up on " + what + ": " + reason, null);
        gaveUp.initCause(e);
        return gaveUp;
    }

    /** The first line of the innermost message of what Spark threw; those around it say where in Spark it was. */
    static String reason(Throwable failure) {
        return causes(failure)
                .map(Throwable::getMessage)
                .filter(message -> message != null && !message.isBlank())
                .reduce((outer, inner) -> inner)
                .map(message -> message.strip().lines().findFirst().orElseThrow())
                .orElse(failure.getClass().getSimpleName());
    }

    /** Cleans up with the flag down, while which Spark sends no message to executors, and then raises it again. */
    static void undisturbed(Runnable work) {
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
