#pragma once
#include <knobscape.h>
namespace hls {
template<class... kn_T> KN void fence(const kn_T &...) {}
}
