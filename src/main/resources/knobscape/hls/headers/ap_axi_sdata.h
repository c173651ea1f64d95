#pragma once
#include <ap_int.h>
template<int D, int U = 0, int TI = 0, int TD = 0> struct ap_axis {
    ap_int<D> data; ap_uint<(D + 7) / 8> keep; ap_uint<(D + 7) / 8> strb; ap_uint<(U > 0 ? U : 1)> user; ap_uint<1> last;
    ap_uint<(TI > 0 ? TI : 1)> id; ap_uint<(TD > 0 ? TD : 1)> dest;
};
template<int D, int U = 0, int TI = 0, int TD = 0> struct ap_axiu {
    ap_uint<D> data; ap_uint<(D + 7) / 8> keep; ap_uint<(D + 7) / 8> strb; ap_uint<(U > 0 ? U : 1)> user; ap_uint<1> last;
    ap_uint<(TI > 0 ? TI : 1)> id; ap_uint<(TD > 0 ? TD : 1)> dest;
};
#define AXIS_ENABLE_DATA 1
#define AXIS_ENABLE_DEST 2
#define AXIS_ENABLE_ID 4
#define AXIS_ENABLE_KEEP 8
#define AXIS_ENABLE_LAST 16
#define AXIS_ENABLE_STRB 32
#define AXIS_ENABLE_USER 64
#define AXIS_ENABLE_ALL 127
#define AXIS_DISABLE_ALL 0
namespace hls {
template<int B, int U, int TI, int TD> struct axis_sides {
    ap_uint<B> keep; ap_uint<B> strb; ap_uint<(U > 0 ? U : 1)> user; ap_uint<1> last; ap_uint<(TI > 0 ? TI : 1)> id; ap_uint<(TD > 0 ? TD : 1)> dest;
    KN ap_uint<B> get_keep() const { return keep; }
    KN void set_keep(ap_uint<B> value) { keep = value; }
    KN ap_uint<B> get_strb() const { return strb; }
    KN void set_strb(ap_uint<B> value) { strb = value; }
    KN ap_uint<(U > 0 ? U : 1)> get_user() const { return user; }
    KN void set_user(ap_uint<(U > 0 ? U : 1)> value) { user = value; }
    KN bool get_last() const { return last.V != 0; }
    KN void set_last(bool value) { last = value; }
    KN void keep_all() { keep = -1; strb = -1; }
};
template<class T, int U = 0, int TI = 0, int TD = 0, int E = AXIS_ENABLE_ALL, bool S = false> struct axis : axis_sides<sizeof(T), U, TI, TD> {
    T data;
    KN T get_data() const { return data; }
    KN void set_data(const T &value) { data = value; }
};
template<int U, int TI, int TD, int E, bool S> struct axis<void, U, TI, TD, E, S> : axis_sides<1, U, TI, TD> { };
template<class T, int E = AXIS_ENABLE_ALL> using axis_data = axis<T, 0, 0, 0, E>;
template<int U, int E = AXIS_ENABLE_ALL> using axis_user = axis<void, U, 0, 0, E>;
}
