// Sparse matrix times vector, every row padded to the same number of entries (ELLPACK).
#include "spmv_ellpack.h"

#define AT(row, slot) ((row) * WIDTH + (slot))

static value_t multiply_add(value_t sum, value_t weight, value_t x) {
    value_t product = weight * x;
    return sum + product;
}

void spmv_ellpack(const value_t entry[SIZE * WIDTH], const index_t column[SIZE * WIDTH], const value_t vector[SIZE], value_t result[SIZE]) {
    value_t x[SIZE];

    // entries reach the vector in any order, so it is kept on chip
load_vector:
    for (int i = 0; i < SIZE; ++i)
        x[i] = vector[i];

rows:
    for (int r = 0; r < SIZE; ++r) {
        value_t sum = 0.0f;
    slots:
        for (int s = 0; s < WIDTH; ++s)
            sum = multiply_add(sum, entry[AT(r, s)], x[column[AT(r, s)]]);
        result[r] = sum;
    }
}
