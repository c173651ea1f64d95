#pragma once
#include <hls_stream.h>
#define hls_thread_local
namespace hls {
struct task { template<class F, class... A> task(F function, A &&...arguments); };
template<class T, int N, int M> struct split { };
template<class T, int N, int M> struct merge { };
}
