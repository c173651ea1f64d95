#pragma once
#include <ap_int.h>
template<int kn_D, int kn_U = 0, int TI = 0, int TD = 0> struct ap_axis {
    ap_int<kn_D> data; ap_uint<(kn_D + 7) / 8> keep; ap_uint<(kn_D + 7) / 8> strb; ap_uint<(kn_U > 0 ? kn_U : 1)> user; ap_uint<1> last;
    ap_uint<(TI > 0 ? TI : 1)> id; ap_uint<(TD > 0 ? TD : 1)> dest;
};
template<int kn_D, int kn_U = 0, int TI = 0, int TD = 0> struct ap_axiu {
    ap_uint<kn_D> data; ap_uint<(kn_D + 7) / 8> keep; ap_uint<(kn_D + 7) / 8> strb; ap_uint<(kn_U > 0 ? kn_U : 1)> user; ap_uint<1> last;
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
template<int kn_B, int kn_U, int TI, int TD> struct axis_sides {
    ap_uint<kn_B> keep; ap_uint<kn_B> strb; ap_uint<(kn_U > 0 ? kn_U : 1)> user; ap_uint<1> last; ap_uint<(TI > 0 ? TI : 1)> id; ap_uint<(TD > 0 ? TD : 1)> dest;
    KN ap_uint<kn_B> get_keep() const { return keep; }
    KN void set_keep(ap_uint<kn_B> value) { keep = value; }
    KN ap_uint<kn_B> get_strb() const { return strb; }
    KN void set_strb(ap_uint<kn_B> value) { strb = value; }
    KN ap_uint<(kn_U > 0 ? kn_U : 1)> get_user() const { return user; }
    KN void set_user(ap_uint<(kn_U > 0 ? kn_U : 1)> value) { user = value; }
    KN bool get_last() const { return last.V != 0; }
    KN void set_last(bool value) { last = value; }
    KN void keep_all() { keep = -1; strb = -1; }
};
template<class kn_T, int kn_U = 0, int TI = 0, int TD = 0, int kn_E = AXIS_ENABLE_ALL, bool kn_S = false> struct axis : axis_sides<sizeof(kn_T), kn_U, TI, TD> {
    kn_T data;
    KN kn_T get_data() const { return data; }
    KN void set_data(const kn_T &value) { data = value; }
};
template<int kn_U, int TI, int TD, int kn_E, bool kn_S> struct axis<void, kn_U, TI, TD, kn_E, kn_S> : axis_sides<1, kn_U, TI, TD> { };
template<class kn_T, int kn_E = AXIS_ENABLE_ALL> using axis_data = axis<kn_T, 0, 0, 0, kn_E>;
template<int kn_U, int kn_E = AXIS_ENABLE_ALL> using axis_user = axis<void, kn_U, 0, 0, kn_E>;
}
