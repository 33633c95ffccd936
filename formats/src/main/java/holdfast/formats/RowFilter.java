package holdfast.formats;

/** Chooses rows by their source and their number among the rows of their source, so that no source has a say in another's. */
interface RowFilter {
    /**
     * Returns whether a row is chosen.
     *
     * @param row its number among the rows of its source, from 0
     */
    boolean keeps(String source, int row);
}
