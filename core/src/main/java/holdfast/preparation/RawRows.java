package holdfast.preparation;

import holdfast.data.Rows;

/** The training rows of a table, wherever they are, before anything is known of them. */
public interface RawRows {
    /** Learns how their cells become features, see {@link Encoding#learn}. */
    Encoding learnEncoding();

    /** The features that their cells make by an encoding that was learnt from them. */
    Rows features(Encoding encoding);
}
