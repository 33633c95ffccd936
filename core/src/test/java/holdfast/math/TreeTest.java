package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0",
        "2, (0+1)",
        "3, ((0+1)+2)",
        "4, ((0+1)+(2+3))",
        "5, (((0+1)+(2+3))+4)",
        "6, (((0+1)+(2+3))+(4+5))",
        "7, (((0+1)+(2+3))+((4+5)+6))",
        "8, (((0+1)+(2+3))+((4+5)+(6+7)))",
        "9, ((((0+1)+(2+3))+((4+5)+(6+7)))+8)"
    })
    void everyLeftSubtreeIsTheLargestFullOne(int leaves, String shape) {
        String made = Tree.reduce(leaves, Integer::toString, (a, b) -> "(" + a + "+" + b + ")");
        assertThat(made).isEqualTo(shape);
    }
}
