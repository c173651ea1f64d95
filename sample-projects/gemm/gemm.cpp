// Dense matrix product, one dot product per element of the result.
#include "gemm.h"

void gemm(const element_t a[ROWS][INNER], const element_t b[INNER][COLUMNS], element_t c[ROWS][COLUMNS]) {
row:
    for (int r = 0; r < ROWS; r++) {
    column:
        for (int col = 0; col < COLUMNS; col++) {
            element_t total = 0;
        dot:
            for (int k = 0; k < INNER; k++) {
                element_t product = a[r][k] * b[k][col];
                total += product;
            }
            c[r][col] = total;
        }
    }
}
