// g++ -I. check.cpp spmv_ellpack.cpp -o check && ./check
#include "spmv_ellpack.h"
#include <cstdio>

static value_t entry[SIZE * WIDTH], vector[SIZE], result[SIZE], dense[SIZE][SIZE];
static index_t column[SIZE * WIDTH];

int main() {
    for (int r = 0; r < SIZE; r++) {
        vector[r] = r % 7 - 3;
        for (int s = 0; s < WIDTH; s++) {
            bool padding = s > r % WIDTH;
            int c = (r * 3 + s * s) % SIZE;
            column[r * WIDTH + s] = padding ? 0 : c;
            entry[r * WIDTH + s] = padding ? 0 : s + 1;
            if (!padding) dense[r][c] += s + 1;
        }
    }
    spmv_ellpack(entry, column, vector, result);
    for (int r = 0; r < SIZE; r++) {
        value_t want = 0;
        for (int c = 0; c < SIZE; c++) want += dense[r][c] * vector[c];
        if (want != result[r]) {
            std::printf("spmv_ellpack: row %d is %g, expected %g\n", r, result[r], want);
            return 1;
        }
    }
    std::puts("spmv_ellpack: ok");
    return 0;
}
