void mvt(float x1[64], float x2[64], const float y1[64], const float y2[64], const float a[64][64]) {
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 64; j++) {
            x1[i] += a[i][j] * y1[j];
        }
    }
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 64; j++) {
            x2[i] += a[j][i] * y2[j];
        }
    }
}
