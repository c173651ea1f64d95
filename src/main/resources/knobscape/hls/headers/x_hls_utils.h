#pragma once
// A register stage for what is given.
template <class T>
T reg(T x) {
    return x;
}
