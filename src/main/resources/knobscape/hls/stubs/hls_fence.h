#pragma once
namespace hls {
template<class... T> void fence(const T &...what);
}
