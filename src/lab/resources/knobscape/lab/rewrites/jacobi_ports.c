void jacobi_ports(const float a[32][32], float b[32][32]) {
#pragma HLS INTERFACE m_axi port=a bundle=one
#pragma HLS INTERFACE m_axi port=b bundle=two
    for (int i = 1; i < 31; i++) {
        for (int j = 1; j < 31; j++) {
            b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        }
    }
}
