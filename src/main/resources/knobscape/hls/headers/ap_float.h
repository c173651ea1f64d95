#pragma once
#include <ap_fixed.h>
// A number of W bits, E of them the exponent's, is computed in the shortest of half, float and double that holds it.
namespace knobscape {
template<int kn_C> struct float_of { typedef double type; };
template<> struct float_of<0> { typedef __fp16 type; };
template<> struct float_of<1> { typedef float type; };
constexpr int float_class(int w, int e) { return w <= 16 && e <= 5 ? 0 : w <= 32 && e <= 8 ? 1 : 2; }
}
template<int kn_W, int kn_E> struct ap_float {
    typedef typename knobscape::float_of<knobscape::float_class(kn_W, kn_E)>::type raw;
    raw V;
    ap_float() = default;
    KN ap_float(const ap_float &x) : V(x.V) {}
    KN ap_float &operator=(const ap_float &x) { V = x.V; return *this; }
    template<class kn_T, typename knobscape::when<__is_arithmetic(kn_T), int>::type = 0> KN ap_float(kn_T x) : V((raw)x) {}
    KN ap_float(__fp16 x) : V((raw)x) {}
    template<int kn_N, bool kn_S> KN ap_float(const ap_int_base<kn_N, kn_S> &x) : V((raw)x.to_double()) {}
    template<class kn_T, typename kn_T::fixed_point = 0> KN ap_float(const kn_T &x) : V((raw)x.to_double()) {}
    template<int kn_M, int kn_F> KN ap_float(const ap_float<kn_M, kn_F> &x) : V((raw)x.V) {}
    KN explicit operator float() const { return (float)V; }
    KN explicit operator double() const { return (double)V; }
    KN float to_float() const { return (float)V; }
    KN double to_double() const { return (double)V; }
    KN ap_float operator-() const { return ap_float((raw)-V); }
    KN ap_float &operator+=(const ap_float &x) { V = (raw)(V + x.V); return *this; }
    KN ap_float &operator-=(const ap_float &x) { V = (raw)(V - x.V); return *this; }
    KN ap_float &operator*=(const ap_float &x) { V = (raw)(V * x.V); return *this; }
    KN ap_float &operator/=(const ap_float &x) { V = (raw)(V / x.V); return *this; }
};
#define KN_FLOAT(op) template<int kn_W, int kn_E> KN ap_float<kn_W, kn_E> operator op(const ap_float<kn_W, kn_E> &a, const ap_float<kn_W, kn_E> &b) { return ap_float<kn_W, kn_E>((typename ap_float<kn_W, kn_E>::raw)(a.V op b.V)); }
KN_FLOAT(+) KN_FLOAT(-) KN_FLOAT(*) KN_FLOAT(/)
#undef KN_FLOAT
#define KN_FLOAT(op) template<int kn_W, int kn_E> KN bool operator op(const ap_float<kn_W, kn_E> &a, const ap_float<kn_W, kn_E> &b) { return a.V op b.V; }
KN_FLOAT(==) KN_FLOAT(!=) KN_FLOAT(<) KN_FLOAT(<=) KN_FLOAT(>) KN_FLOAT(>=)
#undef KN_FLOAT
#define KN_FLOAT(op) template<int kn_W, int kn_E, class kn_T, typename knobscape::when<__is_arithmetic(kn_T), int>::type = 0> KN auto operator op(const ap_float<kn_W, kn_E> &a, kn_T b) { return a op ap_float<kn_W, kn_E>(b); } template<int kn_W, int kn_E, class kn_T, typename knobscape::when<__is_arithmetic(kn_T), int>::type = 0> KN auto operator op(kn_T a, const ap_float<kn_W, kn_E> &b) { return ap_float<kn_W, kn_E>(a) op b; }
KN_FLOAT(+) KN_FLOAT(-) KN_FLOAT(*) KN_FLOAT(/) KN_FLOAT(==) KN_FLOAT(!=) KN_FLOAT(<) KN_FLOAT(<=) KN_FLOAT(>) KN_FLOAT(>=)
#undef KN_FLOAT
// Sums in fixed point, so that one value is taken in every cycle.
template<class kn_T, class kn_A> struct ap_float_acc {
    kn_A sum = 0;
    KN kn_T accumulate(const kn_T &value, bool last) {
        kn_A now = sum + kn_A(value.to_double());
        sum = last ? kn_A(0) : now;
        return kn_T(now);
    }
};
namespace hls { using ::ap_float; using ::ap_float_acc; }
