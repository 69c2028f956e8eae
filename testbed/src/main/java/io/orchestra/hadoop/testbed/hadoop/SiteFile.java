package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.xml.XmlEscapers;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads and writes one of Hadoop's configuration files. */
public final class SiteFile {
  /**
   * What a property says.
   *
   * @param isFinal whether jobs, and files that are read later, cannot say otherwise
   */
  record Value(String text, boolean isFinal) {
    static Value of(String text) {
      return new Value(text, false);
    }
  }

  private SiteFile() {}

  /** The properties in the file's order. */
  static Map<String, Value> parse(Path file) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      Element root = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
      NodeList elements = root.getElementsByTagName("property");
      Map<String, Value> properties = new LinkedHashMap<>();
      for (int i = 0; i < elements.getLength(); i++) {
        Element property = (Element) elements.item(i);
        properties.put(
            required(file, property, "name"),
            new Value(
                required(file, property, "value"),
                text(file, property, "final").filter("true"::equals).isPresent()));
      }
      return properties;
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new TestbedException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** The text of such a file, in which nothing is final. */
  public static String render(Map<String, String> properties) {
    Map<String, Value> values = new LinkedHashMap<>();
    properties.forEach((key, value) -> values.put(key, Value.of(value)));
    return renderValues(values);
  }

  static String renderValues(Map<String, Value> properties) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (key, value) ->
            text.append("  <property>\n    <name>")
                .append(XmlEscapers.xmlContentEscaper().escape(key))
                .append("</name>\n    <value>")
                .append(XmlEscapers.xmlContentEscaper().escape(value.text()))
                .append("</value>\n")
                .append(value.isFinal() ? "    <final>true</final>\n" : "")
                .append("  </property>\n"));
    return text.append("</configuration>\n").toString();
  }

  private static String required(Path file, Element property, String tag) {
    return text(file, property, tag)
        .orElseThrow(
            () -> new TestbedException(file + ": a property without exactly one <" + tag + ">"));
  }

  private static Optional<String> text(Path file, Element property, String tag) {
    NodeList elements = property.getElementsByTagName(tag);
    if (elements.getLength() > 1) {
      throw new TestbedException(file + ": a property without exactly one <" + tag + ">");
    }
    return Optional.ofNullable(elements.item(0)).map(element -> element.getTextContent().strip());
  }
}
