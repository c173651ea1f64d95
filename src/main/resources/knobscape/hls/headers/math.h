#pragma once
#define M_PI 3.14159265358979323846
#define M_E 2.71828182845904523536
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_inf())
#define KNOBSCAPE_ONE(name) double name(double x); float name##f(float x);
#define KNOBSCAPE_TWO(name) double name(double x, double y); float name##f(float x, float y);
#ifdef __cplusplus
#define KNOBSCAPE_HERE __attribute__((always_inline, nodebug)) inline
extern "C" {
#else
#define KNOBSCAPE_HERE __attribute__((always_inline, nodebug)) static inline
#endif
KNOBSCAPE_ONE(sqrt) KNOBSCAPE_ONE(cbrt) KNOBSCAPE_ONE(exp) KNOBSCAPE_ONE(exp2) KNOBSCAPE_ONE(expm1) KNOBSCAPE_ONE(log) KNOBSCAPE_ONE(log2)
KNOBSCAPE_ONE(log10) KNOBSCAPE_ONE(log1p) KNOBSCAPE_ONE(sin) KNOBSCAPE_ONE(cos) KNOBSCAPE_ONE(tan) KNOBSCAPE_ONE(asin) KNOBSCAPE_ONE(acos)
KNOBSCAPE_ONE(atan) KNOBSCAPE_ONE(sinh) KNOBSCAPE_ONE(cosh) KNOBSCAPE_ONE(tanh) KNOBSCAPE_ONE(asinh) KNOBSCAPE_ONE(acosh) KNOBSCAPE_ONE(atanh) KNOBSCAPE_ONE(erf) KNOBSCAPE_ONE(erfc) KNOBSCAPE_ONE(fabs) KNOBSCAPE_ONE(floor) KNOBSCAPE_ONE(ceil)
KNOBSCAPE_ONE(round) KNOBSCAPE_ONE(trunc) KNOBSCAPE_ONE(rint) KNOBSCAPE_ONE(nearbyint) KNOBSCAPE_ONE(logb)
KNOBSCAPE_TWO(pow) KNOBSCAPE_TWO(fmod) KNOBSCAPE_TWO(atan2) KNOBSCAPE_TWO(hypot) KNOBSCAPE_TWO(fmin) KNOBSCAPE_TWO(fmax) KNOBSCAPE_TWO(fdim) KNOBSCAPE_TWO(copysign) KNOBSCAPE_TWO(remainder)
double ldexp(double x, int e);
float ldexpf(float x, int e);
double frexp(double x, int *e);
float frexpf(float x, int *e);
KNOBSCAPE_HERE long lround(double x) { return (long)__builtin_round(x); }
KNOBSCAPE_HERE long lroundf(float x) { return (long)__builtin_roundf(x); }
KNOBSCAPE_HERE long lrint(double x) { return (long)__builtin_rint(x); }
KNOBSCAPE_HERE long lrintf(float x) { return (long)__builtin_rintf(x); }
KNOBSCAPE_HERE long long llround(double x) { return (long long)__builtin_round(x); }
KNOBSCAPE_HERE long long llrint(double x) { return (long long)__builtin_rint(x); }
KNOBSCAPE_HERE double scalbn(double x, int e) { return ldexp(x, e); }
KNOBSCAPE_HERE float scalbnf(float x, int e) { return ldexpf(x, e); }
KNOBSCAPE_HERE double fma(double x, double y, double z) { return x * y + z; }
KNOBSCAPE_HERE float fmaf(float x, float y, float z) { return x * y + z; }
KNOBSCAPE_HERE double modf(double x, double *whole) { *whole = __builtin_trunc(x); return x - *whole; }
KNOBSCAPE_HERE float modff(float x, float *whole) { *whole = __builtin_truncf(x); return x - *whole; }
#ifdef __cplusplus
}
// As in the standard library: of a float a float.
#define KNOBSCAPE_FLOAT(name) __attribute__((always_inline, nodebug)) inline float name(float x) { return __builtin_##name##f(x); }
KNOBSCAPE_FLOAT(sqrt) KNOBSCAPE_FLOAT(cbrt) KNOBSCAPE_FLOAT(exp) KNOBSCAPE_FLOAT(exp2) KNOBSCAPE_FLOAT(expm1) KNOBSCAPE_FLOAT(log) KNOBSCAPE_FLOAT(log2) KNOBSCAPE_FLOAT(log10) KNOBSCAPE_FLOAT(log1p) KNOBSCAPE_FLOAT(sin) KNOBSCAPE_FLOAT(cos) KNOBSCAPE_FLOAT(tan) KNOBSCAPE_FLOAT(asin) KNOBSCAPE_FLOAT(acos) KNOBSCAPE_FLOAT(atan) KNOBSCAPE_FLOAT(sinh) KNOBSCAPE_FLOAT(cosh) KNOBSCAPE_FLOAT(tanh) KNOBSCAPE_FLOAT(asinh) KNOBSCAPE_FLOAT(acosh) KNOBSCAPE_FLOAT(atanh) KNOBSCAPE_FLOAT(erf) KNOBSCAPE_FLOAT(erfc) KNOBSCAPE_FLOAT(fabs) KNOBSCAPE_FLOAT(floor) KNOBSCAPE_FLOAT(ceil) KNOBSCAPE_FLOAT(round) KNOBSCAPE_FLOAT(trunc) KNOBSCAPE_FLOAT(rint) KNOBSCAPE_FLOAT(nearbyint) KNOBSCAPE_FLOAT(logb)
#undef KNOBSCAPE_FLOAT
#define KNOBSCAPE_FLOAT(name) __attribute__((always_inline, nodebug)) inline float name(float x, float y) { return __builtin_##name##f(x, y); }
KNOBSCAPE_FLOAT(pow) KNOBSCAPE_FLOAT(fmod) KNOBSCAPE_FLOAT(atan2) KNOBSCAPE_FLOAT(hypot) KNOBSCAPE_FLOAT(fmin) KNOBSCAPE_FLOAT(fmax) KNOBSCAPE_FLOAT(fdim) KNOBSCAPE_FLOAT(copysign) KNOBSCAPE_FLOAT(remainder)
#undef KNOBSCAPE_FLOAT
KNOBSCAPE_HERE float ldexp(float x, int e) { return ldexpf(x, e); }
KNOBSCAPE_HERE float frexp(float x, int *e) { return frexpf(x, e); }
KNOBSCAPE_HERE float modf(float x, float *whole) { return modff(x, whole); }
KNOBSCAPE_HERE float fma(float x, float y, float z) { return fmaf(x, y, z); }
KNOBSCAPE_HERE long lround(float x) { return lroundf(x); }
KNOBSCAPE_HERE long lrint(float x) { return lrintf(x); }
// Of whole numbers, and of numbers of two types, a double.
template<bool kn_Is> struct __kn_double {};
template<> struct __kn_double<true> { typedef double type; };
#define KNOBSCAPE_WHOLE(name) template<class kn_T> KNOBSCAPE_HERE typename __kn_double<__is_integral(kn_T)>::type name(kn_T x) { return __builtin_##name((double)x); }
KNOBSCAPE_WHOLE(sqrt) KNOBSCAPE_WHOLE(cbrt) KNOBSCAPE_WHOLE(exp) KNOBSCAPE_WHOLE(exp2) KNOBSCAPE_WHOLE(expm1) KNOBSCAPE_WHOLE(log) KNOBSCAPE_WHOLE(log2) KNOBSCAPE_WHOLE(log10) KNOBSCAPE_WHOLE(log1p) KNOBSCAPE_WHOLE(sin) KNOBSCAPE_WHOLE(cos) KNOBSCAPE_WHOLE(tan) KNOBSCAPE_WHOLE(asin) KNOBSCAPE_WHOLE(acos) KNOBSCAPE_WHOLE(atan) KNOBSCAPE_WHOLE(sinh) KNOBSCAPE_WHOLE(cosh) KNOBSCAPE_WHOLE(tanh) KNOBSCAPE_WHOLE(fabs) KNOBSCAPE_WHOLE(floor) KNOBSCAPE_WHOLE(ceil) KNOBSCAPE_WHOLE(round) KNOBSCAPE_WHOLE(trunc) KNOBSCAPE_WHOLE(rint)
#undef KNOBSCAPE_WHOLE
#define KNOBSCAPE_MIXED(name) template<class kn_T, class kn_U> KNOBSCAPE_HERE typename __kn_double<__is_arithmetic(kn_T) && __is_arithmetic(kn_U) && (__is_integral(kn_T) || __is_integral(kn_U) || sizeof(kn_T) != sizeof(kn_U))>::type name(kn_T x, kn_U y) { return __builtin_##name((double)x, (double)y); }
KNOBSCAPE_MIXED(pow) KNOBSCAPE_MIXED(fmod) KNOBSCAPE_MIXED(atan2) KNOBSCAPE_MIXED(hypot) KNOBSCAPE_MIXED(fmin) KNOBSCAPE_MIXED(fmax) KNOBSCAPE_MIXED(fdim) KNOBSCAPE_MIXED(copysign) KNOBSCAPE_MIXED(remainder)
#undef KNOBSCAPE_MIXED
#define KNOBSCAPE_CLASS(name, test) __attribute__((always_inline, nodebug)) inline bool name(float x) { return test; } __attribute__((always_inline, nodebug)) inline bool name(double x) { return test; }
KNOBSCAPE_CLASS(isnan, __builtin_isnan(x)) KNOBSCAPE_CLASS(isinf, __builtin_isinf(x)) KNOBSCAPE_CLASS(isfinite, __builtin_isfinite(x)) KNOBSCAPE_CLASS(signbit, __builtin_signbit(x) != 0)
#undef KNOBSCAPE_CLASS
namespace std {
using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::log; using ::log2; using ::log10; using ::sin; using ::cos; using ::tan; using ::asin;
using ::acos; using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::fabs; using ::floor; using ::ceil; using ::round; using ::pow;
using ::fmod; using ::atan2; using ::fmin; using ::fmax; using ::expm1; using ::log1p; using ::trunc; using ::rint; using ::hypot; using ::fdim; using ::erf; using ::erfc; using ::asinh; using ::acosh; using ::atanh; using ::ldexp; using ::isnan; using ::isinf; using ::isfinite; using ::signbit; using ::copysign; using ::remainder; using ::nearbyint; using ::logb; using ::lround; using ::lrint; using ::llround; using ::llrint; using ::scalbn; using ::fma; using ::modf; using ::frexp;
}
#else
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#endif
#undef KNOBSCAPE_HERE
#undef KNOBSCAPE_ONE
#undef KNOBSCAPE_TWO
