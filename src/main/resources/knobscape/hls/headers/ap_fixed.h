#pragma once
#include <ap_int.h>
enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };
template<int kn_W, int kn_I, bool kn_S = true, ap_q_mode kn_Q = AP_TRN, ap_o_mode kn_O = AP_WRAP, int kn_N = 0> struct ap_fixed_base;
namespace knobscape {
// Total and integer bits of a fixed-point operand; integers have no fraction.
template<class kn_T, class = void> struct fixed_as { static constexpr int kn_W = 0, kn_I = 0; static constexpr bool kn_S = false, own = false; };
template<class kn_T> struct fixed_as<kn_T, typename when<(as<kn_T>::kn_W > 0), void>::type> { static constexpr int kn_W = as<kn_T>::kn_W, kn_I = kn_W; static constexpr bool kn_S = as<kn_T>::kn_S, own = false; };
template<int kn_N, int kn_M, bool kn_Z, ap_q_mode kn_Q, ap_o_mode kn_O, int kn_R> struct fixed_as<ap_fixed_base<kn_N, kn_M, kn_Z, kn_Q, kn_O, kn_R>, void> { static constexpr int kn_W = kn_N, kn_I = kn_M; static constexpr bool kn_S = kn_Z, own = true; };
template<class kn_A, class kn_B> constexpr bool fixes() { return fixed_as<kn_A>::kn_W > 0 && fixed_as<kn_B>::kn_W > 0 && (fixed_as<kn_A>::own || fixed_as<kn_B>::own); }
template<class kn_T> KN auto bits(const kn_T &x) { return value(x); }
template<int kn_N, int kn_M, bool kn_Z, ap_q_mode kn_Q, ap_o_mode kn_O, int kn_R> KN auto bits(const ap_fixed_base<kn_N, kn_M, kn_Z, kn_Q, kn_O, kn_R> &x) { return x.V; }
// A power of two as a constant of the compiler.
template<int kn_E> struct power { static constexpr double value = kn_E < 0 ? power<kn_E + (kn_E < 0)>::value / 2 : power<kn_E - (kn_E > 0)>::value * 2; };
template<> struct power<0> { static constexpr double value = 1; };
template<int kn_E> constexpr double scale = power<kn_E>::value;
}
template<int kn_N, int kn_M, bool kn_S, ap_q_mode kn_Q, ap_o_mode kn_O, int kn_R> struct ap_fixed_base {
    static constexpr int width = kn_N, iwidth = kn_M;
    typedef int fixed_point;
    typedef typename knobscape::raw<kn_N, kn_S>::type raw;
    raw V;
    ap_fixed_base() = default;
    KN constexpr ap_fixed_base(const ap_fixed_base &x) : V(x.V) {}
    KN constexpr ap_fixed_base &operator=(const ap_fixed_base &x) { V = x.V; return *this; }
    // What has fraction G, fitted into this type.
    template<int kn_G, class kn_T> KN static raw fit(kn_T x) {
        constexpr int kn_F = kn_N - kn_M, kn_W = knobscape::as<kn_T>::kn_W;
        constexpr int up = kn_F > kn_G ? kn_F - kn_G : 0, down = kn_G > kn_F ? kn_G - kn_F : 0;
        typedef signed _BitInt(knobscape::most(kn_W + up, kn_N) + 2) wide;
        wide v = (wide)x;
        if constexpr (up > 0) v = (wide)(v << up);
        if constexpr (down > 0) {
            bool negative = v < 0;
            constexpr int d = down > knobscape::most(kn_W + up, kn_N) ? knobscape::most(kn_W + up, kn_N) : down;
            wide q = (wide)(v >> d);
            bool half = (bool)(v >> (d - 1) & 1), rest = (v & (wide)(((wide)1 << (d - 1)) - 1)) != 0;
            if constexpr (kn_Q == AP_RND) v = (wide)(q + half);
            else if constexpr (kn_Q == AP_RND_ZERO) v = (wide)(q + (half && (negative || rest)));
            else if constexpr (kn_Q == AP_RND_MIN_INF) v = (wide)(q + (half && rest));
            else if constexpr (kn_Q == AP_RND_INF) v = (wide)(q + (half && (!negative || rest)));
            else if constexpr (kn_Q == AP_RND_CONV) v = (wide)(q + (half && ((q & 1) != 0 || rest)));
            else if constexpr (kn_Q == AP_TRN_ZERO) v = (wide)(q + (negative && (half || rest)));
            else v = q;
        }
        if constexpr (kn_O == AP_SAT || kn_O == AP_SAT_ZERO || kn_O == AP_SAT_SYM) {
            constexpr wide top = (wide)(((wide)1 << (kn_N - kn_S)) - 1);
            constexpr wide bottom = kn_S ? (wide)(kn_O == AP_SAT_SYM ? -top : -top - 1) : (wide)0;
            if (v > top) v = kn_O == AP_SAT_ZERO ? (wide)0 : top;
            else if (v < bottom) v = kn_O == AP_SAT_ZERO ? (wide)0 : bottom;
        }
        return (raw)v;
    }
    template<class kn_T, typename knobscape::when<(knobscape::fixed_as<kn_T>::kn_W > 0), int>::type = 0> KN ap_fixed_base(const kn_T &x)
        : V(fit<knobscape::fixed_as<kn_T>::kn_W - knobscape::fixed_as<kn_T>::kn_I>(knobscape::bits(x))) {}
    template<class kn_T, typename knobscape::real<kn_T>::type = 0> KN ap_fixed_base(kn_T x) {
        // Two more bits of fraction, the last for all that follow, and room above, so that rounding and saturation see them.
        constexpr int kn_F = kn_N - kn_M + 2;
        typedef signed _BitInt(kn_N + 34) wide;
        double exact = (double)x * knobscape::scale<kn_F>;
        wide near = (wide)exact;
        if ((double)near > exact) near = (wide)(near - 1);
        if ((double)near != exact) near = (wide)(near | 1);
        V = fit<kn_F>(near);
    }
    KN operator double() const { return to_double(); }
    KN double to_double() const { return (double)V * knobscape::scale<kn_M - kn_N>; }
    KN float to_float() const { return (float)V * (float)knobscape::scale<kn_M - kn_N>; }
    KN int to_int() const { return (int)to_ap_int().V; }
    KN unsigned to_uint() const { return (unsigned)to_ap_int().V; }
    KN long to_long() const { return (long)to_ap_int().V; }
    KN long long to_int64() const { return (long long)to_ap_int().V; }
    KN ap_int_base<(kn_M > 1 ? kn_M : 1), kn_S> to_ap_int() const {
        typedef ap_int_base<(kn_M > 1 ? kn_M : 1), kn_S> whole;
        // Towards zero, as from double to int.
        if constexpr (kn_N > kn_M) return whole((typename whole::raw)((V >> (kn_N - kn_M < kn_N ? kn_N - kn_M : kn_N - 1)) + (kn_S && V < 0 && (V & (raw)(((raw)1 << (kn_N - kn_M < kn_N ? kn_N - kn_M : kn_N - 1)) - 1)) != 0)));
        else return whole((typename whole::raw)((typename whole::raw)V << (kn_M - kn_N)));
    }
    KN int length() const { return kn_N; }
    KN ap_int_base<kn_N, kn_S> &as_bits() { return *(ap_int_base<kn_N, kn_S> *)this; }
    KN ap_bit_ref<kn_N, kn_S> operator[](int i) { return ap_bit_ref<kn_N, kn_S>(as_bits(), i); }
    KN bool operator[](int i) const { return (bool)(V >> i & 1); }
    KN ap_range_ref<kn_N, kn_S> range(int high, int low) { return ap_range_ref<kn_N, kn_S>(as_bits(), high, low); }
    KN ap_range_ref<kn_N, kn_S> range(int high, int low) const { return const_cast<ap_fixed_base *>(this)->range(high, low); }
    KN ap_range_ref<kn_N, kn_S> range() { return range(kn_N - 1, 0); }
    KN ap_range_ref<kn_N, kn_S> range() const { return range(kn_N - 1, 0); }
    KN ap_range_ref<kn_N, kn_S> operator()(int high, int low) { return range(high, low); }
    KN bool is_zero() const { return V == 0; }
    KN bool is_neg() const { return kn_S && V < 0; }
    KN bool operator!() const { return V == 0; }
    KN ap_fixed_base operator+() const { return *this; }
    KN ap_fixed_base<kn_N + 1, kn_M + 1, true> operator-() const { ap_fixed_base<kn_N + 1, kn_M + 1, true> x; x.V = -(typename knobscape::raw<kn_N + 1, true>::type)V; return x; }
    KN ap_fixed_base &operator++() { *this = *this + 1; return *this; }
    KN ap_fixed_base operator++(int) { ap_fixed_base x = *this; *this = *this + 1; return x; }
    KN ap_fixed_base &operator--() { *this = *this - 1; return *this; }
    KN ap_fixed_base operator--(int) { ap_fixed_base x = *this; *this = *this - 1; return x; }
    template<class kn_B, int = sizeof(kn_B)> KN ap_fixed_base &operator+=(const kn_B &b) { *this = *this + b; return *this; }
    template<class kn_B, int = sizeof(kn_B)> KN ap_fixed_base &operator-=(const kn_B &b) { *this = *this - b; return *this; }
    template<class kn_B, int = sizeof(kn_B)> KN ap_fixed_base &operator*=(const kn_B &b) { *this = *this * b; return *this; }
    template<class kn_B, int = sizeof(kn_B)> KN ap_fixed_base &operator/=(const kn_B &b) { *this = *this / b; return *this; }
    KN ap_fixed_base operator<<(int n) const { ap_fixed_base x; x.V = (raw)(V << n); return x; }
    KN ap_fixed_base operator>>(int n) const { ap_fixed_base x; x.V = (raw)(V >> n); return x; }
    KN ap_fixed_base &operator<<=(int n) { V = (raw)(V << n); return *this; }
    KN ap_fixed_base &operator>>=(int n) { V = (raw)(V >> n); return *this; }
};
#define KN_FIXED_HEAD(op, result_type) \
    template<class kn_A, class kn_B, typename knobscape::when<knobscape::fixes<kn_A, kn_B>(), int>::type = 0> KN result_type operator op(const kn_A &a, const kn_B &b) { \
        constexpr int kn_W1 = knobscape::fixed_as<kn_A>::kn_W, kn_I1 = knobscape::fixed_as<kn_A>::kn_I, kn_W2 = knobscape::fixed_as<kn_B>::kn_W, kn_I2 = knobscape::fixed_as<kn_B>::kn_I; \
        constexpr bool kn_S1 = knobscape::fixed_as<kn_A>::kn_S, kn_S2 = knobscape::fixed_as<kn_B>::kn_S, kn_S = kn_S1 || kn_S2; \
        constexpr int kn_F1 = kn_W1 - kn_I1, kn_F2 = kn_W2 - kn_I2, kn_F = knobscape::most(kn_F1, kn_F2), kn_I = knobscape::most(kn_I1 + (kn_S2 && !kn_S1), kn_I2 + (kn_S1 && !kn_S2));
#define KN_FIXED_ALIGNED(op) \
    KN_FIXED_HEAD(op, auto) \
        typedef ap_fixed_base<kn_I + 1 + kn_F, kn_I + 1, (kn_S || #op[0] == '-')> result; typedef signed _BitInt(kn_I + kn_F + 2) work; \
        result x; x.V = (typename result::raw)(((work)knobscape::bits(a) << (kn_F - kn_F1)) op ((work)knobscape::bits(b) << (kn_F - kn_F2))); return x; \
    }
KN_FIXED_ALIGNED(+)
KN_FIXED_ALIGNED(-)
KN_FIXED_HEAD(*, auto)
        (void)kn_F; (void)kn_I;
        typedef ap_fixed_base<kn_W1 + kn_W2, kn_I1 + kn_I2, kn_S> result; typedef signed _BitInt(kn_W1 + kn_W2 + 1) work;
        result x; x.V = (typename result::raw)((work)knobscape::bits(a) * (work)knobscape::bits(b)); return x;
    }
