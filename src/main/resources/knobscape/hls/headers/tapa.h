#pragma once
#include <knobscape.h>
#include <ap_int.h>
#include <hls_vector.h>
#include <stdint.h>
namespace tapa {
template<class kn_T, int kn_N = 2> struct stream {
    // As many as a simulation may ever hold; a call says which is next.
    kn_T element[1 << 16];
    KN stream() {}
    KN stream(const char *) {}
    KN kn_T read() { return element[__kn_rd(this)]; }
    KN kn_T read(bool &succeeded) { succeeded = true; return read(); }
    KN kn_T read(decltype(nullptr)) { return read(); }
    KN bool try_read(kn_T &value) { bool some = __kn_poll(this); if (some) value = read(); return some; }
    kn_T peek(bool &succeeded);
    kn_T peek(decltype(nullptr));
    bool try_peek(kn_T &value);
    KN void write(const kn_T &value) { element[__kn_wr(this)] = value; }
    KN bool try_write(const kn_T &value) { write(value); return true; }
    KN bool empty() const { return !__kn_poll(this); }
    KN bool full() const { return false; }
    bool eot(bool &succeeded);
    bool eot(decltype(nullptr));
    bool try_eot(bool &value);
    KN void open() {}
    KN bool try_open() { return true; }
    KN void close() {}
    KN bool try_close() { return true; }
    KN void operator>>(kn_T &value) { value = read(); }
    KN void operator<<(const kn_T &value) { write(value); }
};
template<class kn_T> using istream = stream<kn_T>;
template<class kn_T> using ostream = stream<kn_T>;
template<class kn_T, int kn_S, int kn_N = 2> using streams = stream<kn_T>[kn_S];
template<class kn_T, int kn_S> using istreams = stream<kn_T>[kn_S];
template<class kn_T, int kn_S> using ostreams = stream<kn_T>[kn_S];
template<class kn_T> struct stream_element;
template<class kn_T, int kn_N> struct stream_element<stream<kn_T, kn_N>> { using type = kn_T; };
template<class kn_T, int kn_S> struct stream_element<kn_T[kn_S]> { using type = typename stream_element<kn_T>::type; };
template<class kn_T> struct stream_element<kn_T *> { using type = typename stream_element<kn_T>::type; };
template<class kn_T> struct stream_element<kn_T &> { using type = typename stream_element<kn_T>::type; };
template<class kn_T> using mmap = kn_T *;
template<class kn_T, int kn_C, long kn_S> using hmap = kn_T *;
template<class kn_T> struct width { static constexpr int value = 8 * sizeof(kn_T); };
template<class kn_T, int kn_N> struct width<hls::vector<kn_T, kn_N>> { static constexpr int value = kn_N * width<kn_T>::value; };
template<class kn_T> constexpr int widthof() { return width<kn_T>::value; }
int seq();
// Requests and answers of a memory are queues; what they wait for each other is not known.
template<class kn_T> struct async_mmap {
    stream<int64_t> read_addr;
    stream<kn_T> read_data;
    stream<int64_t> write_addr;
    stream<kn_T> write_data;
    stream<uint8_t> write_resp;
};
template<class kn_T, int kn_S> using mmaps = kn_T *[kn_S];
template<class kn_T, int kn_N> using vec_t = hls::vector<kn_T, kn_N>;
template<class To, class From> To bit_cast(From value);
constexpr int join = 0;
constexpr int detach = -1;
struct task {
    KN task() {}
    template<class kn_F, class... kn_A> KN task &invoke(kn_F &function, kn_A &&...arguments) { kn_task((const void *)&function, __kn_arg(arguments)...); return *this; }
    template<int mode, class kn_F, class... kn_A> KN task &invoke(kn_F &function, kn_A &&...arguments) { return invoke(function, arguments...); }
    template<int mode, int copies, class kn_F, class... kn_A> KN task &invoke(kn_F &function, kn_A &&...arguments) { return invoke(function, arguments...); }
};
}
#define TAPA_WHILE_NOT_EOT(f) while (!(f).eot(nullptr))
#define TAPA_WHILE_NEITHER_EOT(f, g) while (!(f).eot(nullptr) && !(g).eot(nullptr))
#define TAPA_WHILE_NONE_EOT(f, g, h) while (!(f).eot(nullptr) && !(g).eot(nullptr) && !(h).eot(nullptr))
#define TAPA_ELEM_TYPE(s) typename tapa::stream_element<decltype(s)>::type
