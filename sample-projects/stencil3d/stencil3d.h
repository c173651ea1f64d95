#ifndef KNOBSCAPE_STENCIL3D_H
#define KNOBSCAPE_STENCIL3D_H

enum { PLANES = 32, LINES = 32, POINTS = 16 };

typedef int cell_t;

// One Jacobi step of a seven-point stencil; the faces of the box keep their values.
// weights[0] belongs to the centre, weights[1] to its six neighbours.
void stencil3d(const cell_t before[PLANES][LINES][POINTS], cell_t after[PLANES][LINES][POINTS], const cell_t weights[2]);

#endif
