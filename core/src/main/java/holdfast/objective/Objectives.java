package holdfast.objective;

import holdfast.Catalogue;

/** The objectives that a plan may name. */
public final class Objectives {
    private static final Catalogue<ObjectiveFamily> CATALOGUE = Catalogue.<ObjectiveFamily>of("objective")
            .with(
                    "wasserstein",
                    "every row counts by its worst case at a price, by --lambda, --cost, --box and how to find it: the paper's",
                    p -> new Wasserstein(8));

    private Objectives() {}

    public static Catalogue<ObjectiveFamily> catalogue() {
        return CATALOGUE;
    }
}
