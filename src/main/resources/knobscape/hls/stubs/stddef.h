#pragma once
typedef unsigned long size_t;
typedef long ptrdiff_t;
#define NULL 0
#ifndef __cplusplus
typedef unsigned short wchar_t;
#endif
typedef char *va_list;
#ifdef __cplusplus
namespace std { using ::size_t; using ::ptrdiff_t; typedef decltype(nullptr) nullptr_t; }
#endif
