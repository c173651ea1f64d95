#pragma once
#include <knobscape.h>
#include <stdint.h>
#include <string.h>
#include <math.h>
template<int kn_W, bool kn_S> struct ap_int_base;
template<int kn_W, bool kn_S> struct ap_range_ref;
template<int kn_W, bool kn_S> struct ap_bit_ref;
namespace knobscape {
template<int kn_W, bool kn_S> struct raw { typedef unsigned _BitInt(kn_W < 1 ? 1 : kn_W) type; };
template<int kn_W> struct raw<kn_W, true> { typedef signed _BitInt(kn_W < 2 ? 2 : kn_W) type; };
template<bool kn_B, class kn_T = int> struct when {};
template<class kn_T> struct when<true, kn_T> { typedef kn_T type; };
constexpr int most(int a, int b) { return a > b ? a : b; }
constexpr int least(int a, int b) { return a < b ? a : b; }
// Width and sign of what can be an operand; `own` of our types.
template<class kn_T> struct as { static constexpr int kn_W = 0; static constexpr bool kn_S = false; static constexpr bool own = false; };
template<int kn_N, bool Sign> struct builtin { static constexpr int kn_W = kn_N; static constexpr bool kn_S = Sign; static constexpr bool own = false; };
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
template<int kn_N> struct as<signed _BitInt(kn_N)> : builtin<kn_N, true> {};
template<int kn_N> struct as<unsigned _BitInt(kn_N)> : builtin<kn_N, false> {};
template<int kn_N, bool Sign> struct own_type : builtin<kn_N, Sign> { static constexpr bool own = true; };
template<int kn_N, bool Sign> struct as<ap_int_base<kn_N, Sign>> : own_type<kn_N, Sign> {};
template<int kn_N, bool Sign> struct as<ap_range_ref<kn_N, Sign>> : own_type<kn_N, false> {};
template<int kn_N, bool Sign> struct as<ap_bit_ref<kn_N, Sign>> : own_type<1, false> {};
template<class kn_A, class kn_B> constexpr bool mixes() { return as<kn_A>::kn_W > 0 && as<kn_B>::kn_W > 0 && (as<kn_A>::own || as<kn_B>::own); }
template<class kn_T> using base = ap_int_base<as<kn_T>::kn_W, as<kn_T>::kn_S>;
template<class kn_T> KN typename base<kn_T>::raw value(const kn_T &x) { return base<kn_T>(x).V; }
template<int kn_W1, bool kn_S1, int kn_W2, bool kn_S2> struct both {
    static constexpr bool kn_S = kn_S1 || kn_S2;
    static constexpr int kn_W = most(kn_W1 + (kn_S2 && !kn_S1), kn_W2 + (kn_S1 && !kn_S2));
};
template<class kn_A, class kn_B> using common = both<as<kn_A>::kn_W, as<kn_A>::kn_S, as<kn_B>::kn_W, as<kn_B>::kn_S>;
template<class kn_T> struct real {};
template<> struct real<float> { typedef int type; };
template<> struct real<double> { typedef int type; };
template<> struct real<__fp16> { typedef int type; };
}
template<int kn_N, bool kn_S> struct ap_int_base {
    static constexpr int width = kn_N;
    typedef typename knobscape::raw<kn_N, kn_S>::type raw;
    raw V;
    ap_int_base() = default;
    // Written out, so that values are passed and returned by address: clang keeps one in a register narrower than its
    // place in memory, and then no pass finds it there again.
    KN constexpr ap_int_base(const ap_int_base &x) : V(x.V) {}
    KN constexpr ap_int_base &operator=(const ap_int_base &x) { V = x.V; return *this; }
    template<class kn_T, typename knobscape::when<(knobscape::as<kn_T>::kn_W > 0 && !knobscape::as<kn_T>::own), int>::type = 0>
    KN constexpr ap_int_base(kn_T x) : V((raw)x) {}
    template<class kn_T, typename knobscape::when<__is_enum(kn_T), int>::type = 0> KN constexpr ap_int_base(kn_T x) : V((raw)(long long)x) {}
    template<class kn_T, typename knobscape::real<kn_T>::type = 0> KN ap_int_base(kn_T x) : V((raw)x) {}
    template<class kn_T, typename kn_T::fixed_point = 0> KN ap_int_base(const kn_T &x) : V((raw)x.to_ap_int().V) {}
    template<int kn_M, bool kn_Z> KN constexpr ap_int_base(const ap_int_base<kn_M, kn_Z> &x) : V((raw)x.V) {}
    template<int kn_M, bool kn_Z> KN ap_int_base(const ap_range_ref<kn_M, kn_Z> &x) : V((raw)x.get()) {}
    template<int kn_M, bool kn_Z> KN ap_int_base(const ap_bit_ref<kn_M, kn_Z> &x) : V((raw)x.get()) {}
    KN ap_int_base(const char *text, int radix = 10) : V(0) {
        bool negative = *text == '-';
        for (text += negative || *text == '+'; *text; text++) {
            char c = *text;
            V = (raw)(V * radix + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10));
        }
        if (negative) V = (raw)-V;
    }
    KN constexpr operator raw() const { return V; }
    KN ap_bit_ref<kn_N, kn_S> operator[](int i) { return ap_bit_ref<kn_N, kn_S>(*this, i); }
    KN bool operator[](int i) const { return get_bit(i); }
    KN ap_bit_ref<kn_N, kn_S> bit(int i) { return ap_bit_ref<kn_N, kn_S>(*this, i); }
    KN ap_range_ref<kn_N, kn_S> range(int high, int low) { return ap_range_ref<kn_N, kn_S>(*this, high, low); }
    KN ap_range_ref<kn_N, kn_S> range(int high, int low) const { return ap_range_ref<kn_N, kn_S>(const_cast<ap_int_base &>(*this), high, low); }
    KN ap_range_ref<kn_N, kn_S> range() { return ap_range_ref<kn_N, kn_S>(*this, kn_N - 1, 0); }
    KN ap_range_ref<kn_N, kn_S> operator()(int high, int low) { return range(high, low); }
    KN ap_range_ref<kn_N, kn_S> operator()(int high, int low) const { return range(high, low); }
    KN bool get_bit(int i) const { return (bool)((unsigned _BitInt(kn_N < 1 ? 1 : kn_N))V >> i & 1); }
    KN bool test(int i) const { return get_bit(i); }
    KN void set_bit(int i, bool value) { raw one = (raw)((raw)1 << i); V = (raw)(value ? V | one : V & (raw)~one); }
    KN void set(int i) { set_bit(i, true); }
    KN void set() { V = (raw)-1; }
    KN void clear(int i) { set_bit(i, false); }
    KN void clear() { V = 0; }
    KN void invert(int i) { set_bit(i, !get_bit(i)); }
    KN int length() const { return kn_N; }
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
        typedef unsigned _BitInt(kn_N < 1 ? 1 : kn_N) bits;
        bits v = (bits)V;
        V = (raw)(n > 0 && n < kn_N ? (bits)(v << n) | (bits)(v >> (kn_N - n)) : v);
        return *this;
    }
    KN ap_int_base &rrotate(int n) { return lrotate(kn_N - n); }
    KN bool and_reduce() const { return (unsigned _BitInt(kn_N < 1 ? 1 : kn_N))~(unsigned _BitInt(kn_N < 1 ? 1 : kn_N))V == 0; }
    KN bool nand_reduce() const { return !and_reduce(); }
    KN bool or_reduce() const { return V != 0; }
    KN bool nor_reduce() const { return V == 0; }
    KN bool xor_reduce() const { bool x = false; _Pragma("clang loop unroll(full)") for (int i = 0; i < kn_N; i++) x ^= get_bit(i); return x; }
    KN bool is_zero() const { return V == 0; }
    KN bool sign() const { return kn_S && V < 0; }
    KN bool iszero() const { return V == 0; }
    KN int countLeadingZeros() const { int n = 0; bool open = true; _Pragma("clang loop unroll(full)") for (int i = kn_N - 1; i >= 0; i--) { open = open && !get_bit(i); n += open; } return n; }
    KN void reverse() { ap_int_base x = 0; _Pragma("clang loop unroll(full)") for (int i = 0; i < kn_N; i++) x.set_bit(i, get_bit(kn_N - 1 - i)); V = x.V; }
    KN void b_not() { V = (raw)~V; }
    KN ap_int_base &operator++() { V = (raw)(V + 1); return *this; }
    KN ap_int_base operator++(int) { ap_int_base x = *this; V = (raw)(V + 1); return x; }
    KN ap_int_base &operator--() { V = (raw)(V - 1); return *this; }
    KN ap_int_base operator--(int) { ap_int_base x = *this; V = (raw)(V - 1); return x; }
    KN ap_int_base operator+() const { return *this; }
    KN ap_int_base<kn_N + 1, true> operator-() const { return -(typename knobscape::raw<kn_N + 1, true>::type)V; }
    KN ap_int_base operator~() const { return ap_int_base((raw)~V); }
    KN bool operator!() const { return V == 0; }
    template<class kn_T> KN auto concat(const kn_T &x) const { return (*this, x); }
};
template<int kn_W, bool kn_S> struct ap_range_ref {
    typedef unsigned _BitInt(kn_W) value;
    ap_int_base<kn_W, kn_S> &d;
    int high, low;
    KN ap_range_ref(ap_int_base<kn_W, kn_S> &x, int h, int l) : d(x), high(h), low(l) {}
    KN static value mask(int bits) { return bits >= kn_W ? (value)~(value)0 : (value)(((value)1 << bits) - 1); }
    KN value get() const { return (value)((value)d.V >> low) & mask(high - low + 1); }
    KN void put(value x) { value m = mask(high - low + 1); d.V = (typename ap_int_base<kn_W, kn_S>::raw)(((value)d.V & (value)~(value)(m << low)) | (value)((x & m) << low)); }
    KN operator value() const { return get(); }
    template<class kn_T> KN ap_range_ref &operator=(const kn_T &x) { put((value)knobscape::value(x)); return *this; }
    KN ap_range_ref &operator=(const ap_range_ref &x) { put((value)x.get()); return *this; }
    KN int to_int() const { return (int)get(); }
    KN unsigned to_uint() const { return (unsigned)get(); }
    KN long long to_int64() const { return (long long)get(); }
    KN unsigned long long to_uint64() const { return (unsigned long long)get(); }
    KN int length() const { return high - low + 1; }
    KN bool and_reduce() const { return get() == mask(high - low + 1); }
    KN bool or_reduce() const { return get() != 0; }
};
template<int kn_W, bool kn_S> struct ap_bit_ref {
    ap_int_base<kn_W, kn_S> &d;
    int at;
    KN ap_bit_ref(ap_int_base<kn_W, kn_S> &x, int i) : d(x), at(i) {}
    KN bool get() const { return d.get_bit(at); }
    KN operator bool() const { return get(); }
    KN bool to_bool() const { return get(); }
    KN ap_bit_ref &operator=(bool x) { d.set_bit(at, x); return *this; }
    KN ap_bit_ref &operator=(const ap_bit_ref &x) { d.set_bit(at, x.get()); return *this; }
    template<int kn_M, bool kn_Z> KN ap_bit_ref &operator=(const ap_bit_ref<kn_M, kn_Z> &x) { d.set_bit(at, x.get()); return *this; }
    template<int kn_M, bool kn_Z> KN ap_bit_ref &operator=(const ap_int_base<kn_M, kn_Z> &x) { d.set_bit(at, x.V != 0); return *this; }
    KN bool operator~() const { return !get(); }
};
#define KN_BINARY(op, width, sign) \
    template<class kn_A, class kn_B, typename knobscape::when<knobscape::mixes<kn_A, kn_B>(), int>::type = 0> KN auto operator op(const kn_A &a, const kn_B &b) { \
        constexpr int kn_W1 = knobscape::as<kn_A>::kn_W, kn_W2 = knobscape::as<kn_B>::kn_W; constexpr bool kn_S1 = knobscape::as<kn_A>::kn_S, kn_S2 = knobscape::as<kn_B>::kn_S; \
        (void)kn_W1; (void)kn_W2; (void)kn_S1; (void)kn_S2; \
        typedef ap_int_base<(width), (sign)> result; typedef typename knobscape::raw<knobscape::most((width), knobscape::common<kn_A, kn_B>::kn_W), ((sign) || kn_S1 || kn_S2)>::type work; \
        return result((typename result::raw)((work)knobscape::value(a) op (work)knobscape::value(b))); \
    } \
    template<int kn_W, bool kn_S, class kn_B, typename knobscape::when<(knobscape::as<kn_B>::kn_W > 0), int>::type = 0> KN ap_int_base<kn_W, kn_S> &operator op##=(ap_int_base<kn_W, kn_S> &a, const kn_B &b) { a = a op b; return a; } \
    template<int kn_W, bool kn_S, class kn_B, typename knobscape::when<(knobscape::as<kn_B>::kn_W > 0), int>::type = 0> KN ap_range_ref<kn_W, kn_S> operator op##=(ap_range_ref<kn_W, kn_S> a, const kn_B &b) { a = a op b; return a; } \
    template<int kn_W, bool kn_S, class kn_B, typename knobscape::when<(knobscape::as<kn_B>::kn_W > 0), int>::type = 0> KN ap_bit_ref<kn_W, kn_S> operator op##=(ap_bit_ref<kn_W, kn_S> a, const kn_B &b) { a = a op b; return a; }
