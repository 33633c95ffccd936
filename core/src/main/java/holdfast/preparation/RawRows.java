package holdfast.preparation;

import holdfast.data.Rows;

/** The training rows of a table, wherever they are, before anything has been learnt from them. */
public interface RawRows {
    /** Learns how their cells become features; see {@link Encoding#learn}. */
    Encoding learnEncoding(boolean dealt, AcrossSources across);

    /**
     * Returns the features that their cells become with an encoding learnt from them. Their sources are the
     * {@link SourceGroups} whose statistics are taken; if all rows are pooled, they name none.
     */
    Rows features(Encoding encoding);
}
