#ifndef KNOBSCAPE_SPMV_ELLPACK_H
#define KNOBSCAPE_SPMV_ELLPACK_H

#define SIZE 512 /* rows and columns */
#define WIDTH 12 /* stored entries of every row, padding included */

typedef float value_t;
typedef short index_t;

// result = matrix * vector; padding has the value 0 and may name any column.
void spmv_ellpack(const value_t entry[SIZE * WIDTH], const index_t column[SIZE * WIDTH], const value_t vector[SIZE], value_t result[SIZE]);

#endif