#define KN_COMMON knobscape::common<kn_A, kn_B>::kn_W
KN_BINARY(+, KN_COMMON + 1, kn_S1 || kn_S2)
KN_BINARY(-, KN_COMMON + 1, true)
KN_BINARY(*, kn_W1 + kn_W2, kn_S1 || kn_S2)
KN_BINARY(/, kn_W1 + kn_S2, kn_S1 || kn_S2)
KN_BINARY(%, knobscape::least(kn_W1, kn_W2 + (!kn_S2 && kn_S1)), kn_S1)
KN_BINARY(&, KN_COMMON, kn_S1 || kn_S2)
KN_BINARY(|, KN_COMMON, kn_S1 || kn_S2)
KN_BINARY(^, KN_COMMON, kn_S1 || kn_S2)
// By a negative number the other way.
#define KN_SHIFT(op, other) \
    template<int kn_W, bool kn_S, class kn_B, typename knobscape::when<(knobscape::as<kn_B>::kn_W > 0), int>::type = 0> KN ap_int_base<kn_W, kn_S> operator op(const ap_int_base<kn_W, kn_S> &a, const kn_B &b) { \
        typedef typename ap_int_base<kn_W, kn_S>::raw raw; auto n = knobscape::value(b); \
        if constexpr (knobscape::as<kn_B>::kn_S) return ap_int_base<kn_W, kn_S>((raw)(n >= 0 ? (raw)(a.V op n) : (raw)(a.V other -n))); \
        else return ap_int_base<kn_W, kn_S>((raw)(a.V op n)); \
    } \
    template<int kn_W, bool kn_S, class kn_B, typename knobscape::when<(knobscape::as<kn_B>::kn_W > 0), int>::type = 0> KN ap_int_base<kn_W, false> operator op(const ap_range_ref<kn_W, kn_S> &a, const kn_B &b) { return ap_int_base<kn_W, false>(a) op b; } \
    template<class kn_A, int kn_W, bool kn_S, typename knobscape::when<(knobscape::as<kn_A>::kn_W > 0 && !knobscape::as<kn_A>::own), int>::type = 0> KN kn_A operator op(kn_A a, const ap_int_base<kn_W, kn_S> &b) { return (kn_A)(a op b.V); } \
    template<int kn_W, bool kn_S, class kn_B, typename knobscape::when<(knobscape::as<kn_B>::kn_W > 0), int>::type = 0> KN ap_int_base<kn_W, kn_S> &operator op##=(ap_int_base<kn_W, kn_S> &a, const kn_B &b) { a = a op b; return a; }
