#pragma once
#include <stdint.h>
#include <math.h>
struct knobscape_bits {
    template<class T> knobscape_bits &operator=(const T &value);
    operator long long() const;
    int to_int() const;
    unsigned to_uint() const;
    bool get_bit(int i) const;
    int length() const;
};
template<int W, bool S = true> struct ap_int_base {
    static const int width = W;
    ap_int_base();
    template<class T> ap_int_base(T value);
    template<class T> ap_int_base &operator=(const T &value);
    operator long long() const;
    knobscape_bits operator[](int i) const;
    knobscape_bits bit(int i) const;
    knobscape_bits range(int high, int low) const;
    knobscape_bits range() const;
    knobscape_bits operator()(int high, int low) const;
    bool get_bit(int i) const;
    bool test(int i) const;
    void set(int i);
    void set_bit(int i, bool value);
    void clear(int i);
    int length() const;
    int to_int() const;
    unsigned to_uint() const;
    long long to_int64() const;
    unsigned long long to_uint64() const;
    long to_long() const;
    double to_double() const;
    float to_float() const;
    bool and_reduce() const;
    bool or_reduce() const;
    bool xor_reduce() const;
    bool is_zero() const;
    bool sign() const;
    int countLeadingZeros() const;
    void reverse();
    ap_int_base &operator++();
    ap_int_base operator++(int);
    ap_int_base &operator--();
    ap_int_base operator--(int);
};
template<int W> struct ap_int : ap_int_base<W, true> {
    ap_int();
    template<class T> ap_int(T value);
    template<class T> ap_int &operator=(const T &value);
};
template<int W> struct ap_uint : ap_int_base<W, false> {
    ap_uint();
    template<class T> ap_uint(T value);
    template<class T> ap_uint &operator=(const T &value);
};
#include <ap_fixed.h>
