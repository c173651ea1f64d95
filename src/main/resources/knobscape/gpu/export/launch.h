/* %1$s
 * %2$s
 *
 * Kernels run in the order of ks_kernels; those with setup = 1 once, when the weights are known. Buffers hold 32-bit floats, or words of 32 bits:
 * %3$s */
#ifndef KNOBSCAPE_LAUNCH_H
#define KNOBSCAPE_LAUNCH_H
#include <stddef.h>

typedef enum { KS_DATA, KS_WEIGHT, KS_SCALE, KS_BIAS, KS_RESIDUAL, KS_INPUT, KS_OUTPUT, KS_PREPARED, KS_WORKSPACE } ks_role;
typedef struct { const char *name; ks_role role; size_t floats; int integers; } ks_buffer; /* integers: 0 for 32-bit floats, 1 for words of integers, 2 for pairs of 16-bit floats */
#define KS_MAX_ARGUMENTS 32
typedef struct { const char *name; unsigned grid[3]; unsigned block[3]; unsigned shared_bytes; int setup; int arguments; int argument[KS_MAX_ARGUMENTS]; } ks_kernel;

%4$s#define KS_BUFFERS %5$d
#define KS_KERNELS %6$d
#define KS_FUNCTIONS {%7$s}

static const ks_buffer ks_buffers[KS_BUFFERS] = {
%8$s};

static const ks_kernel ks_kernels[KS_KERNELS] = {
%9$s};
#endif
