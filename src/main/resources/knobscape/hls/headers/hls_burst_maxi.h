#pragma once
#include <stddef.h>
namespace hls {
template<class T> struct burst_maxi {
    burst_maxi(T *p);
    void read_request(size_t offset, size_t length);
    T read();
    void write_request(size_t offset, size_t length);
    void write(const T &value);
    void write_response();
    template<class U> void read_request_unaligned(size_t offset, size_t length);
    template<class U> void write_request_unaligned(size_t offset, size_t length);
    template<class U> U read();
    template<class U> void write(const U &value);
};
}
