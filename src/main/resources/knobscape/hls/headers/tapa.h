#pragma once
#include <ap_int.h>
#include <hls_vector.h>
#include <stdint.h>
namespace tapa {
template<class T, int N = 2> struct stream {
    stream();
    stream(const char *name);
    T read();
    T read(bool &succeeded);
    T read(decltype(nullptr));
    bool try_read(T &value);
    T peek(bool &succeeded);
    T peek(decltype(nullptr));
    bool try_peek(T &value);
    void write(const T &value);
    bool try_write(const T &value);
    bool empty() const;
    bool full() const;
    bool eot(bool &succeeded);
    bool eot(decltype(nullptr));
    bool try_eot(bool &value);
    void open();
    bool try_open();
    void close();
    bool try_close();
    void operator>>(T &value);
    void operator<<(const T &value);
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
template<class T> using async_mmap = T *;
template<class T, int S> using mmaps = T *[S];
template<class T, int N> using vec_t = hls::vector<T, N>;
template<class To, class From> To bit_cast(From value);
constexpr int join = 0;
constexpr int detach = -1;
struct task {
    task();
    template<class F, class... A> task &invoke(F function, A ...arguments);
    template<int mode, class F, class... A> task &invoke(F function, A ...arguments);
    template<int mode, int copies, class F, class... A> task &invoke(F function, A ...arguments);
};
}
#define TAPA_WHILE_NOT_EOT(f) while (!(f).eot(nullptr))
#define TAPA_WHILE_NEITHER_EOT(f, g) while (!(f).eot(nullptr) && !(g).eot(nullptr))
#define TAPA_WHILE_NONE_EOT(f, g, h) while (!(f).eot(nullptr) && !(g).eot(nullptr) && !(h).eot(nullptr))
#define TAPA_ELEM_TYPE(s) typename tapa::stream_element<decltype(s)>::type
