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
};
}
