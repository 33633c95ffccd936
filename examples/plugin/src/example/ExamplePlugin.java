package example;

import holdfast.data.Schema;
import holdfast.model.Model;
import holdfast.model.ModelFamily;
import holdfast.model.Target;
import holdfast.plan.Catalogues;
import holdfast.plan.Plugin;
import java.util.Optional;

/** An example plugin: a rule, a model and an objective, known to every command that gets the jar with --plugins. */
public final class ExamplePlugin implements Plugin {
    @Override
    public Catalogues extend(Catalogues known) {
        return known.withRule(
                        "middle-norms",
                        "drop the f longest and the f shortest updates, average the rest",
                        p -> {
                            var own = p.optionalInteger("tolerated", "f");
                            return f -> new MiddleNorms(own.orElse(f));
                        })
                .withModel("tanh", "two classes or numbers, by a network with one hidden layer", p -> {
                    int units = p.integer("units", 4);
                    new TanhNetwork(Target.NUMBER, units);
                    return network(units);
                })
                .withObjective(
                        "mean-variance",
                        "the mean loss plus weight/2 times the variance of the losses",
                        p -> new MeanVariance(p.number("weight", 0.5)));
    }

    private static ModelFamily network(int units) {
        return new ModelFamily() {
            @Override
            public Optional<Target> target() {
                return Optional.empty();
            }

            @Override
            public Model on(Schema schema, boolean intercept) {
                return new TanhNetwork(schema.classes().isEmpty() ? Target.NUMBER : Target.TWO_CLASSES, units);
            }
        };
    }
}