KN_SHIFT(<<, >>)
KN_SHIFT(>>, <<)
#define KN_COMPARE(op) \
    template<class kn_A, class kn_B, typename knobscape::when<knobscape::mixes<kn_A, kn_B>(), int>::type = 0> KN bool operator op(const kn_A &a, const kn_B &b) { \
        typedef typename knobscape::raw<knobscape::common<kn_A, kn_B>::kn_W, knobscape::common<kn_A, kn_B>::kn_S>::type work; \
        return (work)knobscape::value(a) op (work)knobscape::value(b); \
    }
KN_COMPARE(==)
KN_COMPARE(!=)
KN_COMPARE(<)
KN_COMPARE(<=)
KN_COMPARE(>)
KN_COMPARE(>=)
template<class kn_A, class kn_B, typename knobscape::when<knobscape::mixes<kn_A, kn_B>(), int>::type = 0> KN auto operator,(const kn_A &a, const kn_B &b) {
    constexpr int kn_W1 = knobscape::as<kn_A>::kn_W, kn_W2 = knobscape::as<kn_B>::kn_W;
    typedef unsigned _BitInt(kn_W1 + kn_W2) work;
    return ap_int_base<kn_W1 + kn_W2, false>((work)((work)(unsigned _BitInt(kn_W1))knobscape::value(a) << kn_W2 | (work)(unsigned _BitInt(kn_W2))knobscape::value(b)));
}
template<int kn_W> using ap_int = ap_int_base<kn_W, true>;
template<int kn_W> using ap_uint = ap_int_base<kn_W, false>;
#include <ap_fixed.h>
