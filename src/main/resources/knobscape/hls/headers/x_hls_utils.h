#pragma once
// A register stage for what is given.
template <class kn_T>
kn_T reg(kn_T x) {
    return x;
}
