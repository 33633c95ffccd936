/**
 * What workers hold: rows of numbers with a label, in blocks.
 *
 * <p>A {@link holdfast.data.Table} is what a file contains: typed columns of cells, some of which may be missing.
 * {@code holdfast.preparation} learns what it becomes before training. A {@link holdfast.data.Dataset} is a list of
 * {@link holdfast.data.Block}s of rows. Models see blocks and never single rows, so these kinds of rows are
 * interchangeable: rows with their zeros ({@link holdfast.data.DenseBlock}), in half of the memory
 * ({@link holdfast.data.FloatBlock}), without their zeros ({@link holdfast.data.SparseBlock}), outside the heap
 * ({@link holdfast.data.Store}) and moved to their worst case ({@link holdfast.data.MovedBlock}). A
 * {@link holdfast.data.Partition} assigns rows to workers. {@link holdfast.data.Rows} is what a data set has in common
 * with rows on other machines.
 */
package holdfast.data;
