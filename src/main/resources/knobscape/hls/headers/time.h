#pragma once
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
#define CLOCKS_PER_SEC 1000000L
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };
#ifdef __cplusplus
extern "C" {
#endif
time_t time(time_t *to);
clock_t clock(void);
int gettimeofday(struct timeval *to, void *zone);
#ifdef __cplusplus
}
namespace std { using ::time_t; using ::clock_t; using ::time; using ::clock; }
#endif
