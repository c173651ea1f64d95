// Sparse matrix times vector, the matrix in compressed row storage.
#include "spmv_crs.h"

void spmv_crs(const value_t entry[STORED], const index_t column[STORED], const index_t row_start[SIZE + 1],
              const value_t vector[SIZE], value_t result[SIZE]) {
    value_t x[SIZE];
    // entries reach the vector in any order, so it is kept on chip
load_vector:
    for (int i = 0; i < SIZE; i++) {
#pragma HLS PIPELINE II=1
        x[i] = vector[i];
    }

each_row:
    for (int r = 0; r < SIZE; r++) {
        value_t sum = 0;
        for (int e = row_start[r]; e < row_start[r + 1]; e++) {
#pragma HLS loop_tripcount min=0 max=LONGEST_ROW avg=MEAN_ROW
            value_t product = entry[e] * x[column[e]];
            sum += product;
        }
        result[r] = sum;
    }
}
