package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.attack.RowAttack;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The laws of every attack on rows: the same seed gives the same rows, the shard stays untouched, poisoned rows are
 * valid and keep their sources, and sparse rows are poisoned like dense ones.
 *
 * <p>To test an attack, extend this class and implement {@link #attack}. If its default strength draws nothing,
 * override {@link #draws}; if it leaves no zeros in sparse rows, override {@link #fills}.
 */
public abstract class RowAttackContract {
    /** Returns the attack to test, with its default strength. */
    protected abstract RowAttack attack();

    /** Makes a shard of 250 to 299 rows with two classes and two sources. */
    protected static Dataset shard(Seed seed) {
        return Samples.dataset(seed, 250 + seed.child("rows").random().nextInt(50), 3, 2);
    }

    /** Counts the rows that differ between two data sets with the same number of rows. */
    protected static int changed(Dataset a, Dataset b) {
        int changed = 0;
        for (int r = 0; r < a.rows(); r++) {
            changed += a.label(r) == b.label(r) && Arrays.equals(a.row(r), b.row(r)) ? 0 : 1;
        }
        return changed;
    }

    @Test
    protected void theSameSeedGivesTheSameRowsAndTheShardStaysUntouched() {
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
    protected void poisonedRowsAreValidAndKeepTheirSources() {
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
    protected void anotherSeedPoisonsOtherwise() {
        Laws.check(5, seed -> {
            Dataset shard = shard(seed);
            Dataset once = attack().poison(shard, seed);
            Dataset other = attack().poison(shard, seed.child("other"));
            assertThat(once.rows() != other.rows() || changed(once, other) > 0).isEqualTo(draws());
        });
    }

    @Test
    protected void sparseRowsArePoisonedLikeDenseOnes() {
        Laws.check(5, seed -> {
            Dataset dense = attack().poison(Samples.dense(seed, 300, 12, 2), seed);
            Dataset sparse = attack().poison(Samples.sparse(seed, 300, 12, 2), seed);
            assertThat(sparse.rows()).isEqualTo(dense.rows());
            assertThat(changed(sparse, dense)).isZero();
            assertThat(sparse.sparse()).isEqualTo(!fills());
        });
    }

    /** Whether the attack replaces the zeros of sparse rows, so that they are stored as dense ones. */
    protected boolean fills() {
        return false;
    }

    /** Whether the attack draws from its seed at its default strength. */
    protected boolean draws() {
        return true;
    }
}
