#pragma once
#include <knobscape.h>
namespace hls {
// A wire with a handshake: a queue whose words its user sees one by one.
template<class kn_T> struct directio {
    kn_T element[1 << 16];
    KN directio() {}
    KN kn_T read() { return element[__kn_rd(this)]; }
    KN void read(kn_T &value) { value = read(); }
    KN bool read_nb(kn_T &value) { bool some = __kn_poll(this); if (some) value = read(); return some; }
    KN void write(const kn_T &value) { element[__kn_wr(this)] = value; }
    KN bool write_nb(const kn_T &value) { write(value); return true; }
    KN bool valid() const { return __kn_poll(this); }
};
template<class kn_T> using ap_hs = directio<kn_T>;
template<class kn_T> using ap_vld = directio<kn_T>;
template<class kn_T> using ap_ack = directio<kn_T>;
template<class kn_T> using ap_none = directio<kn_T>;
template<class kn_T> using robust_ack = directio<kn_T>;
}
