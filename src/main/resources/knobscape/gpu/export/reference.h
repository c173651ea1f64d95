/* %s, computed as it is defined. The error of an element is its distance from this divided by the sum of the magnitudes of its terms. */
#ifndef KNOBSCAPE_REFERENCE_H
#define KNOBSCAPE_REFERENCE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KS_TOLERANCE %s
#define KS_FLOP %d.0
#define KS_POSITIVE %d
#define KS_SEED %du
#define KS_AXES %d
#define KS_AT_AN_END %d
#define KS_ALL %d
#define KS_ELEMENTS %dull
#define KS_COMPARED %d
/* How far a right element may be off besides: half a unit where results are rounded to integers. */
#define KS_SLACK %s

%s
static unsigned ks_hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* How large values are: a gain, and 2, 8 and 0.5 times that by turns, each for so many neighbours (0: never), turns of which begin again. */
typedef struct { double gain; unsigned long long run, turns; } ks_range;
static const ks_range ks_ranges[KS_BUFFERS] = {
%s};

/* Integers of 8 bits are any; floats are inputs of magnitude 0.5 to 1 times their range, signs from the highest bit of a hash of the place (positive where a function needs it);
   not-a-numbers for what will be written. */
static float *ks_fill(int b) {
  static const double factors[] = {2, 8, 0.5};
  const ks_buffer *buffer = &ks_buffers[b];
  const ks_range *range = &ks_ranges[b];
  const unsigned start = ks_hash(KS_SEED + (unsigned)b);
  float *values = (float *)malloc(buffer->floats * sizeof(float));
  if (!values) {
    fprintf(stderr, "not enough memory\n");
    exit(1);
  }
  for (size_t i = 0; i < buffer->floats; ++i) {
    const unsigned h = ks_hash((unsigned)i * 0x9E3779B9u + start);
    const double magnitude = (0.5 + (h >> 8 & 0x7fffffu) / 16777216.0) * (range->gain * (range->run ? factors[i / range->run %% range->turns %% 3] : 1));
    if (buffer->integers && buffer->role < KS_OUTPUT) {
      memcpy(&values[i], &h, sizeof h);
      continue;
    }
    values[i] = buffer->role >= KS_OUTPUT ? NAN : (float)(h >> 31 && !KS_POSITIVE ? -magnitude : magnitude);
  }
  return values;
}

/* The i-th position that is compared, of KS_SAMPLE: the corners, KS_AT_AN_END elements at both ends of each axis, others by a hash over the whole range. */
static size_t ks_position(int i) {
  static const unsigned long long extents[KS_AXES + 1] = {%s 1};
  const int corners = 1 << KS_AXES, ends = 2 * KS_AXES * KS_AT_AN_END;
  size_t position = 0;
  if (KS_ALL) {
    return (size_t)i;
  }
  for (int a = 0; a < KS_AXES; ++a) {
    const int fixed = i < corners || (i < corners + ends && (i - corners) / KS_AT_AN_END / 2 == a);
    const int last = i < corners ? i >> a & 1 : (i - corners) / KS_AT_AN_END %% 2;
    const unsigned h = ks_hash(ks_hash(KS_SEED + (unsigned)i) + (unsigned)a);
    position = position * (size_t)extents[a] + (size_t)(fixed ? (last ? extents[a] - 1 : 0) : h %% extents[a]);
  }
  return position;
}

/* Compares the elements, prints the verdict and the time, and gives the exit status. */
static int ks_report(float **host, double milliseconds) {
  const float *output = host[KS_OUTPUT_BUFFER];
  double worst = 0;
  for (size_t i = 0; i < ks_buffers[KS_OUTPUT_BUFFER].floats; ++i) {
    if (!ks_buffers[KS_OUTPUT_BUFFER].integers && !isfinite(output[i])) {
      worst = INFINITY;
    }
  }
  for (int i = 0; i < KS_COMPARED; ++i) {
    double scale;
    const size_t position = ks_position(i);
    const double expected = ks_reference(host, position, &scale);
    const double distance = fmax(0, fabs(ks_output(output, position) - expected) - KS_SLACK);
    const double error = distance == 0 ? 0 : distance / scale;
    if (!(error <= worst)) {
      worst = isnan(error) ? INFINITY : error;
    }
  }
  printf("%%s: largest error %%.3g (allowed %%g) of %%d of %%.0f elements, %%.4f ms, %%.1f GFLOPS\n", worst <= KS_TOLERANCE ? "right" : "WRONG", worst,
         KS_TOLERANCE, KS_COMPARED, (double)KS_ELEMENTS, milliseconds, KS_FLOP / milliseconds * 1e-6);
  return worst <= KS_TOLERANCE ? 0 : 1;
}
#endif
