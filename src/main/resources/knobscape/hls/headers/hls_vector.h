#pragma once
#include <knobscape.h>
#include <stddef.h>
namespace hls {
template<class T, size_t N> struct vector {
    T element[N];
    vector() = default;
    KN vector(const T &x) { _Pragma("clang loop unroll(full)") for (size_t i = 0; i < N; i++) element[i] = x; }
    KN T &operator[](size_t i) { return element[i]; }
    KN const T &operator[](size_t i) const { return element[i]; }
    static constexpr int size() { return N; }
    KN T *begin() { return element; }
    KN T *end() { return element + N; }
    KN T reduce_add() const { T s = element[0]; _Pragma("clang loop unroll(full)") for (size_t i = 1; i < N; i++) s = s + element[i]; return s; }
    KN T reduce_mult() const { T s = element[0]; _Pragma("clang loop unroll(full)") for (size_t i = 1; i < N; i++) s = s * element[i]; return s; }
#define KN_VECTOR(op) \
    friend KN vector operator op(const vector &a, const vector &b) { vector r; _Pragma("clang loop unroll(full)") for (size_t i = 0; i < N; i++) r.element[i] = a.element[i] op b.element[i]; return r; } \
    KN vector &operator op##=(const vector &b) { _Pragma("clang loop unroll(full)") for (size_t i = 0; i < N; i++) element[i] = element[i] op b.element[i]; return *this; }
    KN_VECTOR(+) KN_VECTOR(-) KN_VECTOR(*) KN_VECTOR(/)
#undef KN_VECTOR
};
}
