#pragma once
namespace hls {
template<class T> struct directio {
    directio();
    T read();
    void read(T &value);
    bool read_nb(T &value);
    void write(const T &value);
    bool write_nb(const T &value);
    bool valid() const;
};
template<class T> using ap_hs = directio<T>;
template<class T> using ap_vld = directio<T>;
template<class T> using ap_ack = directio<T>;
template<class T> using ap_none = directio<T>;
template<class T> using robust_ack = directio<T>;
}
