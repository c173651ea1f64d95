// A small chain of convolutional layers on 8-bit data.
#include "conv_chain.h"

// Scales a sum, cuts off what is negative (ReLU) and what does not fit a pixel.
static pixel_t activate(sum_t sum) {
    sum_t scaled = sum >> SHIFT;
    if (scaled < 0) {
        return 0;
    }
    return scaled > 127 ? pixel_t(127) : pixel_t(scaled);
}

static void first_layer(const pixel_t image[IN_CHANNELS][IN_SIDE][IN_SIDE],
                        const weight_t weights[MID_CHANNELS][IN_CHANNELS][WINDOW][WINDOW],
                        pixel_t maps[MID_CHANNELS][MID_SIDE][MID_SIDE]) {
first_out:
    for (int o = 0; o < MID_CHANNELS; o++) {
    first_row:
        for (int y = 0; y < MID_SIDE; y++) {
        first_column:
            for (int x = 0; x < MID_SIDE; x++) {
                sum_t sum = 0;
            first_in:
                for (int i = 0; i < IN_CHANNELS; i++) {
                    for (int dy = 0; dy < WINDOW; dy++) {
                        for (int dx = 0; dx < WINDOW; dx++) {
                            sum_t product = weights[o][i][dy][dx] * image[i][y + dy][x + dx];
                            sum += product;
                        }
                    }
                }
                maps[o][y][x] = activate(sum);
            }
        }
    }
}

static void pool(const pixel_t maps[MID_CHANNELS][MID_SIDE][MID_SIDE], pixel_t pooled[MID_CHANNELS][POOL_SIDE][POOL_SIDE]) {
pool_map:
    for (int m = 0; m < MID_CHANNELS; m++) {
    pool_row:
        for (int y = 0; y < POOL_SIDE; y++) {
        pool_column:
            for (int x = 0; x < POOL_SIDE; x++) {
                pixel_t upper = maps[m][2 * y][2 * x] > maps[m][2 * y][2 * x + 1] ? maps[m][2 * y][2 * x] : maps[m][2 * y][2 * x + 1];
                pixel_t lower = maps[m][2 * y + 1][2 * x] > maps[m][2 * y + 1][2 * x + 1] ? maps[m][2 * y + 1][2 * x] : maps[m][2 * y + 1][2 * x + 1];
                pooled[m][y][x] = upper > lower ? upper : lower;
            }
        }
    }
}

static void second_layer(const pixel_t pooled[MID_CHANNELS][POOL_SIDE][POOL_SIDE],
                         const weight_t weights[OUT_CHANNELS][MID_CHANNELS][WINDOW][WINDOW],
                         pixel_t result[OUT_CHANNELS][OUT_SIDE][OUT_SIDE]) {
second_out:
    for (int o = 0; o < OUT_CHANNELS; o++) {
    second_row:
        for (int y = 0; y < OUT_SIDE; y++) {
        second_column:
            for (int x = 0; x < OUT_SIDE; x++) {
                sum_t sum = 0;
            second_in:
                for (int i = 0; i < MID_CHANNELS; i++) {
                    for (int dy = 0; dy < WINDOW; dy++) {
                        for (int dx = 0; dx < WINDOW; dx++) {
                            sum_t product = weights[o][i][dy][dx] * pooled[i][y + dy][x + dx];
                            sum += product;
                        }
                    }
                }
                result[o][y][x] = activate(sum);
            }
        }
    }
}

void conv_chain(const pixel_t image[IN_CHANNELS][IN_SIDE][IN_SIDE],
                const weight_t first[MID_CHANNELS][IN_CHANNELS][WINDOW][WINDOW],
                const weight_t second[OUT_CHANNELS][MID_CHANNELS][WINDOW][WINDOW],
                pixel_t result[OUT_CHANNELS][OUT_SIDE][OUT_SIDE]) {
    pixel_t maps[MID_CHANNELS][MID_SIDE][MID_SIDE];
    pixel_t pooled[MID_CHANNELS][POOL_SIDE][POOL_SIDE];

    first_layer(image, first, maps);
    pool(maps, pooled);
    second_layer(pooled, second, result);
}
