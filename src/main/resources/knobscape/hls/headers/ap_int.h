#pragma once
#include <knobscape.h>
#include <stdint.h>
#include <math.h>
template<int W, bool S> struct ap_int_base;
template<int W, bool S> struct ap_range_ref;
template<int W, bool S> struct ap_bit_ref;
namespace knobscape {
template<int W, bool S> struct raw { typedef unsigned _BitInt(W < 1 ? 1 : W) type; };
template<int W> struct raw<W, true> { typedef signed _BitInt(W < 2 ? 2 : W) type; };
template<bool B, class T = int> struct when {};
template<class T> struct when<true, T> { typedef T type; };
constexpr int most(int a, int b) { return a > b ? a : b; }
constexpr int least(int a, int b) { return a < b ? a : b; }
// Width and sign of what can be an operand; `own` of our types.
template<class T> struct as { static constexpr int W = 0; static constexpr bool S = false; static constexpr bool own = false; };
template<int N, bool Sign> struct builtin { static constexpr int W = N; static constexpr bool S = Sign; static constexpr bool own = false; };
template<> struct as<bool> : builtin<1, false> {};
template<> struct as<char> : builtin<8, true> {};
template<> struct as<signed char> : builtin<8, true> {};
template<> struct as<unsigned char> : builtin<8, false> {};
template<> struct as<short> : builtin<16, true> {};
template<> struct as<unsigned short> : builtin<16, false> {};
template<> struct as<int> : builtin<32, true> {};
template<> struct as<unsigned> : builtin<32, false> {};
template<> struct as<long> : builtin<64, true> {};
template<> struct as<unsigned long> : builtin<64, false> {};
template<> struct as<long long> : builtin<64, true> {};
template<> struct as<unsigned long long> : builtin<64, false> {};
template<int N> struct as<signed _BitInt(N)> : builtin<N, true> {};
template<int N> struct as<unsigned _BitInt(N)> : builtin<N, false> {};
template<int N, bool Sign> struct own_type : builtin<N, Sign> { static constexpr bool own = true; };
template<int N, bool Sign> struct as<ap_int_base<N, Sign>> : own_type<N, Sign> {};
template<int N, bool Sign> struct as<ap_range_ref<N, Sign>> : own_type<N, false> {};
template<int N, bool Sign> struct as<ap_bit_ref<N, Sign>> : own_type<1, false> {};
template<class A, class B> constexpr bool mixes() { return as<A>::W > 0 && as<B>::W > 0 && (as<A>::own || as<B>::own); }
template<class T> using base = ap_int_base<as<T>::W, as<T>::S>;
template<class T> KN typename base<T>::raw value(const T &x) { return base<T>(x).V; }
template<int W1, bool S1, int W2, bool S2> struct both {
    static constexpr bool S = S1 || S2;
    static constexpr int W = most(W1 + (S2 && !S1), W2 + (S1 && !S2));
};
template<class A, class B> using common = both<as<A>::W, as<A>::S, as<B>::W, as<B>::S>;
template<class T> struct real {};
template<> struct real<float> { typedef int type; };
template<> struct real<double> { typedef int type; };
template<> struct real<__fp16> { typedef int type; };
}
template<int N, bool S> struct ap_int_base {
    static constexpr int width = N;
    typedef typename knobscape::raw<N, S>::type raw;
    raw V;
    ap_int_base() = default;
    // Written out, so that values are passed and returned by address: clang keeps one in a register narrower than its
    // place in memory, and then no pass finds it there again.
    KN constexpr ap_int_base(const ap_int_base &x) : V(x.V) {}
    KN constexpr ap_int_base &operator=(const ap_int_base &x) { V = x.V; return *this; }
    template<class T, typename knobscape::when<(knobscape::as<T>::W > 0 && !knobscape::as<T>::own), int>::type = 0>
    KN constexpr ap_int_base(T x) : V((raw)x) {}
    template<class T, typename knobscape::real<T>::type = 0> KN ap_int_base(T x) : V((raw)x) {}
    template<class T, typename T::fixed_point = 0> KN ap_int_base(const T &x) : V((raw)x.to_ap_int().V) {}
    template<int M, bool Z> KN constexpr ap_int_base(const ap_int_base<M, Z> &x) : V((raw)x.V) {}
    template<int M, bool Z> KN ap_int_base(const ap_range_ref<M, Z> &x) : V((raw)x.get()) {}
    template<int M, bool Z> KN ap_int_base(const ap_bit_ref<M, Z> &x) : V((raw)x.get()) {}
    KN ap_int_base(const char *text, int radix = 10) : V(0) {
        bool negative = *text == '-';
        for (text += negative || *text == '+'; *text; text++) {
            char c = *text;
            V = (raw)(V * radix + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10));
        }
        if (negative) V = (raw)-V;
    }
    KN constexpr operator raw() const { return V; }
    KN ap_bit_ref<N, S> operator[](int i) { return ap_bit_ref<N, S>(*this, i); }
    KN bool operator[](int i) const { return get_bit(i); }
    KN ap_bit_ref<N, S> bit(int i) { return ap_bit_ref<N, S>(*this, i); }
    KN ap_range_ref<N, S> range(int high, int low) { return ap_range_ref<N, S>(*this, high, low); }
    KN ap_range_ref<N, S> range(int high, int low) const { return ap_range_ref<N, S>(const_cast<ap_int_base &>(*this), high, low); }
    KN ap_range_ref<N, S> range() { return ap_range_ref<N, S>(*this, N - 1, 0); }
    KN ap_range_ref<N, S> operator()(int high, int low) { return range(high, low); }
    KN ap_range_ref<N, S> operator()(int high, int low) const { return range(high, low); }
    KN bool get_bit(int i) const { return (bool)((unsigned _BitInt(N < 1 ? 1 : N))V >> i & 1); }
    KN bool test(int i) const { return get_bit(i); }
    KN void set_bit(int i, bool value) { raw one = (raw)((raw)1 << i); V = (raw)(value ? V | one : V & (raw)~one); }
    KN void set(int i) { set_bit(i, true); }
    KN void set() { V = (raw)-1; }
    KN void clear(int i) { set_bit(i, false); }
    KN void clear() { V = 0; }
    KN void invert(int i) { set_bit(i, !get_bit(i)); }
    KN int length() const { return N; }
    KN int to_int() const { return (int)V; }
    KN unsigned to_uint() const { return (unsigned)V; }
    KN long to_long() const { return (long)V; }
    KN unsigned long to_ulong() const { return (unsigned long)V; }
    KN long long to_int64() const { return (long long)V; }
    KN unsigned long long to_uint64() const { return (unsigned long long)V; }
    KN bool to_bool() const { return V != 0; }
    KN double to_double() const { return (double)V; }
    KN float to_float() const { return (float)V; }
    KN ap_int_base &lrotate(int n) {
        typedef unsigned _BitInt(N < 1 ? 1 : N) bits;
        bits v = (bits)V;
        V = (raw)(n > 0 && n < N ? (bits)(v << n) | (bits)(v >> (N - n)) : v);
        return *this;
    }
    KN ap_int_base &rrotate(int n) { return lrotate(N - n); }
    KN bool and_reduce() const { return (unsigned _BitInt(N < 1 ? 1 : N))~(unsigned _BitInt(N < 1 ? 1 : N))V == 0; }
    KN bool nand_reduce() const { return !and_reduce(); }
    KN bool or_reduce() const { return V != 0; }
    KN bool nor_reduce() const { return V == 0; }
    KN bool xor_reduce() const { bool x = false; _Pragma("clang loop unroll(full)") for (int i = 0; i < N; i++) x ^= get_bit(i); return x; }
    KN bool is_zero() const { return V == 0; }
    KN bool sign() const { return S && V < 0; }
    KN bool iszero() const { return V == 0; }
    KN int countLeadingZeros() const { int n = 0; bool open = true; _Pragma("clang loop unroll(full)") for (int i = N - 1; i >= 0; i--) { open = open && !get_bit(i); n += open; } return n; }
    KN void reverse() { ap_int_base x = 0; _Pragma("clang loop unroll(full)") for (int i = 0; i < N; i++) x.set_bit(i, get_bit(N - 1 - i)); V = x.V; }
    KN void b_not() { V = (raw)~V; }
    KN ap_int_base &operator++() { V = (raw)(V + 1); return *this; }
    KN ap_int_base operator++(int) { ap_int_base x = *this; V = (raw)(V + 1); return x; }
    KN ap_int_base &operator--() { V = (raw)(V - 1); return *this; }
    KN ap_int_base operator--(int) { ap_int_base x = *this; V = (raw)(V - 1); return x; }
    KN ap_int_base operator+() const { return *this; }
    KN ap_int_base<N + 1, true> operator-() const { return -(typename knobscape::raw<N + 1, true>::type)V; }
    KN ap_int_base operator~() const { return ap_int_base((raw)~V); }
    KN bool operator!() const { return V == 0; }
    template<class T> KN auto concat(const T &x) const { return (*this, x); }
};
template<int W, bool S> struct ap_range_ref {
    typedef unsigned _BitInt(W) value;
    ap_int_base<W, S> &d;
    int high, low;
    KN ap_range_ref(ap_int_base<W, S> &x, int h, int l) : d(x), high(h), low(l) {}
    KN static value mask(int bits) { return bits >= W ? (value)~(value)0 : (value)(((value)1 << bits) - 1); }
    KN value get() const { return (value)((value)d.V >> low) & mask(high - low + 1); }
    KN void put(value x) { value m = mask(high - low + 1); d.V = (typename ap_int_base<W, S>::raw)(((value)d.V & (value)~(value)(m << low)) | (value)((x & m) << low)); }
    KN operator value() const { return get(); }
    template<class T> KN ap_range_ref &operator=(const T &x) { put((value)knobscape::value(x)); return *this; }
    KN ap_range_ref &operator=(const ap_range_ref &x) { put((value)x.get()); return *this; }
    KN int to_int() const { return (int)get(); }
    KN unsigned to_uint() const { return (unsigned)get(); }
    KN long long to_int64() const { return (long long)get(); }
    KN unsigned long long to_uint64() const { return (unsigned long long)get(); }
    KN int length() const { return high - low + 1; }
    KN bool and_reduce() const { return get() == mask(high - low + 1); }
    KN bool or_reduce() const { return get() != 0; }
};
template<int W, bool S> struct ap_bit_ref {
    ap_int_base<W, S> &d;
    int at;
    KN ap_bit_ref(ap_int_base<W, S> &x, int i) : d(x), at(i) {}
    KN bool get() const { return d.get_bit(at); }
    KN operator bool() const { return get(); }
    KN bool to_bool() const { return get(); }
    KN ap_bit_ref &operator=(bool x) { d.set_bit(at, x); return *this; }
    KN ap_bit_ref &operator=(const ap_bit_ref &x) { d.set_bit(at, x.get()); return *this; }
    template<int M, bool Z> KN ap_bit_ref &operator=(const ap_bit_ref<M, Z> &x) { d.set_bit(at, x.get()); return *this; }
    template<int M, bool Z> KN ap_bit_ref &operator=(const ap_int_base<M, Z> &x) { d.set_bit(at, x.V != 0); return *this; }
    KN bool operator~() const { return !get(); }
};
#define KN_BINARY(op, width, sign) \
    template<class A, class B, typename knobscape::when<knobscape::mixes<A, B>(), int>::type = 0> KN auto operator op(const A &a, const B &b) { \
        constexpr int W1 = knobscape::as<A>::W, W2 = knobscape::as<B>::W; constexpr bool S1 = knobscape::as<A>::S, S2 = knobscape::as<B>::S; \
        (void)W1; (void)W2; (void)S1; (void)S2; \
        typedef ap_int_base<(width), (sign)> result; typedef typename knobscape::raw<knobscape::most((width), knobscape::common<A, B>::W), ((sign) || S1 || S2)>::type work; \
        return result((typename result::raw)((work)knobscape::value(a) op (work)knobscape::value(b))); \
    } \
    template<int W, bool S, class B, typename knobscape::when<(knobscape::as<B>::W > 0), int>::type = 0> KN ap_int_base<W, S> &operator op##=(ap_int_base<W, S> &a, const B &b) { a = a op b; return a; } \
    template<int W, bool S, class B, typename knobscape::when<(knobscape::as<B>::W > 0), int>::type = 0> KN ap_range_ref<W, S> operator op##=(ap_range_ref<W, S> a, const B &b) { a = a op b; return a; } \
    template<int W, bool S, class B, typename knobscape::when<(knobscape::as<B>::W > 0), int>::type = 0> KN ap_bit_ref<W, S> operator op##=(ap_bit_ref<W, S> a, const B &b) { a = a op b; return a; }
