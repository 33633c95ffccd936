package holdfast.training;

import holdfast.data.Schema;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.PortablePlan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A plan's objective that jobs can carry to other processes: it is sent as the plan's text and rebuilt on arrival. */
final class PortableObjective implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Plan plan;
    private final transient Schema schema;
    private final transient Objective objective;

    PortableObjective(Plan plan, Schema schema) {
        this.plan = plan;
        this.schema = schema;
        this.objective = plan.loss(schema);
    }

    Objective get() {
        return objective;
    }

    private Object writeReplace() {
        boolean named = !plan.get(PlanKey.PRICES).areEqual();
        return new Text(
                PortablePlan.of(plan),
                new ArrayList<>(named ? schema.features() : List.of("x")),
                new ArrayList<>(schema.classes()));
    }

    /** The plan, the features if it names any, and the classes of the schema, which determine the model. */
    private record Text(PortablePlan plan, ArrayList<String> features, ArrayList<String> classes)
            implements Serializable {
        private Object readResolve() {
            return new PortableObjective(plan.plan(), new Schema(features, "label", classes, List.of()));
        }
    }
}
