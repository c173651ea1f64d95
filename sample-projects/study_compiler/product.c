// A product of two matrices in tiles, timed and checked against plain loops. The macros are what the study chooses.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef TILE_I
#define TILE_I 16
#endif
#ifndef TILE_K
#define TILE_K 16
#endif
#ifndef UNROLL
#define UNROLL 1
#endif

enum { N = 384, ROUNDS = 3 };

static float a[N][N], b[N][N], c[N][N], plain[N][N];

static void product(void) {
    for (int ii = 0; ii < N; ii += TILE_I) {
        for (int kk = 0; kk < N; kk += TILE_K) {
            for (int i = ii; i < ii + TILE_I; i++) {
                for (int k = kk; k < kk + TILE_K; k++) {
                    float x = a[i][k];
                    for (int j = 0; j < N; j += UNROLL) {
                        for (int u = 0; u < UNROLL; u++) {
                            c[i][j + u] += x * b[k][j + u];
                        }
                    }
                }
            }
        }
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = (float)((i * 7 + j * 3) % 11) - 5;
            b[i][j] = (float)((i * 5 + j * 13) % 17) - 8;
        }
    }
    double best = 1e300;
    for (int r = 0; r < ROUNDS; r++) {
        memset(c, 0, sizeof c);
        double start = now();
        product();
        double time = now() - start;
        best = time < best ? time : best;
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            for (int j = 0; j < N; j++) {
                plain[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            if (fabsf(c[i][j] - plain[i][j]) > 0.5f) {
                printf("wrong at %d, %d: %f instead of %f\n", i, j, (double)c[i][j], (double)plain[i][j]);
                return 1;
            }
        }
    }
    printf("{\"time\": %.4f}\n", best);
    return 0;
}
