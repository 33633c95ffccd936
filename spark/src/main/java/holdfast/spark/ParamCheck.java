package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.plan.PlanKey;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.ml.param.Param;
import scala.Function1;

/** Checks a value when it is set, so that the caller learns at once what is wrong. Serialised with its Param. */
interface ParamCheck<T> extends Function1<T, Object>, Serializable {
    /** @throws InputException if the value is not allowed; says what must hold and what was given */
    void check(T value);

    @Override
    default Object apply(T value) {
        check(value);
        return true;
    }

    /** Checks that a value is not null. */
    static <T> ParamCheck<T> given(String param) {
        return given(param, value -> {});
    }

    /** Checks that a value is not null, and then the rest. */
    static <T> ParamCheck<T> given(String param, ParamCheck<T> rest) {
        return value -> {
            Check.that(value != null, "%s must not be null", param);
            rest.check(value);
        };
    }

    /** Checks that a plan allows the value, whose message then names the Param instead of the setting. */
    static <T> ParamCheck<T> allowed(String param, PlanKey<?> key) {
        String name = key.name();
        return given(param, value -> {
            PlanKey<?> setting = PlanKey.named(name);
            try {
                setting.parse(Spec.print(value));
            } catch (InputException e) {
                throw new InputException(
                        param + e.getMessage().substring(setting.flag().length()));
            }
        });
    }

    /** Allows one more value, which has a name in a plan. */
    static <T> ParamCheck<T> unless(T named, ParamCheck<T> rest) {
        return value -> {
            if (!named.equals(value)) {
                rest.check(value);
            }
        };
    }

    /** Checks that a text is one of the known words. */
    static ParamCheck<String> oneOf(String param, String... known) {
        return text -> Check.that(
                Arrays.asList(known).contains(text),
                "%s must be one of %s; got '%s'",
                param,
                String.join(", ", known),
                text);
    }

    /** Returns the name of a column that a setter was given, if it is one. */
    static String column(Param<String> param, String name) {
        Check.that(
                name != null && !name.isEmpty(),
                "%s must name a column, got %s",
                param.name(),
                name == null ? "null" : "an empty name");
        return name;
    }
}
