package holdfast.data;

/**
 * Where rows came from, for the provenance of a model trained on them.
 *
 * @param name the file as the user named it
 * @param sha256 the SHA-256 of the bytes read, in hex
 */
public record DataSource(String name, String sha256) {
    /** Data created in memory. */
    public static final DataSource MEMORY = new DataSource("memory", "");
}
