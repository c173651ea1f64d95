#pragma once
#include <stddef.h>
namespace hls {
template<class T, size_t N> struct vector {
    vector();
    template<class U> vector(U value);
    T &operator[](size_t i);
    const T &operator[](size_t i) const;
    static constexpr int size() { return N; }
    T reduce_add() const;
    T *begin();
    T *end();
};
}
