#pragma once
#include <hls_stream.h>
#include <stdint.h>
namespace tapa {
template<class T> using istream = hls::stream<T>;
template<class T> using ostream = hls::stream<T>;
template<class T, int N = 2> using stream = hls::stream<T>;
template<class T, int S, int N = 2> using streams = hls::stream<T>[S];
template<class T> using mmap = T *;
template<class T> using async_mmap = T *;
struct join { };
struct detach { };
struct task {
    task();
    template<class F, class... A> task &invoke(F function, A &&...arguments);
    template<class M, class F, class... A> task &invoke(F function, A &&...arguments);
};
}
