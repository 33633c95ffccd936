package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Golden;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.NormScreening;
import holdfast.testkit.AttackContract;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoldenTest {
    @ParameterizedTest
    @CsvSource({
        "sign-flip, SignFlipping",
        "ipm, InnerProductManipulation(tau=2)",
        "alie, ALittleIsEnough(tau=1.5)",
        "mimic, Mimic(epsilon=0)"
    })
    void forgesWhatByzFlForges(String ours, String theirs) {
        UpdateAttack attack = (UpdateAttack) Attacks.catalogue().create(Spec.parse(ours));
        assertThat(Golden.cases()).hasSize(7).allSatisfy(golden -> {
            AttackContext now = AttackContract.withoutData(
                    List.of(golden.honest()), golden.f(), new NormScreening(golden.f()), Seed.of(1));
            assertThat(attack.forge(now))
                    .hasSize(golden.f())
                    .allSatisfy(v -> assertThat(v).containsExactly(golden.forged(theirs), within(1e-9)));
        });
    }
}
