package holdfast.training;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** A plan's objective that jobs can carry to other processes: it travels as the plan's text and is rebuilt on arrival. */
final class PortableObjective implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Objective objective;
    private final transient Text text;

    PortableObjective(Plan plan, Dataset.Schema schema) {
        this(plan.loss(schema), new Text(new LinkedHashMap<>(plan.settings()), new ArrayList<>(schema.classes())));
    }

    /** An objective without a name, which stays in this process. */
    PortableObjective(Objective objective) {
        this(objective, null);
    }

    private PortableObjective(Objective objective, Text text) {
        this.objective = objective;
        this.text = text;
    }

    Objective get() {
        return objective;
    }

    private Object writeReplace() {
        if (text == null) {
            throw new InputException("an objective without a name cannot leave the process; train in process");
        }
        return text;
    }

    /** The plan, and of the schema the classes, which decide what the model is. */
    private record Text(LinkedHashMap<String, String> settings, ArrayList<String> classes) implements Serializable {
        private Object readResolve() {
            return new PortableObjective(
                    Plan.of(settings), new Dataset.Schema(List.of("x"), "label", classes, List.of()));
        }
    }
}
