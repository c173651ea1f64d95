// g++ -I. check.cpp stencil3d.cpp -o check && ./check
#include "stencil3d.h"
#include <cstdio>

static cell_t before[PLANES][LINES][POINTS], after[PLANES][LINES][POINTS];

int main() {
    const int n[3] = {PLANES, LINES, POINTS};
    const cell_t weights[2] = {3, -2};
    cell_t *flat = &before[0][0][0], *result = &after[0][0][0];
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) flat[i] = (i * 37) % 101 - 50;
    stencil3d(before, after, weights);
    const int stride[3] = {n[1] * n[2], n[2], 1};
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        int at[3] = {i / stride[0], i / stride[1] % n[1], i % n[2]};
        bool face = false;
        cell_t around = 0;
        for (int d = 0; d < 3; d++) face = face || at[d] == 0 || at[d] == n[d] - 1;
        for (int d = 0; d < 3 && !face; d++) around += flat[i - stride[d]] + flat[i + stride[d]];
        cell_t want = face ? flat[i] : weights[0] * flat[i] + weights[1] * around;
        if (result[i] != want) {
            std::printf("stencil3d: cell %d,%d,%d is %d, expected %d\n", at[0], at[1], at[2], result[i], want);
            return 1;
        }
    }
    std::puts("stencil3d: ok");
    return 0;
}
