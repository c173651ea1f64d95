#ifndef KNOBSCAPE_CONV_CHAIN_H
#define KNOBSCAPE_CONV_CHAIN_H

#include "ap_int.h"

#define IN_SIDE 18
#define IN_CHANNELS 3
#define MID_CHANNELS 8
#define OUT_CHANNELS 8
#define WINDOW 3

#define MID_SIDE (IN_SIDE - WINDOW + 1)  /* 16 */
#define POOL_SIDE (MID_SIDE / 2)         /* 8 */
#define OUT_SIDE (POOL_SIDE - WINDOW + 1) /* 6 */

typedef ap_int<8> pixel_t;
typedef ap_int<8> weight_t;
typedef ap_int<24> sum_t;

const int SHIFT = 7; // sums are scaled by 2^-SHIFT before they become pixels again

// Convolution 3x3 with ReLU, 2x2 maximum pooling, convolution 3x3 with ReLU.
void conv_chain(const pixel_t image[IN_CHANNELS][IN_SIDE][IN_SIDE],
                const weight_t first[MID_CHANNELS][IN_CHANNELS][WINDOW][WINDOW],
                const weight_t second[OUT_CHANNELS][MID_CHANNELS][WINDOW][WINDOW],
                pixel_t result[OUT_CHANNELS][OUT_SIDE][OUT_SIDE]);

#endif
