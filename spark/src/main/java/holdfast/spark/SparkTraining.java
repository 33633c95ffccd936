package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Plugins;
import holdfast.spark.engine.SparkEngine;
import holdfast.spark.engine.SparkJobs;
import holdfast.spark.io.SparkFile;
import holdfast.training.PreparedRun;
import holdfast.training.SourceProbe;
import holdfast.training.engine.Engine;
import holdfast.training.engine.EngineOption;
import holdfast.training.engine.EngineSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** The engine that reads tables with Spark and runs its workers on Spark's executors. */
public final class SparkTraining implements Engine {
    private static final String MASTER = "master";
    private static final int BEFORE_SPARK = 1000;
    private static final int MAX_MILLISECONDS = 10_000;

    @Override
    public String name() {
        return "spark";
    }

    @Override
    public String meaning() {
        return "on an Apache Spark cluster";
    }

    @Override
    public List<EngineOption> options() {
        return List.of(new EngineOption(MASTER, "URL", "Spark's master (default: spark-submit's or local[*])"));
    }

    /** @throws InputException on a Java version that Spark does not support */
    static void requireRunOn(int java) {
        Check.that(
                java >= 17 && java <= 21,
                "Spark 4 runs on Java 17 to 21, got Java %d (%s); JAVA_HOME may name another",
                java,
                System.getProperty("java.home"));
    }

    @Override
    public Session open(String data, Plan plan, EngineSettings settings) {
        requireRunOn(Runtime.version().feature());
        SparkEngine.requireServes(plan);
        try {
            Class.forName("org.apache.spark.sql.SparkSession", false, SparkTraining.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new InputException(
                    "Spark is not on the class path; ./holdfast train DATA --engine spark in the repository"
                            + " fetches it, spark-submit brings it along");
        }
        List<Path> jars = plan.catalogues().plugins().stream()
                .flatMap(jar -> Plugins.file(jar).stream())
                .toList();
        return new OnSpark(session(settings.option(MASTER), jars), data, plan);
    }

    private static SparkSession session(Optional<String> master, List<Path> jars) {
        // Spark's own launcher has already set up its log.
        if (System.getProperty("log4j2.configurationFile") == null) {
            System.setProperty("log4j2.configurationFile", "classpath:holdfast/spark/log4j2.properties");
        }
        SparkConf conf = new SparkConf();
        String chosen = master.orElseGet(() -> conf.get("spark.master", "local[*]"));
        conf.setMaster(chosen);
        conf.setIfMissing("spark.app.name", "holdfast");
        conf.setIfMissing("spark.ui.enabled", "false");
        if (!conf.getBoolean("spark.ui.enabled", false)) {
            // Spark remembers past rounds for a page that nobody sees.
            conf.setIfMissing("spark.ui.retainedJobs", "20");
            conf.setIfMissing("spark.ui.retainedStages", "20");
            conf.setIfMissing("spark.ui.retainedTasks", "100");
        }
        if (chosen.startsWith("local")) {
            conf.setIfMissing("spark.driver.host", "127.0.0.1");
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
        } else {
            conf.setIfMissing("spark.jars", String.join(",", JavaSparkContext.jarOfClass(SparkTraining.class)));
        }
        try {
            // Scala throws checked exceptions that no signature declares.
            SparkSession spark = SparkSession.builder().config(conf).getOrCreate();
            jars.forEach(jar -> spark.sparkContext().addJar(jar.toUri().toString()));
            return spark;
        } catch (Exception e) {
            String reason = SparkJobs.reason(e);
            // If no master answers or accepts us, Spark stops itself while it is starting, and then fails over that.
            throw new InputException("Spark does not start on " + chosen + ": "
                    + (reason.contains("stopped SparkContext")
                            ? "it does not answer or ended the application, for the reasons above"
                            : reason));
        }
    }

    private static final class OnSpark implements Session {
        private final SparkSession spark;
        private final Plan plan;
        private volatile boolean closed;
        private SparkFile.Opened opened;
        private SparkEngine engine;

        private OnSpark(SparkSession spark, SparkFile.Opened opened, Plan plan) {
            this.spark = spark;
            this.opened = opened;
            this.plan = plan;
        }

        OnSpark(SparkSession spark, String data, Plan plan) {
            this.spark = spark;
            this.plan = plan;
            stopBeforeSpark(Thread.currentThread());
            try {
                opened = new SparkFile(spark, data).read(plan);
            } catch (Exception e) {
                close();
                throw e;
            }
        }

        /** Delays the end of the process, because a checkpoint may still have to be written and a line printed. */
        private void stopBeforeSpark(Thread training) {
            ShutdownHookManager.get()
                    .addShutdownHook(
                            () -> {
                                if (!closed) {
                                    // Spark logs a lot about tasks that end while they are reading.
                                    spark.sparkContext().setLogLevel("OFF");
                                    training.interrupt();
                                    try {
                                        training.join(MAX_MILLISECONDS);
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }
                            },
                            BEFORE_SPARK);
        }

        @Override
        public Plan plan() {
            return plan;
        }

        @Override
        public DataSource source() {
            return opened.source();
        }

        @Override
        public Dataset test(String data) {
            return new SparkFile(spark, data)
                    .read(
                            opened,
                            engine().features(),
                            engine().encoding(),
                            plan.model(opened.schema()).target(),
                            plan.get(PlanKey.HEADER));
        }

        private SparkEngine engine() {
            engine = engine == null
                    ? new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark)
                    : engine;
            return engine;
        }

        @Override
        public SourceProbe probe() {
            return engine().probe();
        }

        @Override
        public Session with(Plan changed) {
            return new OnSpark(spark, opened, changed);
        }

        @Override
        public PreparedRun prepare() {
            return engine().startWorkers(spark);
        }

        @Override
        public void close() {
            closed = true;
            try {
                if (opened != null) {
                    opened.close();
                }
            } finally {
                SparkJobs.undisturbed(spark::stop);
            }
        }
    }
}
