// Stand-ins for the words of CUDA C that kernels of this program use, so that a C++ compiler makes them run on a CPU: each thread of a block is a
// context of its own, a barrier hands over to the next one, and shared arrays are static. Used by tests.
#include <math.h>
#include <stdlib.h>
#include <ucontext.h>
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(n)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
static inline int __dp4a(int a, int b, int c) {
    for (int bit = 0; bit < 32; bit += 8) c += (signed char)(a >> bit) * (signed char)(b >> bit);
    return c;
}
struct float1 { float x; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct Index { unsigned x, y, z; };
static Index blockIdx, threadIdx;
static ucontext_t scheduler, *threads;
static int current, *done;
static void (*kernel)();
static void __syncthreads() { swapcontext(&threads[current], &scheduler); }
static void thread() { kernel(); done[current] = 1; }
static void launch(void (*body)(), Index grid, Index block) {
    const size_t stack = 256 << 10;
    int count = block.x * block.y * block.z;
    threads = (ucontext_t*) calloc(count, sizeof(ucontext_t));
    done = (int*) calloc(count, sizeof(int));
    char* stacks = (char*) malloc(count * stack);
    kernel = body;
    for (unsigned b = 0; b < grid.x * grid.y * grid.z; b++) {
        blockIdx = Index{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
        for (int t = 0; t < count; t++) {
            getcontext(&threads[t]);
            threads[t].uc_stack.ss_sp = stacks + t * stack;
            threads[t].uc_stack.ss_size = stack;
            threads[t].uc_link = &scheduler;
            makecontext(&threads[t], thread, 0);
            done[t] = 0;
        }
        for (int left = count; left > 0; ) {
            for (int t = 0; t < count; t++) {
                if (!done[t]) {
                    current = t;
                    threadIdx = Index{t % block.x, t / block.x % block.y, t / block.x / block.y};
                    swapcontext(&scheduler, &threads[t]);
                    left -= done[t];
                }
            }
        }
    }
    free(stacks);
    free(done);
    free(threads);
}
