// Stand-ins for the part of CUDA's mma.h and cuda_fp16.h that kernels of this program use. Every lane of a warp holds its own share of a fragment; the lanes put their
// shares together and take them apart again, and all of them must come to the same place. Used by tests.
#pragma once
#include <stdio.h>
#include <string.h>
#include <type_traits>
struct __half { unsigned short bits; };
static inline float half_value(__half h) {
    int exponent = h.bits >> 10 & 31, mantissa = h.bits & 1023;
    float v = exponent ? ldexpf(1024 + mantissa, exponent - 25) : ldexpf(mantissa, -24);
    return h.bits >> 15 ? -v : v;
}
static inline __half __float2half(float v) {
    if (v != 0) { fprintf(stderr, "only zero becomes a half here\n"); abort(); }
    return __half{0};
}
namespace nvcuda { namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    static_assert(M == 16 && N == 16 && K == 16, "fragments are 16 x 16 x 16");
    T x[8];
    bool known;
    fragment() : known(false) {}
};
static float matrices[32][3][256];
static size_t meeting[2][1024];
static int meetings[1024];
static int lane() { return current % 32; }
static void fail(const char* what) { fprintf(stderr, "wmma: %s\n", what); abort(); }
// Waits for all lanes of the warp; they must have come with fragments of the same name, which lie at the same place of their stacks, and with the same matrix.
static void meet(const void* fragment, const void* matrix) {
    // By turns, as the first lane comes to the next place before the last one has looked around.
    size_t* here = meeting[meetings[current]++ % 2];
    here[current] = (size_t) ((const char*) fragment - (const char*) threads[current].uc_stack.ss_sp) * 31 + (size_t) matrix;
    __syncthreads();
    for (int i = current / 32 * 32; i < current / 32 * 32 + 32; i++) {
        if (here[i] != here[current]) fail("lanes of a warp are at different places");
    }
}
static float number(float v) { return v; }
static float number(__half v) { return half_value(v); }
template <class T> static void check(const T* p, unsigned pitch) {
    if ((size_t) p % 32) fail("a matrix does not begin at a multiple of 32 bytes");
    if (pitch * sizeof(T) % 16) fail("rows of a matrix are no multiple of 16 bytes apart");
}
// Which element of a fragment a lane holds is nobody's business; rows and columns are mixed here.
static int element(int i) { return (i * 32 + lane()) * 37 % 256; }
template <class Use, class Layout> static void load_matrix_sync(fragment<Use, 16, 16, 16, __half, Layout>& f, const __half* p, unsigned pitch) {
    check(p, pitch);
    meet(&f, p);
    const bool rows = std::is_same<Layout, row_major>::value;
    for (int i = 0; i < 8; i++) {
        int e = element(i), r = e / 16, c = e % 16;
        f.x[i] = p[rows ? r * pitch + c : c * pitch + r];
    }
    f.known = true;
}
static void fill_fragment(fragment<accumulator, 16, 16, 16, float>& f, float v) {
    for (int i = 0; i < 8; i++) f.x[i] = v;
    f.known = true;
}
template <class F> static void put(const F& f, int which) {
    if (!f.known) fail("a fragment is read that holds nothing");
    for (int i = 0; i < 8; i++) matrices[current / 32][which][element(i)] = number(f.x[i]);
}
template <class L, class R> static void mma_sync(fragment<accumulator, 16, 16, 16, float>& d, const fragment<matrix_a, 16, 16, 16, __half, L>& a,
        const fragment<matrix_b, 16, 16, 16, __half, R>& b, const fragment<accumulator, 16, 16, 16, float>& c) {
    put(a, 0);
    put(b, 1);
    put(c, 2);
    meet(&d, nullptr);
    const auto& m = matrices[current / 32];
    for (int i = 0; i < 8; i++) {
        int e = element(i);
        float sum = m[2][e];
        for (int k = 0; k < 16; k++) sum += m[0][e / 16 * 16 + k] * m[1][k * 16 + e % 16];
        d.x[i] = sum;
    }
    d.known = true;
    __syncthreads();
}
static void store_matrix_sync(float* p, const fragment<accumulator, 16, 16, 16, float>& f, unsigned pitch, layout_t layout) {
    check(p, pitch);
    if (!f.known) fail("a fragment is stored that holds nothing");
    meet(&f, p);
    for (int i = 0; i < 8; i++) {
        int e = element(i), r = e / 16, c = e % 16;
        p[layout == mem_row_major ? r * pitch + c : c * pitch + r] = f.x[i];
    }
}
} }
