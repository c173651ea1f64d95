package knobscape.evaluate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/// Reads XML of others: no document type, no entities.
public final class Xml {
    private Xml() {}

    /// The root element. Throws [UserError] naming file and line where it is not well-formed.
    public static Element read(Path file, byte[] bytes) {
        try {
            var factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature("http://javax.xml.XMLConstants/feature/secure-processing", true);
            factory.setExpandEntityReferences(false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
            return builder.parse(new ByteArrayInputStream(bytes)).getDocumentElement();
        } catch (SAXParseException e) {
            throw new UserError(
                    file + ":" + e.getLineNumber() + " is not well-formed XML (" + e.getMessage()
                            + "); the file may have been written only in part: run the tool again.",
                    e);
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new UserError(file + " cannot be read as XML: " + e.getMessage() + ".", e);
        }
    }
}
