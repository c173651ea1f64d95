// g++ -I. check.cpp sort_radix.cpp -o check && ./check
#include "sort_radix.h"
#include <algorithm>
#include <cstdio>
#include <vector>

static key_type keys[KEYS], other[KEYS];

int main() {
    unsigned state = 12345;
    for (int i = 0; i < KEYS; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = i % 5 == 0 ? state % 100 : state;
    }
    std::vector<key_type> want(keys, keys + KEYS);
    std::sort(want.begin(), want.end());
    sort_radix(keys, other);
    for (int i = 0; i < KEYS; i++)
        if (keys[i] != want[i]) {
            std::printf("sort_radix: key %d is %u, expected %u\n", i, keys[i], want[i]);
            return 1;
        }
    std::puts("sort_radix: ok");
    return 0;
}