#define KN_COMMON knobscape::common<A, B>::W
KN_BINARY(+, KN_COMMON + 1, S1 || S2)
KN_BINARY(-, KN_COMMON + 1, true)
KN_BINARY(*, W1 + W2, S1 || S2)
KN_BINARY(/, W1 + S2, S1 || S2)
KN_BINARY(%, knobscape::least(W1, W2 + (!S2 && S1)), S1)
KN_BINARY(&, KN_COMMON, S1 || S2)
KN_BINARY(|, KN_COMMON, S1 || S2)
KN_BINARY(^, KN_COMMON, S1 || S2)
// By a negative number the other way.
#define KN_SHIFT(op, other) \
    template<int W, bool S, class B, typename knobscape::when<(knobscape::as<B>::W > 0), int>::type = 0> KN ap_int_base<W, S> operator op(const ap_int_base<W, S> &a, const B &b) { \
        typedef typename ap_int_base<W, S>::raw raw; auto n = knobscape::value(b); \
        if constexpr (knobscape::as<B>::S) return ap_int_base<W, S>((raw)(n >= 0 ? (raw)(a.V op n) : (raw)(a.V other -n))); \
        else return ap_int_base<W, S>((raw)(a.V op n)); \
    } \
    template<int W, bool S, class B, typename knobscape::when<(knobscape::as<B>::W > 0), int>::type = 0> KN ap_int_base<W, false> operator op(const ap_range_ref<W, S> &a, const B &b) { return ap_int_base<W, false>(a) op b; } \
    template<class A, int W, bool S, typename knobscape::when<(knobscape::as<A>::W > 0 && !knobscape::as<A>::own), int>::type = 0> KN A operator op(A a, const ap_int_base<W, S> &b) { return (A)(a op b.V); } \
    template<int W, bool S, class B, typename knobscape::when<(knobscape::as<B>::W > 0), int>::type = 0> KN ap_int_base<W, S> &operator op##=(ap_int_base<W, S> &a, const B &b) { a = a op b; return a; }
