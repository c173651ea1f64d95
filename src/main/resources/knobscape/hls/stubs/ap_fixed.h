#pragma once
#include <ap_int.h>
enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };
template<int W, int I, bool S = true, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0> struct ap_fixed_base {
    static const int width = W;
    static const int iwidth = I;
    ap_fixed_base();
    template<class T> ap_fixed_base(T value);
    template<class T> ap_fixed_base &operator=(const T &value);
    operator double() const;
    knobscape_bits operator[](int i) const;
    knobscape_bits range(int high, int low) const;
    knobscape_bits range() const;
    knobscape_bits operator()(int high, int low) const;
    int to_int() const;
    float to_float() const;
    double to_double() const;
    int length() const;
    ap_fixed_base &operator++();
    ap_fixed_base operator++(int);
};
template<int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0> struct ap_fixed : ap_fixed_base<W, I, true, Q, O, N> {
    ap_fixed();
    template<class T> ap_fixed(T value);
    template<class T> ap_fixed &operator=(const T &value);
};
template<int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0> struct ap_ufixed : ap_fixed_base<W, I, false, Q, O, N> {
    ap_ufixed();
    template<class T> ap_ufixed(T value);
    template<class T> ap_ufixed &operator=(const T &value);
};
