package holdfast.data;

/**
 * Where rows came from, for the provenance of what is learnt from them.
 *
 * @param name the file as the user named it
 * @param sha256 of the bytes read, in hex
 */
public record DataSource(String name, String sha256) {
    /** Data made in memory. */
    public static final DataSource MEMORY = new DataSource("memory", "");
}
