package holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.RuleFamily;
import holdfast.attack.Attacks;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    @Test
    void entriesShowTheStandardOfANumberAndAllTheWords() {
        Catalogue<String> catalogue = Catalogue.<String>of("thing")
                .with("it", "a thing", p -> p.number("size", 2) + p.word("colour", "red", "green"));
        assertThat(catalogue.entries().get(0).parameters()).hasToString("{size=2, colour=red|green}");
        assertThat(catalogue.create(Spec.parse("it"))).isEqualTo("2.0red");
    }

    @Test
    void valuesThatCannotBeAreRefusedWithTheNameAndTheKey() {
        for (Catalogue<?> catalogue : List.of(Aggregators.rules(), Aggregators.preAggregators(), Attacks.catalogue())) {
            for (Catalogue.Entry entry : catalogue.entries()) {
                for (String key : entry.parameters().keySet()) {
                    assertThat(refusal(catalogue, entry.name(), key, "NaN"))
                            .contains(entry.name())
                            .contains(key + " must be");
                    for (String value : List.of("-1", "2147483647", "-Infinity", "Infinity", "1e308")) {
                        String refusal = refusal(catalogue, entry.name(), key, value);
                        assertThat(refusal.isEmpty()
                                        || refusal.contains(entry.name()) && refusal.contains(key + " must be"))
                                .as(refusal)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** The message, empty if the value is accepted. */
    private static String refusal(Catalogue<?> catalogue, String name, String key, String value) {
        try {
            Object created = catalogue.create(Spec.parse(name).with(key, value));
            Object made = created instanceof RuleFamily family ? family.tolerating(1) : created;
            // A number of workers that overflowed would let every round pass.
            assertThat(made instanceof Aggregator rule ? rule.minWorkers() : 1)
                    .as("%s(%s=%s)", name, key, value)
                    .isPositive()
                    .isGreaterThan(made instanceof Aggregator rule ? rule.tolerated() : 0);
            return "";
        } catch (InputException e) {
            return e.getMessage();
        }
    }
}
