package holdfast.app.report;

import holdfast.app.lab.Resource;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A self-contained HTML page: a template of this package, whose <code>{{names}}</code> are replaced in one pass, so that
 * nothing in the data is taken for a name. <code>{{style}}</code> is what all pages share.
 */
final class Page {
    private static final Pattern NAME = Pattern.compile("\\{\\{([a-z0-9-]+)}}");

    private final String template;
    private final Map<String, String> parts = new HashMap<>();

    Page(String template) {
        this.template = Resource.text(Page.class, template);
        with("style", Resource.text(Page.class, "page.css"));
    }

    /** @param html as it will stand in the page: text from data must be {@link #escaped} */
    Page with(String name, Object html) {
        parts.put(name, html.toString());
        return this;
    }

    String html() {
        return NAME.matcher(template).replaceAll(name -> {
            String part = parts.get(name.group(1));
            if (part == null) {
                throw new IllegalStateException("the page has no part " + name.group(1));
            }
            return Matcher.quoteReplacement(part);
        });
    }

    /** Returns text for a page, between tags or in a quoted attribute; control characters become visible. */
    static String escaped(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Returns a name from data for a page. Whatever its direction of writing, the text around it keeps its own. */
    static String name(String name) {
        return "<bdi>" + escaped(name) + "</bdi>";
    }
}
