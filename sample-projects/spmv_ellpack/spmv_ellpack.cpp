// Sparse matrix times vector, every row padded to the same number of entries (ELLPACK).
#include "spmv_ellpack.h"

#define AT(row, slot) ((row) * WIDTH + (slot))

static value_t multiply_add(value_t sum, value_t weight, value_t x) {
    return sum + weight * x;
}

void spmv_ellpack(const value_t entry[SIZE * WIDTH], const index_t column[SIZE * WIDTH], const value_t vector[SIZE], value_t result[SIZE]) {
rows:
    for (int r = 0; r < SIZE; ++r) {
        value_t sum = 0.0f;
    slots:
        for (int s = 0; s < WIDTH; ++s)
            sum = multiply_add(sum, entry[AT(r, s)], vector[column[AT(r, s)]]);
        result[r] = sum;
    }
}
