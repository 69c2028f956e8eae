package io.orchestra.hadoop.operator.install;

import io.orchestra.hadoop.operator.OperatorException;
import java.io.IOException;
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
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setNamespaceAware(true);
      factory.setXIncludeAware(true);
      Element root = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
      NodeList elements = root.getElementsByTagName("property");
      for (int i = 0; i < elements.getLength(); i++) {
        Element property = (Element) elements.item(i);
        properties.put(
            text(property, "name"),
            new Value(
                text(property, "value"),
                text(property, "final").equals("true"),
                text(property, "description").replaceAll("\\s+", " ")));
      }
      return properties;
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new OperatorException(
          "cannot read %s: %s".formatted(file, e.getMessage()),
          "correct it; Hadoop cannot read it either",
          e);
    }
  }

  private static String text(Element property, String tag) {
    NodeList elements = property.getElementsByTagName(tag);
    if (elements.getLength() > 0) {
      return elements.item(0).getTextContent().strip();
    }
    return property.getAttribute(tag).strip();
  }
}
