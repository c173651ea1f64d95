#pragma once
#include <knobscape.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <assert.h>
#include <math.h>
namespace std {
// Text and files belong to the test bench: declared only.
struct string { string(); string(const char *text); const char *c_str() const; size_t size() const; string &operator+=(const string &s); };
string operator+(const string &a, const string &b);
string to_string(long x);
struct ostream { template<class T> ostream &operator<<(const T &value); ostream &operator<<(ostream &(*f)(ostream &)); };
struct istream { template<class T> istream &operator>>(T &value); bool eof() const; bool good() const; };
struct ofstream : ostream { ofstream(); ofstream(const char *name); void open(const char *name); void close(); bool is_open() const; };
struct ifstream : istream { ifstream(); ifstream(const char *name); void open(const char *name); void close(); bool is_open() const; };
struct stringstream : ostream { stringstream(); string str() const; };
typedef stringstream ostringstream;
extern ostream cout;
extern ostream cerr;
extern istream cin;
ostream &endl(ostream &o);
ostream &flush(ostream &o);
struct width_setting {}; width_setting setw(int n); width_setting setprecision(int n); width_setting setfill(char c);
ostream &hex(ostream &o); ostream &dec(ostream &o); ostream &fixed(ostream &o); ostream &scientific(ostream &o); ostream &left(ostream &o); ostream &right(ostream &o);
struct exception { const char *what() const; };
struct runtime_error : exception { runtime_error(const char *text); runtime_error(const string &text); };
struct type_info { const char *name() const; };
template<class T> struct vector {
    vector(); vector(size_t n); vector(size_t n, const T &value); template<class A> vector(A first, A last);
    T &operator[](size_t i); const T &operator[](size_t i) const; T &at(size_t i); T &back(); T &front();
    size_t size() const; bool empty() const; void push_back(const T &value); void resize(size_t n); void clear(); void reserve(size_t n); T *data(); T *begin(); T *end();
};
template<class T, size_t N> struct array {
    T element[N];
    KN T &operator[](size_t i) { return element[i]; }
    KN const T &operator[](size_t i) const { return element[i]; }
    KN T &at(size_t i) { return element[i]; }
    static constexpr size_t size() { return N; }
    KN T *begin() { return element; }
    KN T *end() { return element + N; }
    KN const T *begin() const { return element; }
    KN const T *end() const { return element + N; }
    KN T *data() { return element; }
    KN void fill(const T &x) { for (size_t i = 0; i < N; i++) element[i] = x; }
};
template<class T> KN constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template<class T> KN constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template<class T> KN constexpr const T &clamp(const T &x, const T &low, const T &high) { return x < low ? low : high < x ? high : x; }
template<class T, size_t N> constexpr size_t size(const T (&)[N]) { return N; }
template<class T> KN T abs(T x) { return x < 0 ? (T)-x : x; }
KN float abs(float x) { return __builtin_fabsf(x); }
KN double abs(double x) { return __builtin_fabs(x); }
template<class T> struct remove_reference { typedef T type; };
template<class T> struct remove_reference<T &> { typedef T type; };
template<class T> struct remove_reference<T &&> { typedef T type; };
template<class T> using remove_reference_t = typename remove_reference<T>::type;
template<class T> KN constexpr remove_reference_t<T> &&move(T &&x) { return static_cast<remove_reference_t<T> &&>(x); }
template<class T> KN constexpr T &&forward(remove_reference_t<T> &x) { return static_cast<T &&>(x); }
template<class T> KN void swap(T &a, T &b) { T c = a; a = b; b = c; }
template<class A, class B> KN void fill(A first, A last, const B &x) { for (; first != last; ++first) *first = x; }
template<class A, class B> KN B copy(A first, A last, B to) { for (; first != last; ++first, ++to) *to = *first; return to; }
template<class A, class B> struct pair { A first; B second; pair() = default; KN pair(const A &a, const B &b) : first(a), second(b) {} };
template<class A, class B> KN pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template<class T> struct complex {
    T re; T im;
    KN constexpr complex(T r = T(), T i = T()) : re(r), im(i) {}
    template<class U> KN complex(const complex<U> &x) : re(x.re), im(x.im) {}
    KN T real() const { return re; }
    KN void real(T value) { re = value; }
    KN T imag() const { return im; }
    KN void imag(T value) { im = value; }
    KN complex &operator+=(const complex &x) { re = re + x.re; im = im + x.im; return *this; }
    KN complex &operator-=(const complex &x) { re = re - x.re; im = im - x.im; return *this; }
    KN complex &operator*=(const complex &x) { T r = re * x.re - im * x.im; im = re * x.im + im * x.re; re = r; return *this; }
};
template<class T> KN T real(const complex<T> &x) { return x.re; }
template<class T> KN T imag(const complex<T> &x) { return x.im; }
template<class T> KN T norm(const complex<T> &x) { return x.re * x.re + x.im * x.im; }
template<class T> KN complex<T> conj(const complex<T> &x) { return complex<T>(x.re, -x.im); }
template<class T> KN complex<T> operator+(const complex<T> &x, const complex<T> &y) { return complex<T>(x.re + y.re, x.im + y.im); }
template<class T> KN complex<T> operator-(const complex<T> &x, const complex<T> &y) { return complex<T>(x.re - y.re, x.im - y.im); }
template<class T> KN complex<T> operator-(const complex<T> &x) { return complex<T>(-x.re, -x.im); }
template<class T> KN complex<T> operator*(const complex<T> &x, const complex<T> &y) { return complex<T>(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); }
template<class T> KN complex<T> operator*(const complex<T> &x, const T &y) { return complex<T>(x.re * y, x.im * y); }
template<class T> KN complex<T> operator/(const complex<T> &x, const complex<T> &y) { T n = norm(y); complex<T> z = x * conj(y); return complex<T>(z.re / n, z.im / n); }
template<class T> KN bool operator==(const complex<T> &x, const complex<T> &y) { return x.re == y.re && x.im == y.im; }
template<class T> struct numeric_limits {
    static constexpr bool is_signed = T(-1) < T(0);
    static constexpr T max() { return is_signed ? T(~(1ULL << (8 * sizeof(T) - 1)) & (~0ULL >> (64 - 8 * sizeof(T)))) : T(~0ULL); }
    static constexpr T min() { return is_signed ? T(-max() - 1) : T(0); }
    static constexpr T lowest() { return min(); }
};
template<> struct numeric_limits<float> { static constexpr float max() { return __FLT_MAX__; } static constexpr float min() { return __FLT_MIN__; } static constexpr float lowest() { return -__FLT_MAX__; } static constexpr float epsilon() { return __FLT_EPSILON__; } static constexpr float infinity() { return __builtin_inff(); } };
template<> struct numeric_limits<double> { static constexpr double max() { return __DBL_MAX__; } static constexpr double min() { return __DBL_MIN__; } static constexpr double lowest() { return -__DBL_MAX__; } static constexpr double epsilon() { return __DBL_EPSILON__; } static constexpr double infinity() { return __builtin_inf(); } };
template<bool B, class T, class F> struct conditional { typedef T type; };
template<class T, class F> struct conditional<false, T, F> { typedef F type; };
template<bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template<bool B, class T = void> struct enable_if {};
template<class T> struct enable_if<true, T> { typedef T type; };
template<bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template<class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; typedef integral_constant type; constexpr operator T() const { return V; } };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template<class A, class B> struct is_same : false_type {};
template<class A> struct is_same<A, A> : true_type {};
template<class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template<class T> struct is_integral : integral_constant<bool, __is_integral(T)> {};
template<class T> struct is_floating_point : integral_constant<bool, __is_floating_point(T)> {};
template<class T> struct is_arithmetic : integral_constant<bool, __is_arithmetic(T)> {};
template<class T> struct is_signed : integral_constant<bool, __is_signed(T)> {};
template<class T> struct is_pointer : integral_constant<bool, __is_pointer(T)> {};
template<class T> struct remove_const { typedef __remove_const(T) type; };
template<class T> struct remove_cv { typedef __remove_cv(T) type; };
template<class T> struct decay { typedef __decay(T) type; };
template<class T> using decay_t = __decay(T);
template<class T> struct underlying_type { typedef __underlying_type(T) type; };
template<class T> T &&declval();
template<class T, T... N> struct integer_sequence { static constexpr size_t size() { return sizeof...(N); } };
template<size_t... N> using index_sequence = integer_sequence<size_t, N...>;
template<class T, T N> using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template<size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
// Containers of test benches: declared only.
template<class T> struct walker { T &operator*() const; T *operator->() const; walker &operator++(); walker operator++(int); bool operator!=(const walker &o) const; bool operator==(const walker &o) const; };
template<class K, class V> struct map { typedef walker<pair<const K, V>> iterator; V &operator[](const K &key); V &at(const K &key); size_t size() const; bool empty() const; size_t count(const K &key) const; iterator find(const K &key); iterator begin(); iterator end(); void clear(); void insert(const pair<K, V> &x); size_t erase(const K &key); };
template<class K, class V> using unordered_map = map<K, V>;
template<class T> struct set { typedef walker<const T> iterator; size_t size() const; bool empty() const; size_t count(const T &key) const; iterator find(const T &key); iterator begin(); iterator end(); void clear(); void insert(const T &x); size_t erase(const T &key); };
template<class T> using unordered_set = set<T>;
template<class T> struct deque : vector<T> { using vector<T>::vector; void push_front(const T &x); void pop_front(); void pop_back(); };
template<class T> struct list { typedef walker<T> iterator; size_t size() const; bool empty() const; T &front(); T &back(); void push_back(const T &x); void push_front(const T &x); void pop_front(); void pop_back(); iterator begin(); iterator end(); void clear(); };
template<class T> struct queue { size_t size() const; bool empty() const; T &front(); T &back(); void push(const T &x); void pop(); };
template<class T> struct stack { size_t size() const; bool empty() const; T &top(); void push(const T &x); void pop(); };
struct mutex { void lock(); void unlock(); };
struct thread { thread(); template<class F, class... A> explicit thread(F &function, A &&...arguments); void join(); void detach(); };
}
