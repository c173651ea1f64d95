package floorsfixture.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javafx.beans.property.SimpleIntegerProperty;

/// Breaks every rule but the floors.
public final class Careless {
    static int counter;

    /// A screen's type below the screen.
    SimpleIntegerProperty property;

    /// Jackson 2.
    com.fasterxml.jackson.databind.FakeMapper mapper;

    int unseededRandom() {
        counter++;
        return new Random().nextInt();
    }

    double unseededMath() {
        return Math.random();
    }

    void unseededShuffle(List<Integer> list) {
        Collections.shuffle(list);
    }

    void prints() {
        System.out.println(counter);
    }

    void exits() {
        System.exit(1);
    }

    long looksAtTheClock() {
        return System.nanoTime();
    }

    boolean looksAtFiles(Path path) {
        return Files.exists(path);
    }

    Path looksAtFilesOfTheSystem() throws IOException {
        Files.createTempFile("a", "b");
        return Files.createTempDirectory("c");
    }
}
