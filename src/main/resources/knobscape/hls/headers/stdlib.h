#pragma once
#include <stddef.h>
#include <stdint.h>
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#ifdef __cplusplus
extern "C" {
#endif
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t size);
int posix_memalign(void **p, size_t alignment, size_t size);
void free(void *p);
void exit(int status);
void abort(void);
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
int rand(void);
void srand(unsigned int seed);
int abs(int x);
long labs(long x);
void qsort(void *a, size_t n, size_t size, int (*compare)(const void *, const void *));
char *getenv(const char *name);
int system(const char *command);
#ifdef __cplusplus
}
namespace std { using ::malloc; using ::calloc; using ::realloc; using ::free; using ::exit; using ::abort; using ::rand; using ::srand; using ::abs; using ::labs; using ::atoi; using ::atol; using ::atof; using ::qsort; using ::getenv; using ::system; }
#endif
