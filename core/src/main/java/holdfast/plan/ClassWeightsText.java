package holdfast.plan;

import holdfast.Check;
import holdfast.Spec;
import java.util.Arrays;
import java.util.stream.Collectors;

/** How weights of classes are written. */
final class ClassWeightsText {
    private ClassWeightsText() {}

    static String read(String text) {
        if (text.equals("none") || text.equals("balanced")) {
            return text;
        }
        String[] parts = text.split(",", -1);
        Check.that(parts.length >= 2, "must be none, balanced or numbers like 1,2.5; got '%s'", text);
        SettingText<Double> positive = SettingText.above(0);
        return Arrays.stream(parts)
                .map(part -> Spec.print(positive.read(part.strip(), null)))
                .collect(Collectors.joining(","));
    }
}
