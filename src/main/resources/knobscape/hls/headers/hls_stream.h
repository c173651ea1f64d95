#pragma once
#include <knobscape.h>
#include <stddef.h>
#include <assert.h>
namespace hls {
template<class T, int D = 0> class stream;
template<class T> class stream<T, 0> {
    // As many as a simulation may ever hold; a call says which is next.
    T element[1 << 16];
public:
    typedef T value_type;
    KN stream() {}
    KN stream(const char *) {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;
    KN T read() { return element[__kn_rd(this)]; }
    KN void read(T &value) { value = element[__kn_rd(this)]; }
    KN bool read_nb(T &value) { bool some = __kn_poll(this); if (some) read(value); return some; }
    KN void write(const T &value) { element[__kn_wr(this)] = value; }
    KN bool write_nb(const T &value) { write(value); return true; }
    KN bool empty() const { return !__kn_poll(this); }
    KN bool full() const { return false; }
    KN size_t size() const { return __kn_poll(this); }
    KN size_t capacity() const { return 0; }
    KN void operator>>(T &value) { read(value); }
    KN void operator<<(const T &value) { write(value); }
};
// One of a depth is given to functions that take one of any.
template<class T, int D> class stream : public stream<T, 0> {
public:
    KN stream() {}
    KN stream(const char *name) : stream<T, 0>(name) {}
    KN size_t capacity() const { return D; }
};
template<class T, int D = 0> class stream_of_blocks : public stream_of_blocks<T, 0> {};
template<class T> class stream_of_blocks<T, 0> { public: T block; KN bool empty() const { return false; } KN bool full() const { return false; } };
template<class T> struct read_lock { T &block; KN read_lock(stream_of_blocks<T, 0> &s) : block(s.block) {} KN operator T &() { return block; } KN auto &operator[](size_t i) { return block[i]; } };
template<class T> struct write_lock { T &block; KN write_lock(stream_of_blocks<T, 0> &s) : block(s.block) {} KN operator T &() { return block; } KN auto &operator[](size_t i) { return block[i]; } };
}
