package holdfast.attack;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Laws;
import holdfast.Samples;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What every attack on data promises; an attack's test extends this. */
public abstract class RowAttackContract {
    /** The attack with its standard strength. */
    protected abstract RowAttack attack();

    protected static Dataset shard(Seed seed) {
        return Samples.dataset(seed, 250 + seed.child("rows").random().nextInt(50), 3, 2);
    }

    /** How many rows differ between two data sets with the same number of rows. */
    protected static int changed(Dataset a, Dataset b) {
        int changed = 0;
        for (int r = 0; r < a.rows(); r++) {
            changed += a.label(r) == b.label(r) && Arrays.equals(a.row(r), b.row(r)) ? 0 : 1;
        }
        return changed;
    }

    @Test
    void theSameSeedGivesTheSameRowsAndTheShardStaysUntouched() {
        Laws.check(20, seed -> {
            Dataset shard = shard(seed);
            Dataset once = attack().poison(shard, seed);
            Dataset twice = attack().poison(shard, seed);
            assertThat(once.rows()).isEqualTo(twice.rows());
            assertThat(changed(once, twice)).isZero();
            assertThat(changed(shard, shard(seed))).isZero();
        });
    }

    @Test
    void poisonedRowsAreValidAndKeepTheirSources() {
        Laws.check(20, seed -> {
            Dataset shard = shard(seed);
            Dataset poisoned = attack().poison(shard, seed);
            assertThat(poisoned.schema()).isEqualTo(shard.schema());
            for (int r = 0; r < poisoned.rows(); r++) {
                assertThat(Vectors.finite(poisoned.row(r))).isTrue();
                assertThat(poisoned.label(r)).isIn(0.0, 1.0);
                if (r < shard.rows()) {
                    assertThat(poisoned.group(r)).isEqualTo(shard.group(r));
                }
            }
        });
    }

    @Test
    void anotherSeedPoisonsOtherwise() {
        Laws.check(5, seed -> {
            Dataset shard = shard(seed);
            Dataset once = attack().poison(shard, seed);
            Dataset other = attack().poison(shard, seed.child("other"));
            assertThat(once.rows() != other.rows() || changed(once, other) > 0).isEqualTo(draws());
        });
    }

    @Test
    void sparseRowsArePoisonedLikeDenseOnes() {
        Laws.check(5, seed -> {
            Dataset dense = attack().poison(Samples.dense(seed, 300, 12, 2), seed);
            Dataset sparse = attack().poison(Samples.sparse(seed, 300, 12, 2), seed);
            assertThat(sparse.rows()).isEqualTo(dense.rows());
            assertThat(changed(sparse, dense)).isZero();
            assertThat(sparse.sparse()).isEqualTo(!fills());
        });
    }

    /** Whether nothing of the zeros of sparse rows remains. */
    protected boolean fills() {
        return false;
    }

    /** Whether the standard strength leaves anything to chance. */
    protected boolean draws() {
        return true;
    }
}
