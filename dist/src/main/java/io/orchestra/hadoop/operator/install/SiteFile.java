package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The properties of one of Hadoop's site files, without a class of Hadoop. */
final class SiteFile {

  /**
   * @param text the value, stripped
   * @param last whether a job or a later file may not change it
   * @param description in one line; empty if there is none
   */
  record Value(String text, boolean last, String description) {}

  private SiteFile() {}

  /** By name, in the file's order; empty if there is no such file. Files that it includes too. */
  static Map<String, Value> read(Path file) {
    Map<String, Value> properties = new LinkedHashMap<>();
    if (!Files.exists(file)) {
      return properties;
    }
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      // Hadoop reads entities too.
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "file");
      factory.setNamespaceAware(true);
      factory.setXIncludeAware(true);
      Element root = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
      addProperties(root, file, properties);
      return properties;
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new OperatorException(
          "cannot read %s: %s".formatted(file, e.getMessage()),
          "correct it, or have it read from one file without includes and entities",
          e);
    }
  }

  private static void addProperties(Element root, Path file, Map<String, Value> properties)
      throws IOException {
    NodeList elements = root.getElementsByTagNameNS("*", "*");
    for (int i = 0; i < elements.getLength(); i++) {
      Element element = (Element) elements.item(i);
      if (element.getLocalName().equals("property")) {
        properties.put(
            text(element, "name"),
            new Value(
                text(element, "value"),
                text(element, "final").equals("true"),
                text(element, "description").replaceAll("\\s+", " ")));
      } else if (element.getLocalName().equals("include")) {
        // Without XInclude's namespace: the parser leaves it alone, and Hadoop does not.
        properties.putAll(read(included(element, file)));
      }
    }
  }

  private static Path included(Element include, Path file) throws IOException {
    String href = include.getAttribute("href");
    Path included;
    try {
      included = href.startsWith("file:") ? Path.of(URI.create(href)) : file.resolveSibling(href);
    } catch (IllegalArgumentException e) {
      throw new IOException("it includes %s, which is no path".formatted(href), e);
    }
    if (!Files.exists(included) && include.getElementsByTagName("fallback").getLength() == 0) {
      throw new IOException("it includes %s, which is not there".formatted(href));
    }
    return included;
  }

  private static String text(Element property, String tag) {
    NodeList elements = property.getElementsByTagName(tag);
    if (elements.getLength() > 0) {
      return elements.item(0).getTextContent().strip();
    }
    return property.getAttribute(tag).strip();
  }
}
