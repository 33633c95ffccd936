/** Reads and writes the types of {@code holdfast.core} as files: data, plans, models, checkpoints. */
module holdfast.formats {
    requires transitive holdfast.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires de.siegmar.fastcsv;

    exports holdfast.formats;
}
