/**
 * The program {@code holdfast}. {@link holdfast.app.Main} parses the command line, prints what went wrong in one line
 * and sets the exit code.
 *
 * <pre>
 * app            Main
 *  command       one class per command: its options, what it reads, what it calls, what it prints
 *   report       results as text for a terminal, as JSON and as HTML pages
 *    lab         experiments that train many plans: lab.paper, lab.redteam
 * </pre>
 *
 * <p>Each package uses those below it. Results go to standard output, progress and warnings to standard error.
 */
package holdfast.app;
