#pragma once
#include <ap_fixed.h>
#include <complex>
#include <hls_stream.h>
#include <hls_vector.h>
namespace hls {
namespace ip_fft {
enum arch { radix_4_burst_io, radix_2_burst_io, pipelined_streaming_io, radix_2_lite_burst_io };
enum ordering { natural_order, bit_reversed_order, digit_reversed_order };
enum rounding { truncation, convergent_rounding };
enum scaling { unscaled, scaled, block_floating_point };
enum mem { block_ram, distributed_ram };
enum opt { use_luts, use_mults_resources, use_mults_performance, use_xtremedsp_slices };
enum type { fixed_point, floating_point };
struct params_t { };
struct ssr_params_t : params_t { };
template<class kn_C> struct config_t { void setDir(bool inverse); bool getDir(); void setSch(unsigned scaling); unsigned getSch(); void setNfft(unsigned length); unsigned getNfft(); };
template<class kn_C> struct status_t { unsigned getBlkExp(); unsigned getOvflo(); };
}
template<class kn_C, class... kn_A> void fft(kn_A &&...arguments);
}
