#pragma once
#include <stddef.h>
namespace hls {
template<class kn_T> struct burst_maxi {
    burst_maxi(kn_T *p);
    void read_request(size_t offset, size_t length);
    kn_T read();
    void write_request(size_t offset, size_t length);
    void write(const kn_T &value);
    void write_response();
    template<class kn_U> void read_request_unaligned(size_t offset, size_t length);
    template<class kn_U> void write_request_unaligned(size_t offset, size_t length);
    template<class kn_U> kn_U read();
    template<class kn_U> void write(const kn_U &value);
};
}
