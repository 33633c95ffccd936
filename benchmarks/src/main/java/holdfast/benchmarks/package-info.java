/**
 * What holdfast costs, as ratios: compared with the speed of memory, with holdfast without its robustness, and with
 * other libraries on the JVM and in Python. Both sides of a ratio run in turns, so that a busy machine slows both.
 */
package holdfast.benchmarks;
