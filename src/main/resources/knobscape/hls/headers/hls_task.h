#pragma once
#include <hls_stream.h>
#define hls_thread_local
namespace hls {
struct task {
    KN task() {}
    template<class F, class... A> KN task(F &function, A &&...arguments) { kn_task((const void *)&function, __kn_arg(arguments)...); }
    template<class F, class... A> KN void operator()(F &function, A &&...arguments) { kn_task((const void *)&function, __kn_arg(arguments)...); }
};
namespace split {
template<class T, int N, int D = 2, int M = 2> struct round_robin { stream<T> in; stream<T> out[N]; };
template<class T, int N, int D = 2, int M = 2> struct load_balance { stream<T> in; stream<T> out[N]; };
template<class T, int N, int D = 2, int M = 2> struct load_balancing { stream<T> in; stream<T> out[N]; };
}
namespace merge {
template<class T, int N, int D = 2, int M = 2> struct round_robin { stream<T> in[N]; stream<T> out; };
template<class T, int N, int D = 2, int M = 2> struct load_balance { stream<T> in[N]; stream<T> out; };
template<class T, int N, int D = 2, int M = 2> struct load_balancing { stream<T> in[N]; stream<T> out; };
}
}
