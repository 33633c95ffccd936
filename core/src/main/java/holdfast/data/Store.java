package holdfast.data;

/** Rows stored outside the heap, for example in a mapped file, numbered from 0. Any number of threads may read them. */
public interface Store {
    int rows();

    int columns();

    /** Copies the values of a row to {@code into} at {@code offset}. */
    void read(int row, double[] into, int offset);

    double label(int row);

    /** Returns whether there are weights; if not, all are 1. */
    boolean weighted();

    double weight(int row);
}
