package holdfast.data;

/** Rows kept outside the heap, such as in a mapped file, by their numbers from 0. Any number of threads may read. */
public interface Store {
    int rows();

    int columns();

    /** Copies the values of a row to {@code into} at {@code offset}. */
    void read(int row, double[] into, int offset);

    double label(int row);

    /** Whether there are weights; if not, all are 1. */
    boolean weighted();

    double weight(int row);
}
