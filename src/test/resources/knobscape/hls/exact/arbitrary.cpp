// Operators of ap_int, ap_uint, ap_fixed and ap_ufixed in one function of plain integers.
#include <ap_fixed.h>
#include <ap_int.h>

#define PUT(x) out[n++] = (long long)(x)

template<int W> struct Bits {
    static long long of(ap_int<W> v) {
        ap_int<W> r = v >> 1;
        return r.to_int64();
    }
};

void arbitrary(const long long in[8], const double real[4], long long out[160], double reals[40]) {
    int n = 0, m = 0;
    ap_int<13> a = in[0];
    ap_int<13> b = in[1];
    ap_uint<7> c = in[2];
    ap_uint<64> d = in[3];
    ap_int<40> e = in[4];
    ap_int<70> w = in[5];
    int i = in[6];
    unsigned char u = in[7];

    PUT(a); PUT(b); PUT(c); PUT(d); PUT(e);
    PUT((a + b)); PUT((a - b)); PUT((a * b)); PUT((a + c)); PUT((c - a)); PUT((c - c - 1)); PUT((c * a));
    PUT((a & b)); PUT((a | c)); PUT((a ^ c)); PUT(~a); PUT(~c); PUT(-a); PUT(-c); PUT(!a); PUT(+c);
    if (b != 0) { PUT((a / b)); PUT((a % b)); }
    if (c != 0) { PUT((a / c)); PUT((a % c)); PUT((e / c)); PUT((e % c)); }
    PUT((a << 3)); PUT((a >> 2)); PUT((c << 2)); PUT((c >> 1)); PUT((e << 30)); PUT((a >> -1)); PUT((a << -1));
    PUT((a < b)); PUT((a <= b)); PUT((a == b)); PUT((a != b)); PUT((a > c)); PUT((c >= a)); PUT((a < i)); PUT((c > i)); PUT((u == c));
    PUT((a + i)); PUT((c + u)); PUT((i - a)); PUT((a * u)); PUT((i & c)); PUT((a + 1)); PUT((1 - c));
    a += b; PUT(a);
    a *= 3; PUT(a);
    a -= c; PUT(a);
    a <<= 1; PUT(a);
    a >>= 2; PUT(a);
    a ^= 0x155; PUT(a);
    a++; PUT(a); ++c; PUT(c); PUT(a--); PUT(--c);
    i += a; PUT(i);
    PUT(a.range(6, 2)); PUT(a(12, 4)); PUT(a[3]); PUT(c.range(6, 0));
    a.range(7, 4) = 5; PUT(a);
    a[12] = 1; PUT(a);
    a(3, 0) = c(3, 0); PUT(a);
    c[0] = a[1]; PUT(c);
    w = w * e; PUT((w >> 20)); PUT(w);
    w += 1; PUT((w > e)); PUT((w == e)); PUT((w >> 60)); PUT(w.range(69, 60)); PUT((e * e * 3 >> 33));
    w.range(68, 61) = 0xA5; PUT((w >> 58)); PUT(-w); PUT(~w >> 3);
    PUT(Bits<5>::of(a)); PUT(Bits<33>::of(e)); PUT((bool)c ? 3 : 4); PUT((ap_int<5>)e); PUT(ap_uint<9>(a)); PUT(c.to_uint()); PUT(a.length());

    ap_fixed<16, 6> f = real[0];
    ap_fixed<16, 6> g = real[1];
    ap_ufixed<12, 3> h = real[2];
    ap_fixed<10, 4, AP_RND, AP_SAT> r = real[3];
    ap_fixed<10, 4, AP_TRN_ZERO, AP_SAT_SYM> z = real[3];
    ap_fixed<8, 3, AP_RND_CONV, AP_WRAP> k = real[0];
    ap_fixed<8, 3, AP_RND_INF, AP_SAT_ZERO> q = real[1];
    ap_fixed<8, 3, AP_RND_ZERO> rz = real[1];
    ap_fixed<8, 3, AP_RND_MIN_INF> rm = real[0];
    reals[m++] = f; reals[m++] = g; reals[m++] = h; reals[m++] = r; reals[m++] = z; reals[m++] = k; reals[m++] = q; reals[m++] = rz; reals[m++] = rm;
    reals[m++] = (f + g).to_double(); reals[m++] = (f - h).to_double(); reals[m++] = (f * g).to_double(); reals[m++] = (h * h).to_double();
    if (g != 0) reals[m++] = (f / g).to_double();
    if (h != 0) reals[m++] = (f / h).to_double();
    reals[m++] = (-f).to_double(); reals[m++] = (f >> 3).to_double(); reals[m++] = (f << 2).to_double(); reals[m++] = (f + 3).to_double();
    reals[m++] = (f * a).to_double(); reals[m++] = (2 * h).to_double(); reals[m++] = (double)f * 1.5; reals[m++] = f.to_float();
    f += g; reals[m++] = f; f *= g; reals[m++] = f; f -= h; reals[m++] = f; r = f * g; reals[m++] = r; z = f * 3; reals[m++] = z; k = h * h; reals[m++] = k;
    PUT((f < g)); PUT((f == g)); PUT((f >= 2)); PUT((h > f)); PUT((f > 0.5)); PUT(f.to_int()); PUT((int)g); PUT(f.range(9, 2)); PUT(f[15]);
    ap_int<9> t = f; PUT(t); t = g * 4; PUT(t);
    f = 1.25f; reals[m++] = f; f = e; reals[m++] = f;
}
