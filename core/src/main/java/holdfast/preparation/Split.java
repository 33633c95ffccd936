package holdfast.preparation;

import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.stream.IntStream;

/** Which rows are for training and which are held out, each ascending. */
public record Split(int[] training, int[] heldOut) {

    static Split of(boolean[] heldOut) {
        return new Split(
                IntStream.range(0, heldOut.length).filter(r -> !heldOut[r]).toArray(),
                IntStream.range(0, heldOut.length).filter(r -> heldOut[r]).toArray());
    }

    /** Holds out the same share of every class and source; see {@link HoldOut}. */
    public static Split stratified(Dataset data, double share, Seed seed) {
        return HoldOut.share(share).of(data, seed);
    }
}
