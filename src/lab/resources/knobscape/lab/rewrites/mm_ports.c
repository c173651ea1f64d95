void mm_ports(const float a[32][32], const float b[32][32], float c[32][32]) {
#pragma HLS INTERFACE m_axi port=a bundle=one
#pragma HLS INTERFACE m_axi port=b bundle=two
#pragma HLS INTERFACE m_axi port=c bundle=three
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 32; j++) {
            float sum = 0;
            for (int k = 0; k < 32; k++) {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
}
