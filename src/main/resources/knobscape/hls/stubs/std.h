#pragma once
#include <stddef.h>
#include <stdint.h>
namespace std {
struct string { string(); string(const char *text); const char *c_str() const; size_t size() const; string &operator+=(const string &s); };
string operator+(const string &a, const string &b);
string to_string(long x);
struct ostream { template<class T> ostream &operator<<(const T &value); ostream &operator<<(ostream &(*f)(ostream &)); };
struct istream { template<class T> istream &operator>>(T &value); bool eof() const; bool good() const; };
struct ofstream : ostream { ofstream(); ofstream(const char *name); void open(const char *name); void close(); bool is_open() const; };
struct ifstream : istream { ifstream(); ifstream(const char *name); void open(const char *name); void close(); bool is_open() const; };
extern ostream cout;
extern ostream cerr;
extern istream cin;
ostream &endl(ostream &o);
ostream &flush(ostream &o);
template<class T, size_t N> struct array {
    T &operator[](size_t i);
    const T &operator[](size_t i) const;
    static constexpr size_t size() { return N; }
    T *begin();
    T *end();
};
template<class T> struct vector {
    vector(); vector(size_t n); vector(size_t n, const T &value);
    T &operator[](size_t i); const T &operator[](size_t i) const;
    size_t size() const; void push_back(const T &value); void resize(size_t n); T *data(); T *begin(); T *end();
};
template<class T> T min(const T &a, const T &b);
template<class T> T max(const T &a, const T &b);
template<class T> const T &clamp(const T &x, const T &low, const T &high);
template<class T, size_t N> constexpr size_t size(const T (&a)[N]) { return N; }
template<class T> T abs(T x);
template<class T> void swap(T &a, T &b);
template<class A, class B> struct pair { A first; B second; };
template<class T> struct complex {
    T knobscape_re; T knobscape_im;
    complex(); complex(T re); complex(T re, T im); T real() const; void real(T value); T imag() const; void imag(T value);
    complex &operator+=(const complex &x); complex &operator-=(const complex &x); complex &operator*=(const complex &x);
};
template<class T> T real(const complex<T> &x);
template<class T> T imag(const complex<T> &x);
template<class T> T norm(const complex<T> &x);
template<class T> complex<T> conj(const complex<T> &x);
template<class T> complex<T> operator+(const complex<T> &x, const complex<T> &y);
template<class T> complex<T> operator-(const complex<T> &x, const complex<T> &y);
template<class T> complex<T> operator*(const complex<T> &x, const complex<T> &y);
template<class T> struct numeric_limits { static constexpr T max(); static constexpr T min(); static constexpr T lowest(); static constexpr T epsilon(); };
template<bool B, class T, class F> struct conditional { typedef T type; };
template<class T, class F> struct conditional<false, T, F> { typedef F type; };
}
