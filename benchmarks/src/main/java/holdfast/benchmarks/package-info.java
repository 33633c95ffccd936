/**
 * What holdfast costs, as ratios: against the memory's speed, against itself without what makes it robust, and against what
 * others on the JVM would use. Both sides of a ratio run in turns in one process, so that a busy machine slows both.
 */
package holdfast.benchmarks;
