#pragma once
#include <knobscape.h>
// Words that move by one at every shift: here they stay, and the first of them moves.
template<class kn_T, unsigned kn_N = 32> class ap_shift_reg {
    kn_T cell[kn_N];
    unsigned first = 0;
    KN unsigned place(unsigned address) const { return first + address < kn_N ? first + address : first + address - kn_N; }
public:
    KN ap_shift_reg() {}
    KN ap_shift_reg(const char *) {}
    KN kn_T shift(kn_T value, unsigned address = kn_N - 1, bool enable = true) {
        kn_T old = cell[place(address)];
        if (enable) {
            first = first > 0 ? first - 1 : kn_N - 1;
            cell[first] = value;
        }
        return old;
    }
    KN kn_T read(unsigned address = kn_N - 1) const { return cell[place(address)]; }
};
