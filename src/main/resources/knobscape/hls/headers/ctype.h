#pragma once
#ifdef __cplusplus
#define KN_HERE __attribute__((always_inline, nodebug)) inline
extern "C" {
#else
#define KN_HERE __attribute__((always_inline, nodebug)) static inline
#endif
KN_HERE int isdigit(int c) { return c >= '0' && c <= '9'; }
KN_HERE int islower(int c) { return c >= 'a' && c <= 'z'; }
KN_HERE int isupper(int c) { return c >= 'A' && c <= 'Z'; }
KN_HERE int isalpha(int c) { return islower(c) || isupper(c); }
KN_HERE int isalnum(int c) { return isalpha(c) || isdigit(c); }
KN_HERE int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
KN_HERE int isprint(int c) { return c >= 32 && c < 127; }
KN_HERE int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
KN_HERE int tolower(int c) { return isupper(c) ? c + 32 : c; }
KN_HERE int toupper(int c) { return islower(c) ? c - 32 : c; }
#ifdef __cplusplus
}
namespace std { using ::isdigit; using ::islower; using ::isupper; using ::isalpha; using ::isalnum; using ::isspace; using ::isprint; using ::isxdigit; using ::tolower; using ::toupper; }
#endif
#undef KN_HERE
