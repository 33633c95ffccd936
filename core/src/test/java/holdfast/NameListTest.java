package holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.plan.OneHot;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameListTest {
    @Test
    void quotedNamesMayHaveCommas() {
        assertThat(NameList.parse("id, notes")).containsExactly("id", "notes");
        assertThat(NameList.parse("id, \"age, years\" ,x")).containsExactly("id", "age, years", "x");
        assertThat(NameList.parse("\"a \"\"b\"\", c\"")).containsExactly("a \"b\", c");
        assertThat(NameList.parse("5\" pipe,\"open,x")).containsExactly("5\" pipe", "\"open", "x");
        assertThat(NameList.parse("a,,b,")).containsExactly("a", "", "b", "");
        assertThat(NameList.parse("")).containsExactly("");
    }

    @Test
    void whatIsWrittenIsRead() {
        for (List<String> names : List.of(
                List.of("a"),
                List.of("St. Mary, Boston", "H1"),
                List.of(",", "\"", "\",\"", "a\"b", "\"x"),
                List.of("it's", "-h", "a\nb", "größe"))) {
            assertThat(NameList.parse(NameList.print(names))).isEqualTo(names);
            Plan plan = Plan.defaults().with(PlanKey.DROP, names).with(PlanKey.ONE_HOT, new OneHot(false, names));
            assertThat(Plan.of(plan.settings())).isEqualTo(plan);
        }
        assertThat(NameList.print(List.of("id", "notes"))).isEqualTo("id,notes");
        assertThatThrownBy(() -> Plan.defaults().with("drop", "\"\",a")).hasMessageContaining("separated by commas");
    }
}
