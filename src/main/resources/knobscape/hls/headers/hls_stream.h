#pragma once
#include <knobscape.h>
#include <stddef.h>
#include <assert.h>
namespace hls {
template<class kn_T, int kn_D = 0> class stream;
template<class kn_T> class stream<kn_T, 0> {
    // As many as a simulation may ever hold; a call says which is next.
    kn_T element[1 << 16];
public:
    typedef kn_T value_type;
    KN stream() {}
    KN stream(const char *) {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;
    KN kn_T read() { return element[__kn_rd(this)]; }
    KN void read(kn_T &value) { value = element[__kn_rd(this)]; }
    KN bool read_nb(kn_T &value) { bool some = __kn_poll(this); if (some) read(value); return some; }
    KN void write(const kn_T &value) { element[__kn_wr(this)] = value; }
    KN bool write_nb(const kn_T &value) { write(value); return true; }
    KN bool write_dep(const kn_T &value, bool before) { (void)before; write(value); return true; }
    KN bool read_dep(kn_T &value, bool before) { (void)before; value = read(); return true; }
    KN bool empty() const { return !__kn_poll(this); }
    KN bool full() const { return false; }
    KN size_t size() const { return __kn_poll(this); }
    KN size_t capacity() const { return 0; }
    KN void operator>>(kn_T &value) { read(value); }
    KN void operator<<(const kn_T &value) { write(value); }
};
// One of a depth is given to functions that take one of any.
template<class kn_T, int kn_D> class stream : public stream<kn_T, 0> {
public:
    KN stream() {}
    KN stream(const char *name) : stream<kn_T, 0>(name) {}
    KN size_t capacity() const { return kn_D; }
};
template<class kn_T, int kn_D = 0> class stream_of_blocks : public stream_of_blocks<kn_T, 0> {};
template<class kn_T> class stream_of_blocks<kn_T, 0> { public: kn_T block; KN bool empty() const { return false; } KN bool full() const { return false; } };
template<class kn_T> struct read_lock { kn_T &block; KN read_lock(stream_of_blocks<kn_T, 0> &s) : block(s.block) {} KN operator kn_T &() { return block; } KN auto &operator[](size_t i) { return block[i]; } };
template<class kn_T> struct write_lock { kn_T &block; KN write_lock(stream_of_blocks<kn_T, 0> &s) : block(s.block) {} KN operator kn_T &() { return block; } KN auto &operator[](size_t i) { return block[i]; } };
}
