package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import java.util.List;
import org.junit.jupiter.api.Test;

class PieceTest {
    private static Dataset rows(Randomness random) {
        int d = 1 + random.nextInt(50);
        boolean weighted = random.nextInt(2) == 0;
        DatasetBuilder builder = Piece.builder(random.nextInt(2) == 0, d);
        for (int n = 1 + random.nextInt(700); n > 0; n--) {
            double[] x = random.gaussians(d);
            for (int i = 0; i < d; i++) {
                x[i] = switch (random.nextInt(6)) {
                    case 0 -> 0;
                    case 1 -> -0.0;
                    default -> x[i];
                };
            }
            builder.add(x, random.nextInt(2), 0, weighted ? random.nextDouble() : 1);
        }
        Dataset rows = builder.build(Piece.unnamed(d, "outcome", List.of("no", "yes")), DataSource.MEMORY);
        return !rows.sparse() && random.nextInt(2) == 0 ? rows.inFloats(r -> r) : rows;
    }

    @Test
    void aPieceTravelsToTheBit() {
        Laws.check(60, seed -> {
            Piece sent = new Piece(17, 64, rows(seed.random()));
            Piece piece = Sparks.travelled(sent);
            Dataset was = sent.rows();
            Dataset is = piece.rows();
            assertThat(piece.worker()).isEqualTo(17);
            assertThat(piece.firstBlock()).isEqualTo(64);
            assertThat(piece.endBlock()).isEqualTo(sent.endBlock());
            assertThat(is.schema()).isEqualTo(was.schema());
            assertThat(is.sparse()).isEqualTo(was.sparse());
            assertThat(is.hasFloats()).isEqualTo(was.hasFloats());
            assertThat(is.weighted()).isEqualTo(was.weighted());
            assertThat(is.rows()).isEqualTo(was.rows());
            for (int r = 0; r < was.rows(); r++) {
                assertThat(Laws.bits(is.row(r))).isEqualTo(Laws.bits(was.row(r)));
                assertThat(is.label(r)).isEqualTo(was.label(r));
                assertThat(is.weight(r)).isEqualTo(was.weight(r));
            }
        });
    }

    @Test
    void whatIsMadeOfItIsMadeOnceForAPurpose() {
        Piece piece = new Piece(0, 0, null);
        int[] made = new int[1];
        for (int i = 0; i < 3; i++) {
            assertThat(piece.kept(Integer.class, List.of("this"), () -> ++made[0]))
                    .isEqualTo(1);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(piece.kept(Integer.class, List.of("that"), () -> ++made[0]))
                    .isEqualTo(2);
        }
    }
}
