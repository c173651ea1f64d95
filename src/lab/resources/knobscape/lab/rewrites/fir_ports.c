void fir_ports(const int x[272], const int h[16], int y[256]) {
#pragma HLS INTERFACE m_axi port=x bundle=one
#pragma HLS INTERFACE m_axi port=h bundle=two
#pragma HLS INTERFACE m_axi port=y bundle=three
    for (int n = 0; n < 256; n++) {
        int sum = 0;
        for (int k = 0; k < 16; k++) {
            sum += h[k] * x[n + k];
        }
        y[n] = sum;
    }
}
