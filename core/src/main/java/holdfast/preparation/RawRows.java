package holdfast.preparation;

import holdfast.data.Rows;

/** The training rows of a table, wherever they are, before anything has been learnt from them. */
public interface RawRows {
    /** Learns how their cells become features; see {@link Encoding#learn}. */
    Encoding learnEncoding();

    /** Returns the features that their cells become with an encoding learnt from them. */
    Rows features(Encoding encoding);
}
