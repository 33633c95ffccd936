package holdfast.app.command;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.math.Threads;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.engine.Engine;
import holdfast.training.engine.EngineSettings;

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
        Table rows = DataFile.read(data, given);
        Plan plan = DataFile.asConverted(data, given);
        return new Session() {
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
                Encoding encoding = PreparedData.encoding(rows, plan);
                return DataFile.read(
                        name,
                        encoding.schema(rows.schema()),
                        encoding,
                        plan.model(rows.schema()).target());
            }

            @Override
            public PreparedRun prepare() {
                try (Threads all = Threads.of(settings.threads())) {
                    return all.call(() -> PreparedData.of(rows, plan).startWorkers(plan, settings.threads()));
                }
            }

            @Override
            public void close() {}
        };
    }
}
