package knobscape.network.onnx;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Bytes of a file read in order, with jumps that cost nothing.
final class FileBytes implements Closeable {
    private final FileChannel channel;
    private final long size;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).limit(0);
    /// File position of the first byte of the buffer.
    private long base;

    FileBytes(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        size = channel.size();
    }

    long size() {
        return size;
    }

    long position() {
        return base + buffer.position();
    }

    void skip(long bytes) {
        if (bytes <= buffer.remaining()) {
            buffer.position(buffer.position() + (int) bytes);
        } else {
            base = position() + bytes;
            buffer.position(0).limit(0);
        }
    }

    byte next() throws IOException {
        if (!buffer.hasRemaining()) {
            refill();
        }
        return buffer.get();
    }

    byte[] take(int bytes) throws IOException {
        byte[] taken = new byte[bytes];
        int done = 0;
        while (done < bytes) {
            if (!buffer.hasRemaining()) {
                refill();
            }
            int n = Math.min(bytes - done, buffer.remaining());
            buffer.get(taken, done, n);
            done += n;
        }
        return taken;
    }

    private void refill() throws IOException {
        base = position();
        buffer.clear();
        int n = channel.read(buffer, base);
        buffer.flip();
        if (n <= 0) {
            throw new IOException("the file ended while it was read");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
