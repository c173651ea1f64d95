package knobscape.app.ui.hls;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.source.Kernel;
import knobscape.project.Session;

/// The source with the choice of its top function above it.
final class SourcePage {
    private final VBox page;

    @FXML
    private HBox sourceHead;

    @FXML
    private MenuButton top;

    @FXML
    private Label guessed;

    /// @param model what is open
    /// @param code the source
    SourcePage(HlsViewModel model, Node code) {
        this.page = Fxml.load("hls/source-page", this);
        model.workbench().addListener((o, was, is) -> {
            Optional<HlsWorkbench> kernel = is.map(Session::bench);
            Nodes.show(sourceHead, kernel.isPresent());
            kernel.ifPresent(w -> {
                top.setText("Top: " + w.kernel().top());
                guessed.setText(w.kernel().topGuessed() ? "guessed" : "");
                top.getItems()
                        .setAll(tops(w.kernel()).stream()
                                .map(f -> {
                                    var item = new MenuItem(f);
                                    item.setMnemonicParsing(false);
                                    item.setOnAction(e -> model.openTop(f));
                                    return item;
                                })
                                .toList());
                top.setMouseTransparent(top.getItems().size() < 2);
                Nodes.style(top, "no-arrow", top.getItems().size() < 2);
            });
        });
        VBox.setVgrow(code, Priority.ALWAYS);
        page.getChildren().add(code);
    }

    /// Functions that could be the top, the present one first.
    static List<String> tops(Kernel kernel) {
        return Stream.concat(
                        kernel.functions().reversed().stream().map(f -> f.name()), kernel.otherFunctions().stream())
                .distinct()
                .toList();
    }

    Node root() {
        return page;
    }
}
