// g++ -I. check.cpp spmv_crs.cpp -o check && ./check
#include "spmv_crs.h"
#include <cstdio>

static value_t dense[SIZE][SIZE], entry[STORED], vector[SIZE], result[SIZE];
static index_t column[STORED], row_start[SIZE + 1];

int main() {
    int stored = 0;
    for (int r = 0; r < SIZE; r++) {
        vector[r] = r % 9 - 4;
        row_start[r] = stored;
        int in_row = (r * 5) % 17; // 0 .. 16, mean 8
        for (int k = 0, c = r % 3; k < in_row && stored < STORED; k++, c += 1 + (r + k) % 15) {
            column[stored] = c % SIZE;
            entry[stored] = k - 3;
            dense[r][c % SIZE] += k - 3;
            stored++;
        }
    }
    row_start[SIZE] = stored;
    spmv_crs(entry, column, row_start, vector, result);
    for (int r = 0; r < SIZE; r++) {
        value_t want = 0;
        for (int c = 0; c < SIZE; c++) want += dense[r][c] * vector[c];
        if (want != result[r]) {
            std::printf("spmv_crs: row %d is %g, expected %g\n", r, result[r], want);
            return 1;
        }
    }
    std::puts("spmv_crs: ok");
    return 0;
}
