package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What an experiment found. */
public interface ExperimentReport {
    /** Returns the main tables, in 80 columns. */
    String text();

    /** Returns one self-contained page. */
    String html();

    /** Returns all numbers. */
    ObjectNode json();
}
