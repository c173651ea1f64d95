#pragma once
template<class T, unsigned N = 32> class ap_shift_reg {
public:
    ap_shift_reg(); ap_shift_reg(const char *name);
    T shift(T value, unsigned address = N - 1, bool enable = true);
    T read(unsigned address = N - 1) const;
};
