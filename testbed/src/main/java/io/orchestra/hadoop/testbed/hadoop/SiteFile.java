package io.orchestra.hadoop.testbed.hadoop;

import com.google.common.xml.XmlEscapers;
import io.orchestra.hadoop.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads and writes one of Hadoop's configuration files. */
public final class SiteFile {
  private SiteFile() {}

  /** The properties in the file's order. */
  static Map<String, String> parse(Path file) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      Element root = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
      NodeList elements = root.getElementsByTagName("property");
      Map<String, String> properties = new LinkedHashMap<>();
      for (int i = 0; i < elements.getLength(); i++) {
        Element property = (Element) elements.item(i);
        properties.put(text(file, property, "name"), text(file, property, "value"));
      }
      return properties;
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new TestbedException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** The text of such a file. */
  public static String render(Map<String, String> properties) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (key, value) ->
            text.append("  <property>\n    <name>")
                .append(XmlEscapers.xmlContentEscaper().escape(key))
                .append("</name>\n    <value>")
                .append(XmlEscapers.xmlContentEscaper().escape(value))
                .append("</value>\n  </property>\n"));
    return text.append("</configuration>\n").toString();
  }

  private static String text(Path file, Element property, String tag) {
    NodeList elements = property.getElementsByTagName(tag);
    if (elements.getLength() != 1) {
      throw new TestbedException(file + ": a property without exactly one <" + tag + ">");
    }
    return elements.item(0).getTextContent().strip();
  }
}
