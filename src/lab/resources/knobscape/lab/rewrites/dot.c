void dot(const double a[256], const double b[256], double out[1]) {
    double sum = 0;
    for (int i = 0; i < 256; i++) {
        sum += a[i] * b[i];
    }
    out[0] = sum;
}
