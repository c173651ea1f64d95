// Host example: runs the kernels of kernels.cu on random data, compares the result with reference.h, and times them.
//   nvcc -O3 -arch=native main.cu -o run && ./run
#include "kernels.cu"
#include "launch.h"
#include "reference.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static const void *const functions[] = KS_FUNCTIONS;

static void check(cudaError_t status, const char *what) {
  if (status != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
  }
}

static void launch(int k, float **device) {
  const ks_kernel *kernel = &ks_kernels[k];
  void *arguments[KS_MAX_ARGUMENTS];
  for (int i = 0; i < kernel->arguments; ++i) {
    arguments[i] = &device[kernel->argument[i]];
  }
  dim3 grid(kernel->grid[0], kernel->grid[1], kernel->grid[2]);
  dim3 block(kernel->block[0], kernel->block[1], kernel->block[2]);
  check(cudaLaunchKernel(functions[k], grid, block, arguments, 0, 0), kernel->name);
}

int main(void) {
  float *host[KS_BUFFERS];
  float *device[KS_BUFFERS];
  for (int b = 0; b < KS_BUFFERS; ++b) {
    host[b] = ks_fill(b);
    check(cudaMalloc((void **)&device[b], ks_buffers[b].floats * sizeof(float)), "cudaMalloc");
    check(cudaMemcpy(device[b], host[b], ks_buffers[b].floats * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  for (int k = 0; k < KS_KERNELS; ++k) {
    if (ks_kernels[k].setup) {
      launch(k, device);
    }
  }
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  double best = 0;
  for (int run = 0; run < 20; ++run) {
    check(cudaEventRecord(start, 0), "cudaEventRecord");
    for (int k = 0; k < KS_KERNELS; ++k) {
      if (!ks_kernels[k].setup) {
        launch(k, device);
      }
    }
    check(cudaEventRecord(end, 0), "cudaEventRecord");
    check(cudaEventSynchronize(end), "kernels");
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, start, end), "cudaEventElapsedTime");
    best = run == 0 || milliseconds < best ? milliseconds : best;
  }
  check(cudaMemcpy(host[KS_OUTPUT_BUFFER], device[KS_OUTPUT_BUFFER], ks_buffers[KS_OUTPUT_BUFFER].floats * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return ks_report(host, best);
}
