/**
 * Arithmetic in which every bit is fixed: the same on any CPU, thread count, JVM and compilation state.
 *
 * <ul>
 *   <li>{@link holdfast.math.Vectors}: dot products and sums over eight logical lanes, multiply then add, never fused;
 *       norms that neither overflow nor underflow;
 *   <li>{@link holdfast.math.Logistic}: our own exponential function, because {@code Math.exp} may differ between
 *       interpreter, compiler and vector unit;
 *   <li>{@link holdfast.math.Kernels}: the hot loops of both, in plain Java and in the Vector API, with the same bits;
 *   <li>{@link holdfast.math.Matrix}: products of small matrices, term by term in order;
 *   <li>{@link holdfast.math.SymmetricEigen}: eigenpairs of small symmetric matrices;
 *   <li>{@link holdfast.math.ConjugateGradient}: solves systems that are given by their products;
 *   <li>{@link holdfast.math.Tree}: sums along one fixed binary tree, so pieces may be computed anywhere;
 *   <li>{@link holdfast.math.Threads}: run independent pieces of work, such as subtrees of these sums, with the same
 *       bits for any number of threads.
 * </ul>
 */
package holdfast.math;
