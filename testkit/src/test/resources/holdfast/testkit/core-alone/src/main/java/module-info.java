module outside {
    requires holdfast.core;
}
