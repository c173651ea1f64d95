/* A number with the scale of its rounding error, which follows every operation to first order. */
typedef struct { double value, scale; } ks_number;

static float **ks_host;

KS_UNUSED static ks_number ks_make(double value, double scale) {
  ks_number n;
  n.value = value;
  n.scale = scale;
  return n;
}

KS_UNUSED static ks_number ks_constant(double v) { return ks_make(v, fabs(v)); }
KS_UNUSED static ks_number ks_given(float v) { return ks_make(v, fabs(v)); }
KS_UNUSED static ks_number ks_add(ks_number a, ks_number b) { return ks_make(a.value + b.value, a.scale + b.scale); }
KS_UNUSED static ks_number ks_sub(ks_number a, ks_number b) { return ks_make(a.value - b.value, a.scale + b.scale); }
KS_UNUSED static ks_number ks_sum(ks_number a, ks_number b) { return ks_add(a, b); }
KS_UNUSED static ks_number ks_max(ks_number a, ks_number b) { return ks_make(a.value > b.value ? a.value : b.value, a.scale > b.scale ? a.scale : b.scale); }
KS_UNUSED static ks_number ks_min(ks_number a, ks_number b) { return ks_make(a.value < b.value ? a.value : b.value, a.scale > b.scale ? a.scale : b.scale); }

KS_UNUSED static ks_number ks_mul(ks_number a, ks_number b) {
  const double x = fabs(a.value), y = fabs(b.value);
  return ks_make(a.value * b.value, a.scale * y + x * b.scale - x * y);
}

KS_UNUSED static ks_number ks_div(ks_number a, ks_number b) {
  const double v = a.value / b.value;
  return ks_make(v, (a.scale + fabs(v) * b.scale) / fabs(b.value));
}

KS_UNUSED static ks_number ks_pow(ks_number a, ks_number b) {
  const double v = pow(a.value, b.value);
  return ks_make(v, fabs(v) * (1 + fabs(b.value) * a.scale / fabs(a.value) + fabs(log(fabs(a.value))) * b.scale));
}

KS_UNUSED static ks_number ks_function(double v, double slope, ks_number a) { return ks_make(v, fabs(v) + slope * a.scale); }
KS_UNUSED static ks_number ks_exp(ks_number a) { return ks_function(exp(a.value), exp(a.value), a); }
KS_UNUSED static ks_number ks_log(ks_number a) { return ks_function(log(a.value), 1 / fabs(a.value), a); }
KS_UNUSED static ks_number ks_sqrt(ks_number a) { return ks_function(sqrt(a.value), a.value > 0 ? 0.5 / sqrt(a.value) : 0, a); }
KS_UNUSED static ks_number ks_tanh(ks_number a) { return ks_function(tanh(a.value), 1, a); }
KS_UNUSED static ks_number ks_erf(ks_number a) { return ks_function(erf(a.value), 1.13, a); }
KS_UNUSED static ks_number ks_fabs(ks_number a) { return ks_function(fabs(a.value), 1, a); }
KS_UNUSED static ks_number ks_floor(ks_number a) { return ks_function(floor(a.value), 0, a); }
KS_UNUSED static ks_number ks_ceil(ks_number a) { return ks_function(ceil(a.value), 0, a); }
KS_UNUSED static ks_number ks_rint(ks_number a) { return ks_function(rint(a.value), 0, a); }
KS_UNUSED static ks_number ks_sin(ks_number a) { return ks_function(sin(a.value), 1, a); }
KS_UNUSED static ks_number ks_cos(ks_number a) { return ks_function(cos(a.value), 1, a); }

/* What a stage keeps; scales below 0 stand for what is not known yet. */
KS_UNUSED static ks_number *ks_known(ks_number *known, unsigned long long count) {
  if (!known) {
    known = (ks_number *)malloc((size_t)count * sizeof(ks_number));
    if (!known) {
      fprintf(stderr, "not enough memory\n");
      exit(1);
    }
    for (unsigned long long i = 0; i < count; ++i) {
      known[i] = ks_make(0, -1);
    }
  }
  return known;
}

