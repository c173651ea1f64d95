/* %s, computed as it is defined. The error of an element is its distance from this divided by the sum of the magnitudes of its terms. */
#ifndef KNOBSCAPE_REFERENCE_H
#define KNOBSCAPE_REFERENCE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KS_TOLERANCE %s
#define KS_FLOP %d.0
#define KS_POSITIVE %d

%s
/* Random numbers for inputs, of magnitude 0.5 to 1 and either sign (positive where a function needs it); not-a-numbers for what will be written. */
static float *ks_fill(const ks_buffer *buffer) {
  static unsigned state = 12345;
  float *values = (float *)malloc(buffer->floats * sizeof(float));
  if (!values) {
    fprintf(stderr, "not enough memory\n");
    exit(1);
  }
  for (size_t i = 0; i < buffer->floats; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = buffer->role >= KS_OUTPUT ? NAN : (0.5f + 0.5f * (float)(state >> 9) / 8388608.0f) * (state & 256u || KS_POSITIVE ? 1.0f : -1.0f);
  }
  return values;
}

/* Compares at most 2000 elements, prints the verdict and the time, and gives the exit status. */
static int ks_report(float **host, double milliseconds) {
  const size_t count = ks_buffers[KS_OUTPUT_BUFFER].floats;
  const size_t step = count / 2000 + 1;
  double worst = 0;
  for (size_t i = 0; i < count; ++i) {
    if (isnan(host[KS_OUTPUT_BUFFER][i])) {
      worst = INFINITY;
    }
  }
  for (size_t i = 0; i < count; i += step) {
    double scale;
    double expected = ks_reference(host, i, &scale);
    double distance = fabs(host[KS_OUTPUT_BUFFER][i] - expected);
    double error = distance == 0 ? 0 : distance / scale;
    worst = error > worst ? error : worst;
  }
  printf("%%s: largest error %%.3g (allowed %%g), %%.4f ms, %%.1f GFLOPS\n", worst <= KS_TOLERANCE ? "right" : "WRONG", worst, KS_TOLERANCE, milliseconds,
         KS_FLOP / milliseconds * 1e-6);
  return worst <= KS_TOLERANCE ? 0 : 1;
}
#endif
