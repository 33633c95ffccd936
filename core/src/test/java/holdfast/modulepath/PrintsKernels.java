package holdfast.modulepath;

import holdfast.math.Kernels;

/** Prints the module of the kernels, their name, and the sum of the squares from 1 to 9 by them. */
final class PrintsKernels {
    private PrintsKernels() {}

    public static void main(String[] args) {
        double[] a = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        System.out.println(Kernels.class.getModule().getName() + " " + Kernels.CHOSEN.name() + " "
                + Kernels.CHOSEN.dot(a, 0, a, 0, a.length));
    }
}
