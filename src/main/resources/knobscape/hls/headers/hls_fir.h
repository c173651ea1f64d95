#pragma once
#include <ap_fixed.h>
#include <hls_stream.h>
namespace hls {
namespace ip_fir {
enum filter_type { single_rate, interpolation, decimation, hilbert_filter, interpolated };
enum rate_change_type { integer, fixed_fractional };
enum chan_seq { basic, advanced };
enum quantization { integer_coefficients, quantize_only, maximize_dynamic_range, normalize_to_centre_coefficient };
enum structure { inferred, non_symmetric, symmetric, negative_symmetric, half_band };
struct params_t { };
}
template<class kn_C> struct FIR { template<class... kn_A> void run(kn_A &&...arguments); };
}
