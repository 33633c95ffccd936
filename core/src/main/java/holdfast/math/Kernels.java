package holdfast.math;

import holdfast.Check;
import java.lang.reflect.Method;
import java.util.Set;

/**
 * The loops over arrays in which training spends its time. Two implementations, plain Java and the Vector API, give the
 * same bits: eight logical lanes whatever the width of the CPU, multiply then add, in the order of {@link Vectors}. (A
 * NaN is a NaN; which one it is depends on the CPU.)
 *
 * <p>The Vector API is used if the module {@code jdk.incubator.vector} is available, unless
 * {@code -Dholdfast.kernels=plain} is set. {@code --add-modules} would load it with a warning at each start. The
 * program's jar instead loads it when it is first needed, with the JDK's own mechanism for loading system modules late,
 * which the jar's manifest opens. On the module path, {@code --add-opens java.base/jdk.internal.module=holdfast.core}
 * opens it.
 */
public interface Kernels {
    /** The kernels of this run. */
    Kernels CHOSEN = chosen(System.getProperty("holdfast.kernels", "auto"));

    /** Sum over i &lt; n of a[aFrom+i] * b[bFrom+i]. */
    double dot(double[] a, int aFrom, double[] b, int bFrom, int n);

    /**
     * out[at+j] = sum over from &lt;= i &lt; to of (a[i] - others[j][i])^2, for first &lt;= j &lt; last; lane 0 starts
     * at from.
     */
    void squaredDistances(double[] a, double[][] others, int first, int last, int from, int to, double[] out, int at);

    /** Sum of the first n elements. */
    double sum(double[] a, int n);

    /** target += factor * a, elementwise over the first n. */
    void addScaled(double[] target, double factor, double[] a, int n);

    /**
     * out[k] = ((t_0 + t_1) + (t_2 + t_3)) + ((t_4 + t_5) + (t_6 + t_7)) with t_i = w[first+i] * x[first+i][from+k],
     * for every element of out.
     */
    void sumEight(double[][] x, int first, double[] w, int from, double[] out);

    /** target += a, elementwise over the target. */
    void add(double[] target, double[] a);

    /** out[j] = x_j . theta for rows of n columns, stored one after the other from x[from]. */
    void times(double[] x, int from, int rows, int n, double[] theta, double[] out);

    /** into += sum over j of r[j] x_j, rows in order. */
    void addTransposed(double[] x, int from, int rows, int n, double[] r, double[] into);

    /** out[j] = x_j . theta for rows of floats; products and sums use doubles. */
    void times(float[] x, int from, int rows, int n, double[] theta, double[] out);

    /** into += sum over j of r[j] x_j for rows of floats; products and sums use doubles. */
    void addTransposed(float[] x, int from, int rows, int n, double[] r, double[] into);

    /** out[i] = e^a[i] for i &lt; n. Overwrites {@code a}; {@code out} must be another array. */
    void exp(double[] a, double[] out, int n);

    /** out[i] = 1/(1 + e^-a[i]) for i &lt; n. Overwrites {@code a}; {@code out} must be another array. */
    void sigmoid(double[] a, double[] out, int n);

    /**
     * value[i] = log(1 + e^a[i]) and slope[i] = 1/(1 + e^-a[i]) for i &lt; n, three different arrays. Not with the bits
     * of {@link #sigmoid}: both are made from one division.
     */
    void softplus(double[] a, double[] value, double[] slope, int n);

    /**
     * out[c*n + j] = e^u_c / sum over c &lt; k of e^u_c for j &lt; n, where u_c = u[c*n + j] minus the largest score of
     * row j. Overwrites {@code u}; {@code out} must be another array.
     */
    void softmax(double[] u, double[] out, int k, int n);

    /** out[c*n + j] = sum over b of a[c][b] v[b*n + j], b in order, for j &lt; n; {@code out} must be another array. */
    void product(double[][] a, double[] v, double[] out, int n);

    /** out += a b; see {@link Matrix#addProduct}, which checks the sizes. */
    void addProduct(Matrix a, Matrix b, Matrix out);

    /** Returns the name by which users choose these kernels. */
    String name();

    static Kernels plain() {
        return new PlainKernels();
    }

    /**
     * Returns the kernels that use the Vector API.
     *
     * @throws holdfast.InputException if this JVM has no Vector API
     */
    static Kernels vector() {
        Check.that(
                hasVectorModule(),
                "holdfast.kernels=vector needs the Vector API: start java with --add-modules jdk.incubator.vector");
        try {
            // By name, because it is compiled separately.
            return (Kernels) Class.forName("holdfast.math.VectorKernels")
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Kernels chosen(String name) {
        Check.that(
                Set.of("auto", "plain", "vector").contains(name),
                "holdfast.kernels must be plain or vector, got %s",
                name);
        return name.equals("vector") || name.equals("auto") && hasVectorModule() ? vector() : plain();
    }

    private static boolean hasVectorModule() {
        String name = "jdk.incubator.vector";
        Module module = ModuleLayer.boot().findModule(name).orElseGet(() -> load(name));
        if (module == null) {
            return false;
        }
        // The descriptor does not require it, because javac warns about modules that require an incubator.
        Kernels.class.getModule().addReads(module);
        return true;
    }

    /** Loads a module of the JDK late; null if the JDK has no module of this name or does not let us load it. */
    private static Module load(String name) {
        try {
            Method load = Class.forName("jdk.internal.module.Modules").getDeclaredMethod("loadModule", String.class);
            return load.trySetAccessible() ? (Module) load.invoke(null, name) : null;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
