/**
 * The command line. One class per command, one line each in {@link holdfast.app.Main}; results go to standard output,
 * progress and warnings to standard error.
 */
package holdfast.app;
