// A CUDA driver without a GPU: the functions of the driver's interface that the program calls, on the CPU's memory, for kernels compiled by the nvcc beside it. Where the environment variable
// EMULATED_CUDA_FAILS_AT is N, every Nth launch of a process fails as a kernel does that writes where it must not: the context is lost with it. Used by tests.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <string>

typedef int Result;
typedef unsigned long long Address;

static const Result OK = 0, INVALID = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 101, NO_CONTEXT = 201, NOT_PTX = 218, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700;
static bool context;
static int launches;

#define NEEDS_CONTEXT if (!context) return NO_CONTEXT

extern "C" {
Result cuInit(unsigned) { return OK; }
Result cuDriverGetVersion(int* version) { *version = 12060; return OK; }
Result cuDeviceGetCount(int* count) { *count = 1; return OK; }
Result cuDeviceGet(int* device, int index) { *device = 0; return index == 0 ? OK : NO_DEVICE; }
Result cuDeviceGetName(char* name, int length, int) { snprintf(name, length, "Emulated GPU"); return OK; }
Result cuDeviceGetAttribute(int* value, int what, int) {
    switch (what) {
        case 1: case 2: case 3: *value = 1024; return OK;      // threads of a block, along x and y
        case 4: *value = 64; return OK;                        // along z
        case 5: *value = 2147483647; return OK;                // blocks along x
        case 6: case 7: *value = 65535; return OK;             // along y and z
        case 8: *value = 49152; return OK;                     // bytes of shared memory
        case 38: *value = 1 << 20; return OK;                  // bytes of L2
        case 39: *value = 2048; return OK;                     // threads of a multiprocessor
        case 81: *value = 233472; return OK;                   // its bytes of shared memory
        case 82: *value = 65536; return OK;                    // its registers
        case 106: *value = 32; return OK;                      // its blocks
        case 111: *value = 1024; return OK;                    // bytes of shared memory the system takes of each
        case 33: case 34: case 50: *value = 0; return OK;      // place on the bus
        case 75: *value = 9; return OK;                        // compute capability
        case 76: *value = 0; return OK;
        default: return INVALID;
    }
}
Result cuCtxCreate_v2(void** c, unsigned, int) { *c = &context; context = true; return OK; }
Result cuCtxDestroy_v2(void*) { context = false; return OK; }
Result cuCtxSynchronize() { NEEDS_CONTEXT; return OK; }
Result cuMemAlloc_v2(Address* p, size_t bytes) { NEEDS_CONTEXT; *p = (Address) malloc(bytes); return *p ? OK : OUT_OF_MEMORY; }
Result cuMemFree_v2(Address p) { NEEDS_CONTEXT; free((void*) p); return OK; }
Result cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) { NEEDS_CONTEXT; memcpy((void*) to, from, bytes); return OK; }
Result cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) { NEEDS_CONTEXT; memcpy(to, (void*) from, bytes); return OK; }
Result cuMemsetD32_v2(Address p, unsigned value, size_t words) {
    NEEDS_CONTEXT;
    for (size_t i = 0; i < words; i++) ((unsigned*) p)[i] = value;
    return OK;
}
Result cuModuleLoadData(void** module, const void* ptx) {
    NEEDS_CONTEXT;
    const char* mark = strstr((const char*) ptx, "//library ");
    if (!mark) return NOT_PTX;
    std::string path(mark + 10);
    *module = dlopen(path.substr(0, path.find('\n')).c_str(), RTLD_NOW | RTLD_LOCAL);
    return *module ? OK : NOT_PTX;
}
Result cuModuleUnload(void* module) { NEEDS_CONTEXT; dlclose(module); return OK; }
Result cuModuleGetFunction(void** function, void* module, const char* name) {
    *function = dlsym(module, (std::string("start_") + name).c_str());
    return *function ? OK : NOT_FOUND;
}
Result cuFuncGetAttribute(int* value, int what, void*) {
    switch (what) {
        case 1: *value = 256; return OK;   // bytes of shared memory
        case 3: *value = 16; return OK;    // of local memory
        case 4: *value = 40; return OK;    // registers
        default: return INVALID;
    }
}
Result cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned, void*, void** parameters, void**) {
    NEEDS_CONTEXT;
    const char* fails = getenv("EMULATED_CUDA_FAILS_AT");
    if (fails && ++launches % atoi(fails) == 0) {
        context = false;
        return ILLEGAL_ADDRESS;
    }
    if ((size_t) bx * by * bz > 1024 || gx == 0 || gy == 0 || gz == 0 || gy > 65535 || gz > 65535) return INVALID;
    unsigned sizes[] = {gx, gy, gz, bx, by, bz};
    ((void (*)(void**, unsigned*)) function)(parameters, sizes);
    return OK;
}
Result cuEventCreate(void** event, unsigned) { NEEDS_CONTEXT; *event = calloc(1, sizeof(timespec)); return OK; }
Result cuEventDestroy_v2(void* event) { NEEDS_CONTEXT; free(event); return OK; }
Result cuEventRecord(void* event, void*) { NEEDS_CONTEXT; clock_gettime(CLOCK_MONOTONIC, (timespec*) event); return OK; }
Result cuEventElapsedTime(float* milliseconds, void* from, void* to) {
    timespec *a = (timespec*) from, *b = (timespec*) to;
    *milliseconds = (float) ((b->tv_sec - a->tv_sec) * 1e3 + (b->tv_nsec - a->tv_nsec) * 1e-6);
    return OK;
}
}
