package holdfast.objective;

import holdfast.Catalogue;

/** The transport costs that a plan may name. */
public final class Costs {
    private static final Catalogue<TransportCost> CATALOGUE = Catalogue.<TransportCost>of("cost")
            .with("squared-l2", "half the squared Euclidean distance: the paper's", p -> new SquaredL2());

    private Costs() {}

    public static Catalogue<TransportCost> catalogue() {
        return CATALOGUE;
    }
}
