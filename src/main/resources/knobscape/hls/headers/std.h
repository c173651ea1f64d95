#pragma once
#include <knobscape.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>
#include <math.h>
namespace std {
// Text and files belong to the test bench: declared only.
struct string { string(); string(const char *text); string(size_t n, char c); void push_back(char c); void pop_back(); char &operator[](size_t i); const char &operator[](size_t i) const; size_t length() const; bool empty() const; char *begin(); char *end(); const char *begin() const; const char *end() const; char &back(); void clear(); void reserve(size_t n); string substr(size_t from, size_t n = 0) const; const char *c_str() const; size_t size() const; string &operator+=(const string &s); };
string operator+(const string &a, const string &b);
string to_string(long x);
struct ostream { template<class kn_T> ostream &operator<<(const kn_T &value); ostream &operator<<(ostream &(*f)(ostream &)); };
struct istream { template<class kn_T> istream &operator>>(kn_T &value); bool eof() const; bool good() const; };
struct ofstream : ostream { ofstream(); ofstream(const char *name, int mode = 0); void open(const char *name, int mode = 0); void close(); bool is_open() const; };
struct ifstream : istream { ifstream(); ifstream(const char *name, int mode = 0); void open(const char *name, int mode = 0); void close(); bool is_open() const; };
struct ios { enum mode { in = 1, out = 2, app = 4, binary = 8, trunc = 16 }; };
typedef ios ios_base;
struct fstream : ostream, ios { fstream(); fstream(const char *name, int mode = 0); void open(const char *name, int mode = 0); void close(); bool is_open() const; bool eof() const; template<class kn_T> fstream &operator>>(kn_T &value); };
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
struct logic_error : exception { logic_error(const char *text); logic_error(const string &text); };
struct invalid_argument : logic_error { using logic_error::logic_error; };
struct out_of_range : logic_error { using logic_error::logic_error; };
struct domain_error : logic_error { using logic_error::logic_error; };
struct overflow_error : runtime_error { using runtime_error::runtime_error; };
struct type_info { const char *name() const; };
template<class kn_T> struct vector {
    vector(); vector(size_t n); vector(size_t n, const kn_T &value); template<class kn_A> vector(kn_A first, kn_A last);
    kn_T &operator[](size_t i); const kn_T &operator[](size_t i) const; kn_T &at(size_t i); kn_T &back(); kn_T &front();
    size_t size() const; bool empty() const; void push_back(const kn_T &value); void resize(size_t n); void clear(); void reserve(size_t n); kn_T *data(); kn_T *begin(); kn_T *end();
};
template<class kn_T, size_t kn_N> struct array {
    kn_T element[kn_N];
    KN kn_T &operator[](size_t i) { return element[i]; }
    KN const kn_T &operator[](size_t i) const { return element[i]; }
    KN kn_T &at(size_t i) { return element[i]; }
    static constexpr size_t size() { return kn_N; }
    KN kn_T *begin() { return element; }
    KN kn_T *end() { return element + kn_N; }
    KN const kn_T *begin() const { return element; }
    KN const kn_T *end() const { return element + kn_N; }
    KN kn_T *data() { return element; }
    KN const kn_T *data() const { return element; }
    KN kn_T &front() { return element[0]; }
    KN const kn_T &front() const { return element[0]; }
    KN kn_T &back() { return element[kn_N - 1]; }
    KN const kn_T &back() const { return element[kn_N - 1]; }
    static constexpr bool empty() { return kn_N == 0; }
    KN void fill(const kn_T &x) { for (size_t i = 0; i < kn_N; i++) element[i] = x; }
};
template<class kn_T> KN constexpr const kn_T &min(const kn_T &a, const kn_T &b) { return b < a ? b : a; }
template<class kn_T> KN constexpr const kn_T &max(const kn_T &a, const kn_T &b) { return a < b ? b : a; }
template<class kn_T> KN constexpr kn_T min(initializer_list<kn_T> all) { kn_T best = *all.begin(); for (const kn_T &x : all) best = x < best ? x : best; return best; }
template<class kn_T> KN constexpr kn_T max(initializer_list<kn_T> all) { kn_T best = *all.begin(); for (const kn_T &x : all) best = best < x ? x : best; return best; }
template<class kn_T> KN constexpr const kn_T &clamp(const kn_T &x, const kn_T &low, const kn_T &high) { return x < low ? low : high < x ? high : x; }
template<class kn_T, size_t kn_N> constexpr size_t size(const kn_T (&)[kn_N]) { return kn_N; }
template<class kn_T> KN kn_T abs(kn_T x) { return x < 0 ? (kn_T)-x : x; }
KN float abs(float x) { return __builtin_fabsf(x); }
KN double abs(double x) { return __builtin_fabs(x); }
template<class kn_T> struct remove_reference { typedef kn_T type; };
template<class kn_T> struct remove_reference<kn_T &> { typedef kn_T type; };
template<class kn_T> struct remove_reference<kn_T &&> { typedef kn_T type; };
template<class kn_T> using remove_reference_t = typename remove_reference<kn_T>::type;
template<class kn_T> KN constexpr remove_reference_t<kn_T> &&move(kn_T &&x) { return static_cast<remove_reference_t<kn_T> &&>(x); }
template<class kn_T> KN constexpr kn_T &&forward(remove_reference_t<kn_T> &x) { return static_cast<kn_T &&>(x); }
template<class kn_T> KN void swap(kn_T &a, kn_T &b) { kn_T c = a; a = b; b = c; }
template<class kn_A, class kn_B> KN void fill(kn_A first, kn_A last, const kn_B &x) { for (; first != last; ++first) *first = x; }
template<class kn_A, class kn_B> KN kn_B copy(kn_A first, kn_A last, kn_B to) { for (; first != last; ++first, ++to) *to = *first; return to; }
template<class kn_A, class kn_N, class kn_B> KN kn_A fill_n(kn_A to, kn_N n, const kn_B &x) { for (kn_N i = 0; i < n; i++, ++to) *to = x; return to; }
template<class kn_A, class kn_N, class kn_B> KN kn_B copy_n(kn_A from, kn_N n, kn_B to) { for (kn_N i = 0; i < n; i++, ++from, ++to) *to = *from; return to; }
template<class kn_A, class kn_T> KN kn_T accumulate(kn_A first, kn_A last, kn_T sum) { for (; first != last; ++first) sum = sum + *first; return sum; }
template<class kn_A, class kn_T> KN void iota(kn_A first, kn_A last, kn_T x) { for (; first != last; ++first, ++x) *first = x; }
template<class kn_A> KN void reverse(kn_A first, kn_A last) { while (first != last && first != --last) { auto x = *first; *first = *last; *last = x; ++first; } }
template<class kn_A> KN kn_A max_element(kn_A first, kn_A last) { kn_A best = first; for (; first != last; ++first) if (*best < *first) best = first; return best; }
template<class kn_A> KN kn_A min_element(kn_A first, kn_A last) { kn_A best = first; for (; first != last; ++first) if (*first < *best) best = first; return best; }
template<class kn_A, class kn_B> struct pair { kn_A first; kn_B second; pair() = default; KN pair(const kn_A &a, const kn_B &b) : first(a), second(b) {} };
template<class kn_A, class kn_B> KN pair<kn_A, kn_B> make_pair(kn_A a, kn_B b) { return pair<kn_A, kn_B>(a, b); }
template<class... kn_A> struct tuple {};
template<class kn_A, class... kn_B> struct tuple<kn_A, kn_B...> {
    kn_A first; tuple<kn_B...> rest;
    constexpr tuple() = default;
    template<class kn_X, class... kn_Y> KN constexpr tuple(kn_X &&x, kn_Y &&...y) : first(static_cast<kn_X &&>(x)), rest(static_cast<kn_Y &&>(y)...) {}
    KN constexpr tuple(const tuple &x) : first(x.first), rest(x.rest) {}
    KN tuple &operator=(const tuple &x) { first = x.first; rest = x.rest; return *this; }
    template<class kn_X, class... kn_Y> KN tuple &operator=(const tuple<kn_X, kn_Y...> &x) { first = x.first; rest = x.rest; return *this; }
};
template<class... kn_A> KN constexpr tuple<kn_A...> make_tuple(kn_A... x) { return tuple<kn_A...>(x...); }
template<class... kn_A> KN constexpr tuple<kn_A &...> tie(kn_A &...x) { return tuple<kn_A &...>(x...); }
template<size_t kn_N, class... kn_A> KN constexpr auto &get(tuple<kn_A...> &x) { if constexpr (kn_N == 0) return x.first; else return get<kn_N - 1>(x.rest); }
template<size_t kn_N, class... kn_A> KN constexpr const auto &get(const tuple<kn_A...> &x) { if constexpr (kn_N == 0) return x.first; else return get<kn_N - 1>(x.rest); }
template<size_t kn_N, class kn_A, class kn_B> KN constexpr auto &get(pair<kn_A, kn_B> &x) { if constexpr (kn_N == 0) return x.first; else return x.second; }
template<size_t kn_N, class kn_T, size_t kn_M> KN constexpr kn_T &get(array<kn_T, kn_M> &x) { return x.element[kn_N]; }
template<class kn_T> struct complex {
    kn_T re; kn_T im;
    KN constexpr complex(kn_T r = kn_T(), kn_T i = kn_T()) : re(r), im(i) {}
    template<class kn_U> KN complex(const complex<kn_U> &x) : re(x.re), im(x.im) {}
    KN kn_T real() const { return re; }
    KN void real(kn_T value) { re = value; }
    KN kn_T imag() const { return im; }
    KN void imag(kn_T value) { im = value; }
    KN complex &operator+=(const complex &x) { re = re + x.re; im = im + x.im; return *this; }
    KN complex &operator-=(const complex &x) { re = re - x.re; im = im - x.im; return *this; }
    KN complex &operator*=(const complex &x) { kn_T r = re * x.re - im * x.im; im = re * x.im + im * x.re; re = r; return *this; }
};
template<class kn_T> KN kn_T real(const complex<kn_T> &x) { return x.re; }
template<class kn_T> KN kn_T imag(const complex<kn_T> &x) { return x.im; }
template<class kn_T> KN kn_T norm(const complex<kn_T> &x) { return x.re * x.re + x.im * x.im; }
template<class kn_T> KN complex<kn_T> conj(const complex<kn_T> &x) { return complex<kn_T>(x.re, -x.im); }
template<class kn_T> KN complex<kn_T> operator+(const complex<kn_T> &x, const complex<kn_T> &y) { return complex<kn_T>(x.re + y.re, x.im + y.im); }
template<class kn_T> KN complex<kn_T> operator-(const complex<kn_T> &x, const complex<kn_T> &y) { return complex<kn_T>(x.re - y.re, x.im - y.im); }
template<class kn_T> KN complex<kn_T> operator-(const complex<kn_T> &x) { return complex<kn_T>(-x.re, -x.im); }
template<class kn_T> KN complex<kn_T> operator*(const complex<kn_T> &x, const complex<kn_T> &y) { return complex<kn_T>(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re); }
template<class kn_T> KN complex<kn_T> operator*(const complex<kn_T> &x, const kn_T &y) { return complex<kn_T>(x.re * y, x.im * y); }
template<class kn_T> KN complex<kn_T> operator/(const complex<kn_T> &x, const complex<kn_T> &y) { kn_T n = norm(y); complex<kn_T> z = x * conj(y); return complex<kn_T>(z.re / n, z.im / n); }
template<class kn_T> KN bool operator==(const complex<kn_T> &x, const complex<kn_T> &y) { return x.re == y.re && x.im == y.im; }
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };
enum float_round_style { round_indeterminate = -1, round_toward_zero = 0, round_to_nearest = 1, round_toward_infinity = 2, round_toward_neg_infinity = 3 };
template<class kn_T> struct numeric_limits {
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_bounded = true, is_modulo = !(kn_T(-1) < kn_T(0)), is_iec559 = false, has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false, has_denorm_loss = false, traps = false, tinyness_before = false;
    static constexpr float_denorm_style has_denorm = denorm_absent;
    static constexpr float_round_style round_style = round_toward_zero;
    static constexpr int radix = 2, min_exponent = 0, max_exponent = 0, min_exponent10 = 0, max_exponent10 = 0, max_digits10 = 0;
    static constexpr int digits = 8 * sizeof(kn_T) - (kn_T(-1) < kn_T(0));
    static constexpr bool is_signed = kn_T(-1) < kn_T(0);
    static constexpr kn_T max() { return is_signed ? kn_T(~(1ULL << (8 * sizeof(kn_T) - 1)) & (~0ULL >> (64 - 8 * sizeof(kn_T)))) : kn_T(~0ULL); }
    static constexpr kn_T min() { return is_signed ? kn_T(-max() - 1) : kn_T(0); }
    static constexpr kn_T lowest() { return min(); }
};
template<> struct numeric_limits<float> { static constexpr float max() { return __FLT_MAX__; } static constexpr float min() { return __FLT_MIN__; } static constexpr float lowest() { return -__FLT_MAX__; } static constexpr float epsilon() { return __FLT_EPSILON__; } static constexpr float infinity() { return __builtin_inff(); } };
template<> struct numeric_limits<double> { static constexpr double max() { return __DBL_MAX__; } static constexpr double min() { return __DBL_MIN__; } static constexpr double lowest() { return -__DBL_MAX__; } static constexpr double epsilon() { return __DBL_EPSILON__; } static constexpr double infinity() { return __builtin_inf(); } };
template<bool kn_B, class kn_T, class kn_F> struct conditional { typedef kn_T type; };
template<class kn_T, class kn_F> struct conditional<false, kn_T, kn_F> { typedef kn_F type; };
template<bool kn_B, class kn_T, class kn_F> using conditional_t = typename conditional<kn_B, kn_T, kn_F>::type;
template<bool kn_B, class kn_T = void> struct enable_if {};
template<class kn_T> struct enable_if<true, kn_T> { typedef kn_T type; };
template<bool kn_B, class kn_T = void> using enable_if_t = typename enable_if<kn_B, kn_T>::type;
template<class kn_T, kn_T V> struct integral_constant { static constexpr kn_T value = V; typedef kn_T value_type; typedef integral_constant type; constexpr operator kn_T() const { return V; } };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template<class kn_A, class kn_B> struct is_same : false_type {};
template<class kn_A> struct is_same<kn_A, kn_A> : true_type {};
template<class kn_A, class kn_B> inline constexpr bool is_same_v = is_same<kn_A, kn_B>::value;
template<class kn_T> struct is_integral : integral_constant<bool, __is_integral(kn_T)> {};
template<class kn_T> struct is_floating_point : integral_constant<bool, __is_floating_point(kn_T)> {};
template<class kn_T> struct is_arithmetic : integral_constant<bool, __is_arithmetic(kn_T)> {};
template<class kn_T> struct is_signed : integral_constant<bool, __is_signed(kn_T)> {};
template<class kn_T> struct is_pointer : integral_constant<bool, __is_pointer(kn_T)> {};
template<class kn_T> struct remove_const { typedef __remove_const(kn_T) type; };
template<class kn_T> struct remove_cv { typedef __remove_cv(kn_T) type; };
template<class kn_T> struct decay { typedef __decay(kn_T) type; };
template<class kn_T> using decay_t = __decay(kn_T);
#define KN_TRAIT(name, test) template<class kn_T> struct name : integral_constant<bool, test(kn_T)> {}; template<class kn_T> inline constexpr bool name##_v = test(kn_T);
#define KN_RELATION(name, test) template<class kn_A, class kn_B> struct name : integral_constant<bool, test(kn_A, kn_B)> {}; template<class kn_A, class kn_B> inline constexpr bool name##_v = test(kn_A, kn_B);
KN_TRAIT(is_unsigned, __is_unsigned) KN_TRAIT(is_void, __is_void) KN_TRAIT(is_const, __is_const) KN_TRAIT(is_reference, __is_reference) KN_TRAIT(is_array, __is_array) KN_TRAIT(is_class, __is_class) KN_TRAIT(is_enum, __is_enum) KN_TRAIT(is_trivially_copyable, __is_trivially_copyable) KN_TRAIT(is_fundamental, __is_fundamental)
KN_RELATION(is_convertible, __is_convertible) KN_RELATION(is_base_of, __is_base_of) KN_RELATION(is_assignable, __is_assignable)
#undef KN_TRAIT
#undef KN_RELATION
template<class kn_T, class... kn_A> struct is_constructible : integral_constant<bool, __is_constructible(kn_T, kn_A...)> {};
template<class kn_T> inline constexpr bool is_integral_v = __is_integral(kn_T);
template<class kn_T> inline constexpr bool is_floating_point_v = __is_floating_point(kn_T);
template<class kn_T> inline constexpr bool is_arithmetic_v = __is_arithmetic(kn_T);
template<class kn_T> inline constexpr bool is_signed_v = __is_signed(kn_T);
template<class kn_T> inline constexpr bool is_pointer_v = __is_pointer(kn_T);
template<class kn_T> using remove_const_t = __remove_const(kn_T);
template<class kn_T> using remove_cv_t = __remove_cv(kn_T);
template<class kn_T> struct remove_pointer { typedef __remove_pointer(kn_T) type; };
template<class kn_T> using remove_pointer_t = __remove_pointer(kn_T);
template<class kn_T> struct remove_extent { typedef __remove_extent(kn_T) type; };
template<class kn_T> using remove_extent_t = __remove_extent(kn_T);
template<class kn_T> struct make_unsigned { typedef __make_unsigned(kn_T) type; };
template<class kn_T> using make_unsigned_t = __make_unsigned(kn_T);
template<class kn_T> struct make_signed { typedef __make_signed(kn_T) type; };
template<class kn_T> using make_signed_t = __make_signed(kn_T);
template<class...> using void_t = void;
template<class kn_A, class kn_B> using common_type_t = decltype(true ? kn_A() : kn_B());
template<class kn_A, class kn_B> struct common_type { typedef common_type_t<kn_A, kn_B> type; };
template<class kn_A> struct tuple_size;
template<class kn_T, size_t kn_N> struct tuple_size<array<kn_T, kn_N>> : integral_constant<size_t, kn_N> {};
template<class kn_T> struct underlying_type { typedef __underlying_type(kn_T) type; };
template<class kn_T> kn_T &&declval();
template<class kn_T, kn_T... kn_N> struct integer_sequence { static constexpr size_t size() { return sizeof...(kn_N); } };
template<size_t... kn_N> using index_sequence = integer_sequence<size_t, kn_N...>;
template<class kn_T, kn_T kn_N> using make_integer_sequence = __make_integer_seq<integer_sequence, kn_T, kn_N>;
template<size_t kn_N> using make_index_sequence = make_integer_sequence<size_t, kn_N>;
// Containers of test benches: declared only.
template<class kn_T> struct walker { kn_T &operator*() const; kn_T *operator->() const; walker &operator++(); walker operator++(int); bool operator!=(const walker &o) const; bool operator==(const walker &o) const; };
template<class kn_K, class V> struct map { typedef walker<pair<const kn_K, V>> iterator; V &operator[](const kn_K &key); V &at(const kn_K &key); size_t size() const; bool empty() const; size_t count(const kn_K &key) const; iterator find(const kn_K &key); iterator begin(); iterator end(); void clear(); void insert(const pair<kn_K, V> &x); size_t erase(const kn_K &key); };
template<class kn_K, class V> using unordered_map = map<kn_K, V>;
template<class kn_T> struct set { typedef walker<const kn_T> iterator; size_t size() const; bool empty() const; size_t count(const kn_T &key) const; iterator find(const kn_T &key); iterator begin(); iterator end(); void clear(); void insert(const kn_T &x); size_t erase(const kn_T &key); };
template<class kn_T> using unordered_set = set<kn_T>;
template<class kn_T> struct deque : vector<kn_T> { using vector<kn_T>::vector; void push_front(const kn_T &x); void pop_front(); void pop_back(); };
template<class kn_T> struct list { typedef walker<kn_T> iterator; size_t size() const; bool empty() const; kn_T &front(); kn_T &back(); void push_back(const kn_T &x); void push_front(const kn_T &x); void pop_front(); void pop_back(); iterator begin(); iterator end(); void clear(); };
template<class kn_T> struct queue { size_t size() const; bool empty() const; kn_T &front(); kn_T &back(); void push(const kn_T &x); void pop(); };
template<class kn_T> struct stack { size_t size() const; bool empty() const; kn_T &top(); void push(const kn_T &x); void pop(); };
struct mutex { void lock(); void unlock(); };
struct thread { thread(); template<class kn_F, class... kn_A> explicit thread(kn_F &function, kn_A &&...arguments); void join(); void detach(); };
}
