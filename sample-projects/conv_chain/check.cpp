// g++ -I. -I../check-support check.cpp conv_chain.cpp -o check && ./check
#include "conv_chain.h"
#include <algorithm>
#include <cstdio>

static pixel_t image[IN_CHANNELS][IN_SIDE][IN_SIDE], result[OUT_CHANNELS][OUT_SIDE][OUT_SIDE];
static weight_t first[MID_CHANNELS][IN_CHANNELS][WINDOW][WINDOW], second[OUT_CHANNELS][MID_CHANNELS][WINDOW][WINDOW];

// The value of one pixel after the first convolution, straight from the definition.
static int middle(int o, int y, int x) {
    int sum = 0;
    for (int t = 0; t < IN_CHANNELS * WINDOW * WINDOW; t++) {
        int i = t / 9, dy = t / 3 % 3, dx = t % 3;
        sum += (int)first[o][i][dy][dx] * (int)image[i][y + dy][x + dx];
    }
    return std::min(127, std::max(0, sum >> SHIFT));
}

static int expected(int o, int y, int x) {
    int sum = 0;
    for (int t = 0; t < MID_CHANNELS * WINDOW * WINDOW; t++) {
        int i = t / 9, py = y + t / 3 % 3, px = x + t % 3, largest = 0;
        for (int c = 0; c < 4; c++) largest = std::max(largest, middle(i, 2 * py + c / 2, 2 * px + c % 2));
        sum += (int)second[o][i][t / 3 % 3][t % 3] * largest;
    }
    return std::min(127, std::max(0, sum >> SHIFT));
}

int main() {
    unsigned state = 7;
    auto next = [&state] { return (int)((state = state * 1103515245u + 12345u) >> 16) % 64 - 24; };
    for (auto &plane : image) for (auto &line : plane) for (auto &p : line) p = next();
    for (auto &o : first) for (auto &i : o) for (auto &l : i) for (auto &w : l) w = next();
    for (auto &o : second) for (auto &i : o) for (auto &l : i) for (auto &w : l) w = next();
    conv_chain(image, first, second, result);
    bool varied = false;
    for (int o = 0; o < OUT_CHANNELS; o++)
        for (int y = 0; y < OUT_SIDE; y++)
            for (int x = 0; x < OUT_SIDE; x++) {
                int want = expected(o, y, x);
                varied = varied || (want > 0 && want < 127);
                if (result[o][y][x] != want) {
                    std::printf("conv_chain: %d,%d,%d is %d, expected %d\n", o, y, x, (int)result[o][y][x], want);
                    return 1;
                }
            }
    std::puts(varied ? "conv_chain: ok" : "conv_chain: the check's data is too tame");
    return varied ? 0 : 1;
}
