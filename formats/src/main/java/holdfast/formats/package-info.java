/**
 * Files in and out of core's types: CSV and LIBSVM into {@link holdfast.data.Dataset}, plan.yaml into
 * {@link holdfast.plan.Plan}, model.json, checkpoints, vectors as CSV and .npy. Every error names the file
 * and, in tables, line and column. What is written replaces the old file at once or not at all
 * ({@link holdfast.formats.AtomicFile}).
 */
package holdfast.formats;
