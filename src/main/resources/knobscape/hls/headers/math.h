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
extern "C" {
#endif
KNOBSCAPE_ONE(sqrt) KNOBSCAPE_ONE(cbrt) KNOBSCAPE_ONE(exp) KNOBSCAPE_ONE(exp2) KNOBSCAPE_ONE(expm1) KNOBSCAPE_ONE(log) KNOBSCAPE_ONE(log2)
KNOBSCAPE_ONE(log10) KNOBSCAPE_ONE(log1p) KNOBSCAPE_ONE(sin) KNOBSCAPE_ONE(cos) KNOBSCAPE_ONE(tan) KNOBSCAPE_ONE(asin) KNOBSCAPE_ONE(acos)
KNOBSCAPE_ONE(atan) KNOBSCAPE_ONE(sinh) KNOBSCAPE_ONE(cosh) KNOBSCAPE_ONE(tanh) KNOBSCAPE_ONE(asinh) KNOBSCAPE_ONE(acosh) KNOBSCAPE_ONE(atanh) KNOBSCAPE_ONE(erf) KNOBSCAPE_ONE(erfc) KNOBSCAPE_ONE(fabs) KNOBSCAPE_ONE(floor) KNOBSCAPE_ONE(ceil)
KNOBSCAPE_ONE(round) KNOBSCAPE_ONE(trunc) KNOBSCAPE_ONE(rint)
KNOBSCAPE_TWO(pow) KNOBSCAPE_TWO(fmod) KNOBSCAPE_TWO(atan2) KNOBSCAPE_TWO(hypot) KNOBSCAPE_TWO(fmin) KNOBSCAPE_TWO(fmax) KNOBSCAPE_TWO(fdim)
double ldexp(double x, int e);
float ldexpf(float x, int e);
#ifdef __cplusplus
}
// As in the standard library: of a float a float.
#define KNOBSCAPE_FLOAT(name) __attribute__((always_inline, nodebug)) inline float name(float x) { return __builtin_##name##f(x); }
KNOBSCAPE_FLOAT(sqrt) KNOBSCAPE_FLOAT(cbrt) KNOBSCAPE_FLOAT(exp) KNOBSCAPE_FLOAT(exp2) KNOBSCAPE_FLOAT(expm1) KNOBSCAPE_FLOAT(log) KNOBSCAPE_FLOAT(log2) KNOBSCAPE_FLOAT(log10) KNOBSCAPE_FLOAT(log1p) KNOBSCAPE_FLOAT(sin) KNOBSCAPE_FLOAT(cos) KNOBSCAPE_FLOAT(tan) KNOBSCAPE_FLOAT(asin) KNOBSCAPE_FLOAT(acos) KNOBSCAPE_FLOAT(atan) KNOBSCAPE_FLOAT(sinh) KNOBSCAPE_FLOAT(cosh) KNOBSCAPE_FLOAT(tanh) KNOBSCAPE_FLOAT(asinh) KNOBSCAPE_FLOAT(acosh) KNOBSCAPE_FLOAT(atanh) KNOBSCAPE_FLOAT(erf) KNOBSCAPE_FLOAT(erfc) KNOBSCAPE_FLOAT(fabs) KNOBSCAPE_FLOAT(floor) KNOBSCAPE_FLOAT(ceil) KNOBSCAPE_FLOAT(round) KNOBSCAPE_FLOAT(trunc) KNOBSCAPE_FLOAT(rint)
#undef KNOBSCAPE_FLOAT
#define KNOBSCAPE_FLOAT(name) __attribute__((always_inline, nodebug)) inline float name(float x, float y) { return __builtin_##name##f(x, y); }
KNOBSCAPE_FLOAT(pow) KNOBSCAPE_FLOAT(fmod) KNOBSCAPE_FLOAT(atan2) KNOBSCAPE_FLOAT(hypot) KNOBSCAPE_FLOAT(fmin) KNOBSCAPE_FLOAT(fmax) KNOBSCAPE_FLOAT(fdim)
#undef KNOBSCAPE_FLOAT
#define KNOBSCAPE_CLASS(name, test) __attribute__((always_inline, nodebug)) inline bool name(float x) { return test; } __attribute__((always_inline, nodebug)) inline bool name(double x) { return test; }
KNOBSCAPE_CLASS(isnan, __builtin_isnan(x)) KNOBSCAPE_CLASS(isinf, __builtin_isinf(x)) KNOBSCAPE_CLASS(isfinite, __builtin_isfinite(x)) KNOBSCAPE_CLASS(signbit, __builtin_signbit(x) != 0)
#undef KNOBSCAPE_CLASS
namespace std {
using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::log; using ::log2; using ::log10; using ::sin; using ::cos; using ::tan; using ::asin;
using ::acos; using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::fabs; using ::floor; using ::ceil; using ::round; using ::pow;
using ::fmod; using ::atan2; using ::fmin; using ::fmax; using ::expm1; using ::log1p; using ::trunc; using ::rint; using ::hypot; using ::fdim; using ::erf; using ::erfc; using ::asinh; using ::acosh; using ::atanh; using ::ldexp; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
}
#else
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#endif
#undef KNOBSCAPE_ONE
#undef KNOBSCAPE_TWO
