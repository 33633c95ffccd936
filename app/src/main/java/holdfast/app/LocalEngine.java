package holdfast.app;

import holdfast.Check;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.math.Threads;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;

/** The engine of this process. */
final class LocalEngine implements Engine {
    @Override
    public String name() {
        return "local";
    }

    @Override
    public Session open(String data, Plan given, String master, int threads) {
        Check.that(master == null, "--master is for --engine spark, got %s", master);
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
            public PreparedRun engage() {
                try (Threads all = Threads.of(threads)) {
                    return all.call(() -> PreparedData.of(rows, plan).engage(plan, threads));
                }
            }

            @Override
            public void close() {}
        };
    }
}
