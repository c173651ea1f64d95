// C = A * B for M x K and K x N matrices in row-major order. A work item computes WPTM x WPTN elements of C from a
// tile of TM x TN elements that its work group computes together.
__kernel void gemm(const __global float* a, const __global float* b, __global float* c, int k_size)
{
    const int n_size = N;
    const int row0 = get_group_id(1) * TM + get_local_id(1) * WPTM;
    const int col0 = get_group_id(0) * TN + get_local_id(0) * WPTN;
    float sum[WPTM][WPTN];
    for (int i = 0; i < WPTM; i++)
        for (int j = 0; j < WPTN; j++)
            sum[i][j] = 0;
    for (int k = 0; k < k_size; k++) {
        for (int i = 0; i < WPTM; i++)
            for (int j = 0; j < WPTN; j++)
                sum[i][j] += a[(row0 + i) * k_size + k] * b[k * n_size + col0 + j];
    }
    for (int i = 0; i < WPTM; i++)
        for (int j = 0; j < WPTN; j++)
            c[(row0 + i) * n_size + col0 + j] = sum[i][j];
}

__kernel void plain(const __global float* a, const __global float* b, __global float* c, int k_size)
{
    const int i = get_global_id(1), j = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < k_size; k++)
        sum += a[i * k_size + k] * b[k * N + j];
    c[i * N + j] = sum;
}
