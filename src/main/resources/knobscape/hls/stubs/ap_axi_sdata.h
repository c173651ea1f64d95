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
namespace hls {
template<class T, int U = 0, int TI = 0, int TD = 0> struct axis {
    T data; ap_uint<8> keep; ap_uint<8> strb; ap_uint<(U > 0 ? U : 1)> user; ap_uint<1> last; ap_uint<(TI > 0 ? TI : 1)> id;
    ap_uint<(TD > 0 ? TD : 1)> dest;
};
template<class T> using axis_data = axis<T>;
}
