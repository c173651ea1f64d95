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
    template<class kn_T> KN typename __kn_double<__is_integral(kn_T)>::type name(kn_T x) { return __builtin_##name((double)x); } \
    template<int kn_W, int kn_I, bool kn_S, ap_q_mode kn_Q, ap_o_mode kn_O, int kn_N> KN ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> name(const ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> &x) { return ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N>(__builtin_##name##f(x.to_float())); }
KN_ONE(sqrt) KN_ONE(cbrt) KN_ONE(exp) KN_ONE(exp2) KN_ONE(expm1) KN_ONE(log) KN_ONE(log2) KN_ONE(log10) KN_ONE(log1p) KN_ONE(sin) KN_ONE(cos) KN_ONE(tan)
KN_ONE(asinh) KN_ONE(acosh) KN_ONE(atanh) KN_ONE(erf) KN_ONE(erfc) KN_ONE(asin) KN_ONE(acos) KN_ONE(atan) KN_ONE(sinh) KN_ONE(cosh) KN_ONE(tanh) KN_ONE(fabs) KN_ONE(floor) KN_ONE(ceil) KN_ONE(round) KN_ONE(trunc) KN_ONE(rint) KN_ONE(nearbyint) KN_ONE(logb)
#undef KN_ONE
template<int kn_N, bool kn_S> KN ap_int_base<kn_N, kn_S> sqrt(const ap_int_base<kn_N, kn_S> &x) { return ap_int_base<kn_N, kn_S>((long)__builtin_sqrt((double)x.to_int64())); }
#define KN_TWO(name) \
    KN float name(float x, float y) { return __builtin_##name##f(x, y); } \
    KN double name(double x, double y) { return __builtin_##name(x, y); } \
    KN half name(half x, half y) { return (half)__builtin_##name##f((float)x, (float)y); } \
    template<class kn_T, class kn_U> KN typename __kn_double<__is_arithmetic(kn_T) && __is_arithmetic(kn_U) && (__is_integral(kn_T) || __is_integral(kn_U) || sizeof(kn_T) != sizeof(kn_U))>::type name(kn_T x, kn_U y) { return __builtin_##name((double)x, (double)y); } \
    template<int kn_W, int kn_I, bool kn_S, ap_q_mode kn_Q, ap_o_mode kn_O, int kn_N> KN ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> name(const ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> &x, const ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N> &y) { return ap_fixed_base<kn_W, kn_I, kn_S, kn_Q, kn_O, kn_N>(__builtin_##name##f(x.to_float(), y.to_float())); }
KN_TWO(pow) KN_TWO(fmod) KN_TWO(atan2) KN_TWO(hypot) KN_TWO(fmin) KN_TWO(fmax) KN_TWO(fdim) KN_TWO(copysign) KN_TWO(remainder)
#undef KN_TWO
#define KN_FLOAT(name) KN float name##f(float x) { return __builtin_##name##f(x); }
KN_FLOAT(sqrt) KN_FLOAT(exp) KN_FLOAT(log) KN_FLOAT(sin) KN_FLOAT(cos) KN_FLOAT(tanh) KN_FLOAT(fabs) KN_FLOAT(floor) KN_FLOAT(ceil) KN_FLOAT(round) KN_FLOAT(tan) KN_FLOAT(asin) KN_FLOAT(acos) KN_FLOAT(atan) KN_FLOAT(sinh) KN_FLOAT(cosh) KN_FLOAT(exp2) KN_FLOAT(log2) KN_FLOAT(log10) KN_FLOAT(cbrt) KN_FLOAT(trunc) KN_FLOAT(rint)
#undef KN_FLOAT
#define KN_FLOAT(name) KN float name##f(float x, float y) { return __builtin_##name##f(x, y); }
KN_FLOAT(pow) KN_FLOAT(fmod) KN_FLOAT(atan2) KN_FLOAT(hypot) KN_FLOAT(fmin) KN_FLOAT(fmax)
#undef KN_FLOAT
#define KN_HALF(name) KN half half_##name(half x) { return name(x); }
KN_HALF(sqrt) KN_HALF(exp) KN_HALF(log) KN_HALF(sin) KN_HALF(cos) KN_HALF(tan) KN_HALF(tanh) KN_HALF(fabs) KN_HALF(floor) KN_HALF(ceil) KN_HALF(round)
#undef KN_HALF
KN half half_recip(half x) { return (half)1 / x; }
using ::lround; using ::lrint; using ::llround; using ::llrint; using ::ldexp; using ::scalbn; using ::frexp; using ::modf; using ::isfinite;
template<class kn_T> KN kn_T exp10(kn_T x) { return (kn_T)pow((kn_T)10, x); }
template<class kn_T> KN kn_T sinpi(kn_T x) { return sin((kn_T)(x * (kn_T)3.14159265358979323846)); }
template<class kn_T> KN kn_T cospi(kn_T x) { return cos((kn_T)(x * (kn_T)3.14159265358979323846)); }
template<class kn_T> KN kn_T divide(kn_T x, kn_T y) { return x / y; }
template<class kn_T> KN kn_T mad(kn_T x, kn_T y, kn_T z) { return x * y + z; }
template<class kn_T> KN int ilogb(kn_T x) { return (int)logb(x); }
KN int popcount(unsigned long long x) { return __builtin_popcountll(x); }
template<class kn_T> KN void sincos(kn_T x, kn_T *s, kn_T *c) { *s = sin(x); *c = cos(x); }
template<class kn_T> KN kn_T rsqrt(kn_T x) { return 1 / sqrt(x); }
template<class kn_T> KN kn_T recip(kn_T x) { return 1 / x; }
template<class kn_T> KN kn_T abs(kn_T x) { return x < 0 ? (kn_T)-x : x; }
template<class kn_T, class kn_U> KN kn_T max(kn_T x, kn_U y) { return x > y ? x : (kn_T)y; }
template<class kn_T, class kn_U> KN kn_T min(kn_T x, kn_U y) { return x < y ? x : (kn_T)y; }
template<class kn_T> KN kn_T fma(kn_T x, kn_T y, kn_T z) { return x * y + z; }
template<class kn_T> KN bool signbit(kn_T x) { return x < 0; }
template<class kn_T> KN bool isnan(kn_T x) { return x != x; }
template<class kn_T> KN bool isinf(kn_T x) { return __builtin_isinf((double)x); }
}
