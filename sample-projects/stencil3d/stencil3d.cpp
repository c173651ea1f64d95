#include "stencil3d.h"

// The six faces of the box are carried over unchanged.
static void copy_faces(const cell_t before[PLANES][LINES][POINTS], cell_t after[PLANES][LINES][POINTS]) {
face_z:
    for (int y = 0; y < LINES; y++) {
        for (int x = 0; x < POINTS; x++) {
            after[0][y][x] = before[0][y][x];
            after[PLANES - 1][y][x] = before[PLANES - 1][y][x];
        }
    }
face_y:
    for (int z = 1; z < PLANES - 1; z++) {
        for (int x = 0; x < POINTS; x++) {
            after[z][0][x] = before[z][0][x];
            after[z][LINES - 1][x] = before[z][LINES - 1][x];
        }
    }
face_x:
    for (int z = 1; z < PLANES - 1; z++) {
        for (int y = 1; y < LINES - 1; y++) {
            after[z][y][0] = before[z][y][0];
            after[z][y][POINTS - 1] = before[z][y][POINTS - 1];
        }
    }
}

void stencil3d(const cell_t before[PLANES][LINES][POINTS], cell_t after[PLANES][LINES][POINTS], const cell_t weights[2]) {
    const cell_t centre = weights[0];
    const cell_t side = weights[1];

    copy_faces(before, after);

plane:
    for (int z = 1; z < PLANES - 1; z++) {
    line:
        for (int y = 1; y < LINES - 1; y++) {
        point:
            for (int x = 1; x < POINTS - 1; x++) {
                cell_t neighbours = before[z - 1][y][x] + before[z + 1][y][x]
                                  + before[z][y - 1][x] + before[z][y + 1][x]
                                  + before[z][y][x - 1] + before[z][y][x + 1];
                after[z][y][x] = centre * before[z][y][x] + side * neighbours;
            }
        }
    }
}
