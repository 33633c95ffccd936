/**
 * Reads and writes the types of core as files: CSV and LIBSVM into {@link holdfast.data.Dataset}, plan.yaml into
 * {@link holdfast.plan.Plan}, model.json, checkpoints, and vectors as CSV and .npy. Every error names the file and, in
 * tables, line and column. Writing replaces the old file at once or not at all ({@link holdfast.formats.AtomicFile}).
 */
package holdfast.formats;
