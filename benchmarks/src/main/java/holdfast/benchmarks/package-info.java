/**
 * What holdfast costs, as ratios: compared with the speed of memory, with holdfast without its robustness, and with
 * other libraries on the JVM. Both sides of a ratio run in turns in one process, so that a busy machine slows both.
 */
package holdfast.benchmarks;
