#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strtok(char *text, const char *marks);
char *strchr(const char *text, int c);
char *strstr(const char *text, const char *part);
#ifdef __cplusplus
}
namespace std { using ::memcpy; using ::memmove; using ::memset; using ::memcmp; using ::strlen; using ::strcmp; using ::strncmp; using ::strcpy; using ::strncpy; using ::strcat; }
#endif
