package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import org.junit.jupiter.api.Test;

class SparkTrainingTest {
    @Test
    void aJavaThatSparkDoesNotRunOnIsRefused() {
        assertThatThrownBy(() -> SparkTraining.requireRunOn(25))
                .isInstanceOf(InputException.class)
                .hasMessage("Spark 4 runs on Java 17 to 21, got Java 25 (" + System.getProperty("java.home")
                        + "); JAVA_HOME may name another");
        SparkTraining.requireRunOn(21);
    }
}
