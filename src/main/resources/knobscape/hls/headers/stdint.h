#pragma once
#include <stddef.h>
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef signed char int_least8_t;
typedef unsigned char uint_least8_t;
typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
#define INT8_MAX 127
#define INT8_MIN (-INT8_MAX - 1)
#define UINT8_MAX 255
#define INT8_C(x) x
#define UINT8_C(x) x
#define PRId8 "hhd"
#define SCNd8 "hhd"
#define PRIi8 "hhi"
#define SCNi8 "hhi"
#define PRIu8 "hhu"
#define SCNu8 "hhu"
#define PRIx8 "hhx"
#define SCNx8 "hhx"
#define PRIX8 "hhX"
#define SCNX8 "hhX"
typedef short int16_t;
typedef unsigned short uint16_t;
typedef short int_least16_t;
typedef unsigned short uint_least16_t;
typedef short int_fast16_t;
typedef unsigned short uint_fast16_t;
#define INT16_MAX 32767
#define INT16_MIN (-INT16_MAX - 1)
#define UINT16_MAX 65535
#define INT16_C(x) x
#define UINT16_C(x) x
#define PRId16 "hd"
#define SCNd16 "hd"
#define PRIi16 "hi"
#define SCNi16 "hi"
#define PRIu16 "hu"
#define SCNu16 "hu"
#define PRIx16 "hx"
#define SCNx16 "hx"
#define PRIX16 "hX"
#define SCNX16 "hX"
typedef int int32_t;
typedef unsigned int uint32_t;
typedef int int_least32_t;
typedef unsigned int uint_least32_t;
typedef int int_fast32_t;
typedef unsigned int uint_fast32_t;
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295U
#define INT32_C(x) x
#define UINT32_C(x) x##U
#define PRId32 "d"
#define SCNd32 "d"
#define PRIi32 "i"
#define SCNi32 "i"
#define PRIu32 "u"
#define SCNu32 "u"
#define PRIx32 "x"
#define SCNx32 "x"
#define PRIX32 "X"
#define SCNX32 "X"
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long int_least64_t;
typedef unsigned long uint_least64_t;
typedef long int_fast64_t;
typedef unsigned long uint_fast64_t;
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615UL
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define PRId64 "ld"
#define SCNd64 "ld"
#define PRIi64 "li"
#define SCNi64 "li"
#define PRIu64 "lu"
#define SCNu64 "lu"
#define PRIx64 "lx"
#define SCNx64 "lx"
#define PRIX64 "lX"
#define SCNX64 "lX"
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long ssize_t;
typedef unsigned int uint;
#define SIZE_MAX UINT64_MAX
#ifdef __cplusplus
namespace std {
using ::int8_t; using ::uint8_t;
using ::int_least8_t; using ::uint_least8_t;
using ::int_fast8_t; using ::uint_fast8_t;
using ::int16_t; using ::uint16_t;
using ::int_least16_t; using ::uint_least16_t;
using ::int_fast16_t; using ::uint_fast16_t;
using ::int32_t; using ::uint32_t;
using ::int_least32_t; using ::uint_least32_t;
using ::int_fast32_t; using ::uint_fast32_t;
using ::int64_t; using ::uint64_t;
using ::int_least64_t; using ::uint_least64_t;
using ::int_fast64_t; using ::uint_fast64_t;
using ::intptr_t; using ::uintptr_t;
}
#endif
