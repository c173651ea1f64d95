#pragma once
#include <math.h>
#include <stdint.h>
struct half {
    half();
    half(float value);
    operator float() const;
    half &operator=(float value);
};
half half_sqrt(half x);
half half_exp(half x);
half half_log(half x);
namespace hls {
#define KNOBSCAPE_ANY(name) template<class T> T name(T x); float name##f(float x); half half_##name(half x);
KNOBSCAPE_ANY(sqrt) KNOBSCAPE_ANY(rsqrt) KNOBSCAPE_ANY(recip) KNOBSCAPE_ANY(exp) KNOBSCAPE_ANY(exp2) KNOBSCAPE_ANY(log) KNOBSCAPE_ANY(log2)
KNOBSCAPE_ANY(log10) KNOBSCAPE_ANY(sin) KNOBSCAPE_ANY(cos) KNOBSCAPE_ANY(tan) KNOBSCAPE_ANY(asin) KNOBSCAPE_ANY(acos) KNOBSCAPE_ANY(atan)
KNOBSCAPE_ANY(sinh) KNOBSCAPE_ANY(cosh) KNOBSCAPE_ANY(tanh) KNOBSCAPE_ANY(fabs) KNOBSCAPE_ANY(floor) KNOBSCAPE_ANY(ceil) KNOBSCAPE_ANY(round)
KNOBSCAPE_ANY(abs) KNOBSCAPE_ANY(trunc)
#undef KNOBSCAPE_ANY
template<class T> bool signbit(T x);
template<class T> T pow(T x, T y);
template<class T> T atan2(T x, T y);
template<class T> T fmin(T x, T y);
template<class T> T fmax(T x, T y);
template<class T> T min(T x, T y);
template<class T> T max(T x, T y);
float powf(float x, float y);
float atan2f(float x, float y);
}
