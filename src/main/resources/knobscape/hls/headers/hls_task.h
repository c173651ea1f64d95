#pragma once
#include <hls_stream.h>
#define hls_thread_local
namespace hls {
struct task {
    KN task() {}
    template<class kn_F, class... kn_A> KN task(kn_F &function, kn_A &&...arguments) { kn_task((const void *)&function, __kn_arg(arguments)...); }
    template<class kn_F, class... kn_A> KN void operator()(kn_F &function, kn_A &&...arguments) { kn_task((const void *)&function, __kn_arg(arguments)...); }
};
namespace split {
template<class kn_T, int kn_N, int kn_D = 2, int kn_M = 2> struct round_robin { stream<kn_T> in; stream<kn_T> out[kn_N]; };
template<class kn_T, int kn_N, int kn_D = 2, int kn_M = 2> struct load_balance { stream<kn_T> in; stream<kn_T> out[kn_N]; };
template<class kn_T, int kn_N, int kn_D = 2, int kn_M = 2> struct load_balancing { stream<kn_T> in; stream<kn_T> out[kn_N]; };
}
namespace merge {
template<class kn_T, int kn_N, int kn_D = 2, int kn_M = 2> struct round_robin { stream<kn_T> in[kn_N]; stream<kn_T> out; };
template<class kn_T, int kn_N, int kn_D = 2, int kn_M = 2> struct load_balance { stream<kn_T> in[kn_N]; stream<kn_T> out; };
template<class kn_T, int kn_N, int kn_D = 2, int kn_M = 2> struct load_balancing { stream<kn_T> in[kn_N]; stream<kn_T> out; };
}
}
