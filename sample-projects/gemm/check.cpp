// g++ -I. check.cpp gemm.cpp -o check && ./check
#include "gemm.h"
#include <cmath>
#include <cstdio>

static element_t a[ROWS][INNER], b[INNER][COLUMNS], c[ROWS][COLUMNS];

int main() {
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < INNER; k++) a[i][k] = (i * 7 + k * 3) % 11 - 5;
    for (int k = 0; k < INNER; k++)
        for (int j = 0; j < COLUMNS; j++) b[k][j] = (k * 5 + j) % 13 - 6;
    gemm(a, b, c);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double want = 0;
            for (int k = INNER - 1; k >= 0; k--) want += (double)a[i][k] * b[k][j];
            if (std::fabs(want - c[i][j]) > 1e-3) {
                std::printf("gemm: c[%d][%d] is %g, expected %g\n", i, j, c[i][j], want);
                return 1;
            }
        }
    std::puts("gemm: ok");
    return 0;
}
