#pragma once
#include <stddef.h>
namespace hls {
template<class T, int D = 0> struct stream {
    stream();
    stream(const char *name);
    T read();
    void read(T &value);
    bool read_nb(T &value);
    void write(const T &value);
    bool write_nb(const T &value);
    bool empty() const;
    bool full() const;
    size_t size() const;
    size_t capacity() const;
    void operator>>(T &value);
    void operator<<(const T &value);
};
template<class T, int D = 2> struct stream_of_blocks { };
template<class T> struct read_lock { read_lock(stream_of_blocks<T> &s); operator T &(); };
template<class T> struct write_lock { write_lock(stream_of_blocks<T> &s); operator T &(); };
}
