#pragma once
#include <knobscape.h>
#include <ap_int.h>
#include <hls_vector.h>
#include <stdint.h>
namespace tapa {
template<class T, int N = 2> struct stream {
    // As many as a simulation may ever hold; a call says which is next.
    T element[1 << 16];
    KN stream() {}
    KN stream(const char *) {}
    KN T read() { return element[__kn_rd(this)]; }
    KN T read(bool &succeeded) { succeeded = true; return read(); }
    KN T read(decltype(nullptr)) { return read(); }
    KN bool try_read(T &value) { bool some = __kn_poll(this); if (some) value = read(); return some; }
    T peek(bool &succeeded);
    T peek(decltype(nullptr));
    bool try_peek(T &value);
    KN void write(const T &value) { element[__kn_wr(this)] = value; }
    KN bool try_write(const T &value) { write(value); return true; }
    KN bool empty() const { return !__kn_poll(this); }
    KN bool full() const { return false; }
    bool eot(bool &succeeded);
    bool eot(decltype(nullptr));
    bool try_eot(bool &value);
    KN void open() {}
    KN bool try_open() { return true; }
    KN void close() {}
    KN bool try_close() { return true; }
    KN void operator>>(T &value) { value = read(); }
    KN void operator<<(const T &value) { write(value); }
};
template<class T> using istream = stream<T>;
template<class T> using ostream = stream<T>;
template<class T, int S, int N = 2> using streams = stream<T>[S];
template<class T, int S> using istreams = stream<T>[S];
template<class T, int S> using ostreams = stream<T>[S];
template<class T> struct stream_element;
template<class T, int N> struct stream_element<stream<T, N>> { using type = T; };
template<class T, int S> struct stream_element<T[S]> { using type = typename stream_element<T>::type; };
template<class T> struct stream_element<T *> { using type = typename stream_element<T>::type; };
template<class T> struct stream_element<T &> { using type = typename stream_element<T>::type; };
template<class T> using mmap = T *;
template<class T, int C, long S> using hmap = T *;
template<class T> struct width { static constexpr int value = 8 * sizeof(T); };
template<class T, int N> struct width<hls::vector<T, N>> { static constexpr int value = N * width<T>::value; };
template<class T> constexpr int widthof() { return width<T>::value; }
int seq();
// Requests and answers of a memory are queues; what they wait for each other is not known.
template<class T> struct async_mmap {
    stream<int64_t> read_addr;
    stream<T> read_data;
    stream<int64_t> write_addr;
    stream<T> write_data;
    stream<uint8_t> write_resp;
};
template<class T, int S> using mmaps = T *[S];
template<class T, int N> using vec_t = hls::vector<T, N>;
template<class To, class From> To bit_cast(From value);
constexpr int join = 0;
constexpr int detach = -1;
struct task {
    KN task() {}
    template<class F, class... A> KN task &invoke(F &function, A &&...arguments) { kn_task((const void *)&function, __kn_arg(arguments)...); return *this; }
    template<int mode, class F, class... A> KN task &invoke(F &function, A &&...arguments) { return invoke(function, arguments...); }
    template<int mode, int copies, class F, class... A> KN task &invoke(F &function, A &&...arguments) { return invoke(function, arguments...); }
};
}
#define TAPA_WHILE_NOT_EOT(f) while (!(f).eot(nullptr))
#define TAPA_WHILE_NEITHER_EOT(f, g) while (!(f).eot(nullptr) && !(g).eot(nullptr))
#define TAPA_WHILE_NONE_EOT(f, g, h) while (!(f).eot(nullptr) && !(g).eot(nullptr) && !(h).eot(nullptr))
#define TAPA_ELEM_TYPE(s) typename tapa::stream_element<decltype(s)>::type
