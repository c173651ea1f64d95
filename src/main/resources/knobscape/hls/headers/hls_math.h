#pragma once
#include <math.h>
#include <stdio.h>
#include <ap_fixed.h>
typedef __fp16 half;
namespace hls {
#define KN_ONE(name) \
    KN float name(float x) { return __builtin_##name##f(x); } \
    KN double name(double x) { return __builtin_##name(x); } \
    KN half name(half x) { return (half)__builtin_##name##f((float)x); } \
    KN double name(int x) { return __builtin_##name((double)x); } \
    template<int kn_W, int kn_I, bool kn_S, ap_q_mode kn_Q, ap_o_mode kn_O, int kn_N> KN ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> name(const ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> &x) { return ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N>(__builtin_##name##f(x.to_float())); }
KN_ONE(sqrt) KN_ONE(cbrt) KN_ONE(exp) KN_ONE(exp2) KN_ONE(expm1) KN_ONE(log) KN_ONE(log2) KN_ONE(log10) KN_ONE(log1p) KN_ONE(sin) KN_ONE(cos) KN_ONE(tan)
KN_ONE(asinh) KN_ONE(acosh) KN_ONE(atanh) KN_ONE(erf) KN_ONE(erfc) KN_ONE(asin) KN_ONE(acos) KN_ONE(atan) KN_ONE(sinh) KN_ONE(cosh) KN_ONE(tanh) KN_ONE(fabs) KN_ONE(floor) KN_ONE(ceil) KN_ONE(round) KN_ONE(trunc) KN_ONE(rint)
#undef KN_ONE
#define KN_TWO(name) \
    KN float name(float x, float y) { return __builtin_##name##f(x, y); } \
    KN double name(double x, double y) { return __builtin_##name(x, y); }
KN_TWO(pow) KN_TWO(fmod) KN_TWO(atan2) KN_TWO(hypot) KN_TWO(fmin) KN_TWO(fmax) KN_TWO(fdim) KN_TWO(copysign)
#undef KN_TWO
#define KN_FLOAT(name) KN float name##f(float x) { return __builtin_##name##f(x); }
KN_FLOAT(sqrt) KN_FLOAT(exp) KN_FLOAT(log) KN_FLOAT(sin) KN_FLOAT(cos) KN_FLOAT(tanh) KN_FLOAT(fabs) KN_FLOAT(floor) KN_FLOAT(ceil) KN_FLOAT(round)
#undef KN_FLOAT
KN float powf(float x, float y) { return __builtin_powf(x, y); }
template<class kn_T> KN kn_T rsqrt(kn_T x) { return 1 / sqrt(x); }
template<class kn_T> KN kn_T recip(kn_T x) { return 1 / x; }
template<class kn_T> KN kn_T abs(kn_T x) { return x < 0 ? (kn_T)-x : x; }
template<class kn_T, class kn_U> KN kn_T max(kn_T x, kn_U y) { return x > y ? x : (kn_T)y; }
template<class kn_T, class kn_U> KN kn_T min(kn_T x, kn_U y) { return x < y ? x : (kn_T)y; }
template<class kn_T> KN kn_T fma(kn_T x, kn_T y, kn_T z) { return x * y + z; }
template<class kn_T> KN bool signbit(kn_T x) { return x < 0; }
template<class kn_T> KN bool isnan(kn_T x) { return x != x; }
template<class kn_T> KN bool isinf(kn_T x) { return __builtin_isinf((double)x); }
KN void sincos(float x, float *s, float *c) { *s = __builtin_sinf(x); *c = __builtin_cosf(x); }
}
