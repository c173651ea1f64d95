#pragma once
#ifdef __cplusplus
extern "C" {
#define KN_QUIET noexcept
#define KN_BOOL bool
#else
#define KN_QUIET
#define KN_BOOL _Bool
#endif
typedef const volatile void *kn_place;
// A directive of the source: its number, the place of the variable that it names, its numbers.
void __kn_pragma(long number, kn_place variable, ...) KN_QUIET;
// The same again, as the estimate reads it: what a directive asks for, of the memory that it names.
void __kn_unroll(long factor) KN_QUIET;
void __kn_pipeline(long interval) KN_QUIET;
void __kn_flatten_off(void) KN_QUIET;
void __kn_trip(long least, long most, long mean) KN_QUIET;
void __kn_inline(long on) KN_QUIET;
void __kn_dataflow(void) KN_QUIET;
void __kn_part(kn_place memory, long kind, long factor, long dim) KN_QUIET;
void __kn_dep(kn_place memory, long kind) KN_QUIET;
void __kn_iface(kn_place memory, const char *mode, const char *bundle) KN_QUIET;
void __kn_storage(kn_place memory, const char *type, const char *impl) KN_QUIET;
void __kn_stream(kn_place memory, long depth) KN_QUIET;
void __kn_dim(kn_place memory, long size) KN_QUIET;
// Index of the element that a stream gives or takes next, and whether there is one.
long __kn_rd(const void *stream) KN_QUIET;
long __kn_wr(const void *stream) KN_QUIET;
KN_BOOL __kn_poll(const void *stream) KN_QUIET;
#ifdef __cplusplus
}
// In what the compiler works out by itself there is nothing to say.
#define KN_SAY(call) (__builtin_is_constant_evaluated() ? (void)0 : call)
#define __kn_pragma(...) KN_SAY(__kn_pragma(__VA_ARGS__))
#define __kn_unroll(...) KN_SAY(__kn_unroll(__VA_ARGS__))
#define __kn_pipeline(...) KN_SAY(__kn_pipeline(__VA_ARGS__))
#define __kn_flatten_off() KN_SAY(__kn_flatten_off())
#define __kn_trip(...) KN_SAY(__kn_trip(__VA_ARGS__))
#define __kn_inline(...) KN_SAY(__kn_inline(__VA_ARGS__))
#define __kn_dataflow(...) KN_SAY(__kn_dataflow(__VA_ARGS__))
#define __kn_part(...) KN_SAY(__kn_part(__VA_ARGS__))
#define __kn_dep(...) KN_SAY(__kn_dep(__VA_ARGS__))
#define __kn_iface(...) KN_SAY(__kn_iface(__VA_ARGS__))
#define __kn_storage(...) KN_SAY(__kn_storage(__VA_ARGS__))
#define __kn_stream(...) KN_SAY(__kn_stream(__VA_ARGS__))
#define __kn_dim(...) KN_SAY(__kn_dim(__VA_ARGS__))
// Code of these headers: without lines of its own, so that it counts for the line that uses it.
#define KN __attribute__((always_inline, nodebug)) inline
// The memory behind a name: where a pointer leads, else the variable itself.
template<class kn_T, unsigned long kn_N> KN kn_place __kn_at(kn_T (&a)[kn_N]) { return (kn_place)a; }
template<class kn_T> KN kn_place __kn_at(kn_T *&a) { return (kn_place)a; }
template<class kn_T> KN kn_place __kn_at(kn_T *const &a) { return (kn_place)a; }
template<class kn_T> KN kn_place __kn_at(kn_T &a) { return (kn_place)&reinterpret_cast<const volatile char &>(a); }
#define KN_AT(x) __kn_at(x)
// First size of the array that a type is, 0 for other types.
template<class kn_T> struct __kn_first { static constexpr long value = 0; };
template<class kn_T, unsigned long kn_N> struct __kn_first<kn_T[kn_N]> { static constexpr long value = kn_N; };
#define KN_FIRST(kn_T) (__kn_first<kn_T>::value)
// A function that runs beside the one that starts it, with its arguments: numbers as they are, objects by address.
extern "C" void kn_task(const void *function, ...) noexcept;
template<class kn_T> KN auto __kn_arg(kn_T &x) { if constexpr (__is_scalar(kn_T)) return x; else return &x; }
// What the compiler makes of a list in braces: part of the language, wherever it is written.
namespace std {
template<class kn_T> class initializer_list {
    const kn_T *first;
    unsigned long count;
public:
    KN constexpr initializer_list() : first(nullptr), count(0) {}
    KN constexpr unsigned long size() const { return count; }
    KN constexpr const kn_T *begin() const { return first; }
    KN constexpr const kn_T *end() const { return first + count; }
};
}
#else
#define KN_ROW(kn_T) (__builtin_choose_expr(__builtin_classify_type(*(kn_T *)0) == 5, *(kn_T *)0, (char *)0))
#define KN_FIRST(kn_T) ((long)(__builtin_classify_type(*(kn_T *)0) != 5 || __builtin_types_compatible_p(kn_T, __typeof__(*KN_ROW(kn_T)) *) ? 0 : sizeof(kn_T) / sizeof(*KN_ROW(kn_T))))
#define KN_AT(x) ((kn_place)__builtin_choose_expr(__builtin_classify_type(x) == 5, (x), &(x)))
#endif
