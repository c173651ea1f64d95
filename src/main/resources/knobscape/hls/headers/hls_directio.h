#pragma once
#include <knobscape.h>
namespace hls {
// A wire with a handshake: a queue whose words its user sees one by one.
template<class T> struct directio {
    T element[1 << 16];
    KN directio() {}
    KN T read() { return element[__kn_rd(this)]; }
    KN void read(T &value) { value = read(); }
    KN bool read_nb(T &value) { bool some = __kn_poll(this); if (some) value = read(); return some; }
    KN void write(const T &value) { element[__kn_wr(this)] = value; }
    KN bool write_nb(const T &value) { write(value); return true; }
    KN bool valid() const { return __kn_poll(this); }
};
template<class T> using ap_hs = directio<T>;
template<class T> using ap_vld = directio<T>;
template<class T> using ap_ack = directio<T>;
template<class T> using ap_none = directio<T>;
template<class T> using robust_ack = directio<T>;
}
