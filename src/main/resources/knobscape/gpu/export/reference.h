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
#define KS_UNIT "%s"

#ifndef KS_UNUSED
#if defined(__GNUC__)
#define KS_UNUSED __attribute__((unused))
#else
#define KS_UNUSED
#endif
#endif

/* The element at a place among 16-bit floats, two to a word; normal numbers and zero. */
KS_UNUSED static double ks_half(const float *words, long long at) {
  unsigned short h;
  memcpy(&h, (const char *)words + 2 * at, sizeof h);
  return h & 0x7fff ? (h >> 15 ? -1 : 1) * ldexp(1024 + (h & 1023), (h >> 10 & 31) - 25) : 0;
}

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

/* The 16-bit float of a number that is one. */
KS_UNUSED static unsigned short ks_make_half(double value) {
  int exponent;
  const double mantissa = frexp(fabs(value), &exponent);
  return (unsigned short)((value < 0 ? 0x8000 : 0) | (exponent + 14) << 10 | ((int)(mantissa * 2048) & 1023));
}

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
    if (buffer->integers == 2 && buffer->role < KS_OUTPUT) {
      unsigned short pair[2];
      for (int j = 0; j < 2; ++j) {
        const size_t at = 2 * i + (size_t)j;
        const unsigned g = ks_hash((unsigned)at * 0x9E3779B9u + start);
        const double size = (0.5 + (g >> 8 & 0x3ffu) / 2048.0) * (range->gain * (range->run ? factors[at / range->run %% range->turns %% 3] : 1));
        pair[j] = ks_make_half(g >> 31 ? -size : size);
      }
      memcpy(&values[i], pair, sizeof pair);
      continue;
    }
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
  printf("%%s: largest error %%.3g (allowed %%g) of %%d of %%.0f elements, %%.4f ms, %%.1f %%s\n", worst <= KS_TOLERANCE ? "right" : "WRONG", worst,
         KS_TOLERANCE, KS_COMPARED, (double)KS_ELEMENTS, milliseconds, KS_FLOP / milliseconds * 1e-6, KS_UNIT);
  return worst <= KS_TOLERANCE ? 0 : 1;
}
#endif
