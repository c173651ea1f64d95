#ifndef KNOBSCAPE_GEMM_H
#define KNOBSCAPE_GEMM_H

#define ROWS 64
#define COLUMNS 64
#define INNER 64

typedef float element_t;

// c = a * b
void gemm(const element_t a[ROWS][INNER], const element_t b[INNER][COLUMNS], element_t c[ROWS][COLUMNS]);

#endif