KN_FIXED_HEAD(/, auto)
        (void)kn_F; (void)kn_I;
        constexpr int kn_W = kn_W1 + knobscape::most(kn_F2, 0) + kn_S2, kn_J = kn_I1 + kn_F2 + kn_S2;
        typedef ap_fixed_base<kn_W, kn_J, kn_S> result; typedef signed _BitInt(knobscape::most(kn_W, kn_W2) + 2) work;
        result x; x.V = (typename result::raw)(((work)knobscape::bits(a) << knobscape::most(kn_F2, 0)) / (work)knobscape::bits(b)); return x;
    }
#define KN_FIXED_COMPARE(op) \
    KN_FIXED_HEAD(op, bool) \
        typedef signed _BitInt(kn_I + kn_F + 2) work; \
        return (work)((work)knobscape::bits(a) << (kn_F - kn_F1)) op (work)((work)knobscape::bits(b) << (kn_F - kn_F2)); \
    }
KN_FIXED_COMPARE(==)
KN_FIXED_COMPARE(!=)
KN_FIXED_COMPARE(<)
KN_FIXED_COMPARE(<=)
KN_FIXED_COMPARE(>)
KN_FIXED_COMPARE(>=)
template<int kn_W, int kn_I, ap_q_mode kn_Q = AP_TRN, ap_o_mode kn_O = AP_WRAP, int kn_N = 0> using ap_fixed = ap_fixed_base<kn_W, kn_I, true, kn_Q, kn_O, kn_N>;
template<int kn_W, int kn_I, ap_q_mode kn_Q = AP_TRN, ap_o_mode kn_O = AP_WRAP, int kn_N = 0> using ap_ufixed = ap_fixed_base<kn_W, kn_I, false, kn_Q, kn_O, kn_N>;