KN_SHIFT(<<, >>)
KN_SHIFT(>>, <<)
#define KN_COMPARE(op) \
    template<class A, class B, typename knobscape::when<knobscape::mixes<A, B>(), int>::type = 0> KN bool operator op(const A &a, const B &b) { \
        typedef typename knobscape::raw<knobscape::common<A, B>::W, knobscape::common<A, B>::S>::type work; \
        return (work)knobscape::value(a) op (work)knobscape::value(b); \
    }
KN_COMPARE(==)
KN_COMPARE(!=)
KN_COMPARE(<)
KN_COMPARE(<=)
KN_COMPARE(>)
KN_COMPARE(>=)
template<class A, class B, typename knobscape::when<knobscape::mixes<A, B>(), int>::type = 0> KN auto operator,(const A &a, const B &b) {
    constexpr int W1 = knobscape::as<A>::W, W2 = knobscape::as<B>::W;
    typedef unsigned _BitInt(W1 + W2) work;
    return ap_int_base<W1 + W2, false>((work)((work)(unsigned _BitInt(W1))knobscape::value(a) << W2 | (work)(unsigned _BitInt(W2))knobscape::value(b)));
}
template<int W> using ap_int = ap_int_base<W, true>;
template<int W> using ap_uint = ap_int_base<W, false>;
#include <ap_fixed.h>
