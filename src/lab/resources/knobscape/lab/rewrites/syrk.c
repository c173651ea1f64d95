void syrk(const float a[32][32], float c[32][32]) {
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 32; j++) {
            for (int k = 0; k < 32; k++) {
                c[i][j] += a[i][k] * a[j][k];
            }
        }
    }
}
