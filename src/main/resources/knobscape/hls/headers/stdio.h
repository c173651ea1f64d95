#pragma once
#include <stddef.h>
typedef struct knobscape_file FILE;
#define stdin ((FILE *) 0)
#define stdout ((FILE *) 0)
#define stderr ((FILE *) 0)
#define EOF (-1)
#ifdef __cplusplus
extern "C" {
#endif
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t n, const char *format, ...);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
FILE *fopen(const char *name, const char *mode);
int fclose(FILE *file);
size_t fread(void *to, size_t size, size_t n, FILE *file);
size_t fwrite(const void *from, size_t size, size_t n, FILE *file);
int puts(const char *text);
int putchar(int c);
int getchar(void);
char *fgets(char *to, int n, FILE *file);
int fputs(const char *text, FILE *file);
int fputc(int c, FILE *file);
int fflush(FILE *file);
#ifdef __cplusplus
}
namespace std { using ::printf; using ::fprintf; using ::sprintf; using ::snprintf; using ::fputs; using ::fputc; using ::puts; using ::putchar; using ::fflush; using ::fopen; using ::fclose; using ::FILE; }
#endif
