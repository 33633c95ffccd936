package holdfast.app.command;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.formats.CellFormat;
import holdfast.formats.DataFile;
import holdfast.math.Threads;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.SourceProbe;
import holdfast.training.engine.Engine;
import holdfast.training.engine.EngineSettings;
import java.util.List;
import java.util.function.Supplier;

/** The engine that reads tables into this process and runs its workers there. */
final class LocalEngine implements Engine {
    @Override
    public String name() {
        return "local";
    }

    @Override
    public String meaning() {
        return "in this process";
    }

    @Override
    public Session open(String data, Plan given, EngineSettings settings) {
        return open(List.of(data), given, settings);
    }

    @Override
    public Session open(List<String> data, Plan given, EngineSettings settings) {
        return session(DataFile.read(data, given), DataFile.asRead(data, given), settings);
    }

    private static Session session(Table rows, Plan plan, EngineSettings settings) {
        return new Session() {
            private PreparedData prepared;

            @Override
            public Plan plan() {
                return plan;
            }

            @Override
            public DataSource source() {
                return rows.source();
            }

            @Override
            public Dataset test(String name) {
                Encoding encoding = rows.isNumbers()
                        ? Encoding.learn(rows, new int[0])
                        : prepared().preparation().encoding();
                return DataFile.read(
                        name,
                        encoding.schema(rows.schema()),
                        encoding,
                        plan.model(rows.schema()).target(),
                        plan.get(PlanKey.WORKERS_BY),
                        CellFormat.of(plan));
            }

            @Override
            public SourceProbe probe() {
                return PreparedData.probe(rows, plan);
            }

            @Override
            public Session with(Plan changed) {
                return session(rows, changed, settings);
            }

            @Override
            public PreparedRun prepare() {
                PreparedData data = prepared();
                return onThreads(() -> data.startWorkers(plan, settings.threads()));
            }

            /** Prepares the rows once: the test rows may need their encoding before training starts. */
            private PreparedData prepared() {
                prepared = prepared == null ? onThreads(() -> PreparedData.of(rows, plan)) : prepared;
                return prepared;
            }

            private <T> T onThreads(Supplier<T> work) {
                try (Threads all = Threads.of(settings.threads())) {
                    return all.call(work);
                }
            }

            @Override
            public void close() {}
        };
    }
}
