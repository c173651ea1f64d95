#pragma once
#include <knobscape.h>
#include <stddef.h>
namespace hls {
template<class kn_T, size_t kn_N> struct vector {
    kn_T element[kn_N];
    vector() = default;
    KN vector(const kn_T &x) { _Pragma("clang loop unroll(full)") for (size_t i = 0; i < kn_N; i++) element[i] = x; }
    KN kn_T &operator[](size_t i) { return element[i]; }
    KN const kn_T &operator[](size_t i) const { return element[i]; }
    static constexpr int size() { return kn_N; }
    KN kn_T *begin() { return element; }
    KN kn_T *end() { return element + kn_N; }
    KN kn_T reduce_add() const { kn_T s = element[0]; _Pragma("clang loop unroll(full)") for (size_t i = 1; i < kn_N; i++) s = s + element[i]; return s; }
    KN kn_T reduce_mult() const { kn_T s = element[0]; _Pragma("clang loop unroll(full)") for (size_t i = 1; i < kn_N; i++) s = s * element[i]; return s; }
#define KN_VECTOR(op) \
    friend KN vector operator op(const vector &a, const vector &b) { vector r; _Pragma("clang loop unroll(full)") for (size_t i = 0; i < kn_N; i++) r.element[i] = a.element[i] op b.element[i]; return r; } \
    KN vector &operator op##=(const vector &b) { _Pragma("clang loop unroll(full)") for (size_t i = 0; i < kn_N; i++) element[i] = element[i] op b.element[i]; return *this; }
    KN_VECTOR(+) KN_VECTOR(-) KN_VECTOR(*) KN_VECTOR(/)
#undef KN_VECTOR
};
}
