// Stand-ins for the part of CUDA's runtime that an exported host example uses, on the CPU's memory. Used by tests.
#pragma once
#include "cuda-on-a-cpu.h"
#include <string.h>
#include <time.h>
typedef int cudaError_t;
enum { cudaSuccess = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
typedef double *cudaEvent_t;
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x, unsigned y, unsigned z) : x(x), y(y), z(z) {}
};
static const char* cudaGetErrorString(cudaError_t) { return "failed"; }
static cudaError_t cudaMalloc(void** p, size_t bytes) { *p = aligned_alloc(64, (bytes + 63) / 64 * 64); return *p ? cudaSuccess : 2; }
static cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) { memcpy(to, from, bytes); return cudaSuccess; }
static cudaError_t cudaEventCreate(cudaEvent_t* e) { *e = (double*) malloc(sizeof(double)); return cudaSuccess; }
static cudaError_t cudaEventRecord(cudaEvent_t e, int) { *e = clock() * 1e3 / CLOCKS_PER_SEC; return cudaSuccess; }
static cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
static cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) { *ms = (float) (*end - *start); return cudaSuccess; }
static const void* started;
static float* given[8];
static cudaError_t start(const void* function, dim3 grid, dim3 block, void** arguments, int count) {
    if (count > 8) {
        return 1;
    }
    started = function;
    for (int i = 0; i < count; i++) {
        given[i] = *(float**) arguments[i];
    }
    // What a function does not take, it does not look at.
    launch([] { ((void (*)(float*, float*, float*, float*, float*, float*, float*, float*)) started)(given[0], given[1], given[2], given[3], given[4], given[5], given[6], given[7]); },
           Index{grid.x, grid.y, grid.z}, Index{block.x, block.y, block.z});
    return cudaSuccess;
}
// The runtime knows how many arguments a kernel has; here the example says so.
#define cudaLaunchKernel(function, grid, block, arguments, bytes, stream) start(function, grid, block, arguments, kernel->arguments)
