#pragma once
#include <ap_int.h>
enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };
template<int W, int I, bool S = true, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0> struct ap_fixed_base;
namespace knobscape {
// Total and integer bits of a fixed-point operand; integers have no fraction.
template<class T, class = void> struct fixed_as { static constexpr int W = 0, I = 0; static constexpr bool S = false, own = false; };
template<class T> struct fixed_as<T, typename when<(as<T>::W > 0), void>::type> { static constexpr int W = as<T>::W, I = W; static constexpr bool S = as<T>::S, own = false; };
template<int N, int M, bool Z, ap_q_mode Q, ap_o_mode O, int R> struct fixed_as<ap_fixed_base<N, M, Z, Q, O, R>, void> { static constexpr int W = N, I = M; static constexpr bool S = Z, own = true; };
template<class A, class B> constexpr bool fixes() { return fixed_as<A>::W > 0 && fixed_as<B>::W > 0 && (fixed_as<A>::own || fixed_as<B>::own); }
template<class T> KN auto bits(const T &x) { return value(x); }
template<int N, int M, bool Z, ap_q_mode Q, ap_o_mode O, int R> KN auto bits(const ap_fixed_base<N, M, Z, Q, O, R> &x) { return x.V; }
// A power of two as a constant of the compiler.
template<int E> struct power { static constexpr double value = E < 0 ? power<E + (E < 0)>::value / 2 : power<E - (E > 0)>::value * 2; };
template<> struct power<0> { static constexpr double value = 1; };
template<int E> constexpr double scale = power<E>::value;
}
template<int N, int M, bool S, ap_q_mode Q, ap_o_mode O, int R> struct ap_fixed_base {
    static constexpr int width = N, iwidth = M;
    typedef int fixed_point;
    typedef typename knobscape::raw<N, S>::type raw;
    raw V;
    ap_fixed_base() = default;
    KN constexpr ap_fixed_base(const ap_fixed_base &x) : V(x.V) {}
    KN constexpr ap_fixed_base &operator=(const ap_fixed_base &x) { V = x.V; return *this; }
    // What has fraction G, fitted into this type.
    template<int G, class T> KN static raw fit(T x) {
        constexpr int F = N - M, W = knobscape::as<T>::W;
        constexpr int up = F > G ? F - G : 0, down = G > F ? G - F : 0;
        typedef signed _BitInt(knobscape::most(W + up, N) + 2) wide;
        wide v = (wide)x;
        if constexpr (up > 0) v = (wide)(v << up);
        if constexpr (down > 0) {
            bool negative = v < 0;
            constexpr int d = down > knobscape::most(W + up, N) ? knobscape::most(W + up, N) : down;
            wide q = (wide)(v >> d);
            bool half = (bool)(v >> (d - 1) & 1), rest = (v & (wide)(((wide)1 << (d - 1)) - 1)) != 0;
            if constexpr (Q == AP_RND) v = (wide)(q + half);
            else if constexpr (Q == AP_RND_ZERO) v = (wide)(q + (half && (negative || rest)));
            else if constexpr (Q == AP_RND_MIN_INF) v = (wide)(q + (half && rest));
            else if constexpr (Q == AP_RND_INF) v = (wide)(q + (half && (!negative || rest)));
            else if constexpr (Q == AP_RND_CONV) v = (wide)(q + (half && ((q & 1) != 0 || rest)));
            else if constexpr (Q == AP_TRN_ZERO) v = (wide)(q + (negative && (half || rest)));
            else v = q;
        }
        if constexpr (O == AP_SAT || O == AP_SAT_ZERO || O == AP_SAT_SYM) {
            constexpr wide top = (wide)(((wide)1 << (N - S)) - 1);
            constexpr wide bottom = S ? (wide)(O == AP_SAT_SYM ? -top : -top - 1) : (wide)0;
            if (v > top) v = O == AP_SAT_ZERO ? (wide)0 : top;
            else if (v < bottom) v = O == AP_SAT_ZERO ? (wide)0 : bottom;
        }
        return (raw)v;
    }
    template<class T, typename knobscape::when<(knobscape::fixed_as<T>::W > 0), int>::type = 0> KN ap_fixed_base(const T &x)
        : V(fit<knobscape::fixed_as<T>::W - knobscape::fixed_as<T>::I>(knobscape::bits(x))) {}
    template<class T, typename knobscape::real<T>::type = 0> KN ap_fixed_base(T x) {
        // Two more bits of fraction, the last for all that follow, and room above, so that rounding and saturation see them.
        constexpr int F = N - M + 2;
        typedef signed _BitInt(N + 34) wide;
        double exact = (double)x * knobscape::scale<F>;
        wide near = (wide)exact;
        if ((double)near > exact) near = (wide)(near - 1);
        if ((double)near != exact) near = (wide)(near | 1);
        V = fit<F>(near);
    }
    KN operator double() const { return to_double(); }
    KN double to_double() const { return (double)V * knobscape::scale<M - N>; }
    KN float to_float() const { return (float)V * (float)knobscape::scale<M - N>; }
    KN int to_int() const { return (int)to_ap_int().V; }
    KN unsigned to_uint() const { return (unsigned)to_ap_int().V; }
    KN long to_long() const { return (long)to_ap_int().V; }
    KN long long to_int64() const { return (long long)to_ap_int().V; }
    KN ap_int_base<(M > 1 ? M : 1), S> to_ap_int() const {
        typedef ap_int_base<(M > 1 ? M : 1), S> whole;
        // Towards zero, as from double to int.
        if constexpr (N > M) return whole((typename whole::raw)((V >> (N - M < N ? N - M : N - 1)) + (S && V < 0 && (V & (raw)(((raw)1 << (N - M < N ? N - M : N - 1)) - 1)) != 0)));
        else return whole((typename whole::raw)((typename whole::raw)V << (M - N)));
    }
    KN int length() const { return N; }
    KN ap_int_base<N, S> &as_bits() { return *(ap_int_base<N, S> *)this; }
    KN ap_bit_ref<N, S> operator[](int i) { return ap_bit_ref<N, S>(as_bits(), i); }
    KN bool operator[](int i) const { return (bool)(V >> i & 1); }
    KN ap_range_ref<N, S> range(int high, int low) { return ap_range_ref<N, S>(as_bits(), high, low); }
    KN ap_range_ref<N, S> range(int high, int low) const { return const_cast<ap_fixed_base *>(this)->range(high, low); }
    KN ap_range_ref<N, S> range() { return range(N - 1, 0); }
    KN ap_range_ref<N, S> range() const { return range(N - 1, 0); }
    KN ap_range_ref<N, S> operator()(int high, int low) { return range(high, low); }
    KN bool is_zero() const { return V == 0; }
    KN bool is_neg() const { return S && V < 0; }
    KN bool operator!() const { return V == 0; }
    KN ap_fixed_base operator+() const { return *this; }
    KN ap_fixed_base<N + 1, M + 1, true> operator-() const { ap_fixed_base<N + 1, M + 1, true> x; x.V = -(typename knobscape::raw<N + 1, true>::type)V; return x; }
    KN ap_fixed_base &operator++() { *this = *this + 1; return *this; }
    KN ap_fixed_base operator++(int) { ap_fixed_base x = *this; *this = *this + 1; return x; }
    KN ap_fixed_base &operator--() { *this = *this - 1; return *this; }
    KN ap_fixed_base operator--(int) { ap_fixed_base x = *this; *this = *this - 1; return x; }
    template<class B, int = sizeof(B)> KN ap_fixed_base &operator+=(const B &b) { *this = *this + b; return *this; }
    template<class B, int = sizeof(B)> KN ap_fixed_base &operator-=(const B &b) { *this = *this - b; return *this; }
    template<class B, int = sizeof(B)> KN ap_fixed_base &operator*=(const B &b) { *this = *this * b; return *this; }
    template<class B, int = sizeof(B)> KN ap_fixed_base &operator/=(const B &b) { *this = *this / b; return *this; }
    KN ap_fixed_base operator<<(int n) const { ap_fixed_base x; x.V = (raw)(V << n); return x; }
    KN ap_fixed_base operator>>(int n) const { ap_fixed_base x; x.V = (raw)(V >> n); return x; }
    KN ap_fixed_base &operator<<=(int n) { V = (raw)(V << n); return *this; }
    KN ap_fixed_base &operator>>=(int n) { V = (raw)(V >> n); return *this; }
};
#define KN_FIXED_HEAD(op, result_type) \
    template<class A, class B, typename knobscape::when<knobscape::fixes<A, B>(), int>::type = 0> KN result_type operator op(const A &a, const B &b) { \
        constexpr int W1 = knobscape::fixed_as<A>::W, I1 = knobscape::fixed_as<A>::I, W2 = knobscape::fixed_as<B>::W, I2 = knobscape::fixed_as<B>::I; \
        constexpr bool S1 = knobscape::fixed_as<A>::S, S2 = knobscape::fixed_as<B>::S, S = S1 || S2; \
        constexpr int F1 = W1 - I1, F2 = W2 - I2, F = knobscape::most(F1, F2), I = knobscape::most(I1 + (S2 && !S1), I2 + (S1 && !S2));
#define KN_FIXED_ALIGNED(op) \
    KN_FIXED_HEAD(op, auto) \
        typedef ap_fixed_base<I + 1 + F, I + 1, (S || #op[0] == '-')> result; typedef signed _BitInt(I + F + 2) work; \
        result x; x.V = (typename result::raw)(((work)knobscape::bits(a) << (F - F1)) op ((work)knobscape::bits(b) << (F - F2))); return x; \
    }
KN_FIXED_ALIGNED(+)
KN_FIXED_ALIGNED(-)
KN_FIXED_HEAD(*, auto)
        (void)F; (void)I;
        typedef ap_fixed_base<W1 + W2, I1 + I2, S> result; typedef signed _BitInt(W1 + W2 + 1) work;
        result x; x.V = (typename result::raw)((work)knobscape::bits(a) * (work)knobscape::bits(b)); return x;
    }
KN_FIXED_HEAD(/, auto)
        (void)F; (void)I;
        constexpr int W = W1 + knobscape::most(F2, 0) + S2, J = I1 + F2 + S2;
        typedef ap_fixed_base<W, J, S> result; typedef signed _BitInt(knobscape::most(W, W2) + 2) work;
        result x; x.V = (typename result::raw)(((work)knobscape::bits(a) << knobscape::most(F2, 0)) / (work)knobscape::bits(b)); return x;
    }
#define KN_FIXED_COMPARE(op) \
    KN_FIXED_HEAD(op, bool) \
        typedef signed _BitInt(I + F + 2) work; \
        return (work)((work)knobscape::bits(a) << (F - F1)) op (work)((work)knobscape::bits(b) << (F - F2)); \
    }
KN_FIXED_COMPARE(==)
KN_FIXED_COMPARE(!=)
KN_FIXED_COMPARE(<)
KN_FIXED_COMPARE(<=)
KN_FIXED_COMPARE(>)
KN_FIXED_COMPARE(>=)
template<int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0> using ap_fixed = ap_fixed_base<W, I, true, Q, O, N>;
template<int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0> using ap_ufixed = ap_fixed_base<W, I, false, Q, O, N>;
