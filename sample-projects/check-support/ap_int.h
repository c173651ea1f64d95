// Just enough of an arbitrary-width integer to run the self-checks of these samples with an ordinary compiler. No synthesis tool sees it.
#ifndef KNOBSCAPE_CHECK_AP_INT_H
#define KNOBSCAPE_CHECK_AP_INT_H

template <int BITS>
class ap_int {
    static_assert(BITS > 0 && BITS <= 32, "the self-checks need no more");
    long long value;

public:
    ap_int(long long v = 0) : value((long long)((unsigned long long)v << (64 - BITS)) >> (64 - BITS)) {}
    operator long long() const { return value; }
    ap_int &operator+=(long long v) { return *this = ap_int(value + v); }
};

#endif
