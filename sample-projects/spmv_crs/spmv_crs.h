#ifndef KNOBSCAPE_SPMV_CRS_H
#define KNOBSCAPE_SPMV_CRS_H

const int SIZE = 256;       // the matrix is SIZE x SIZE
const int STORED = 2048;    // entries kept of it
const int LONGEST_ROW = 24; // no row holds more
const int MEAN_ROW = STORED / SIZE;

typedef double value_t;
typedef unsigned short index_t;

// result = matrix * vector; row r holds the entries row_start[r] .. row_start[r + 1] - 1.
void spmv_crs(const value_t entry[STORED], const index_t column[STORED], const index_t row_start[SIZE + 1],
              const value_t vector[SIZE], value_t result[SIZE]);

#endif
