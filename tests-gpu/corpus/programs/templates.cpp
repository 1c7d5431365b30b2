// Templates: matrices of fixed size with operators, fold expressions, lambdas, a small vector, policies.

namespace {

template <class T, int R, int C> struct Matrix {
  T at[R][C];

  template <int K> constexpr Matrix<T, R, K> operator*(const Matrix<T, C, K> &b) const {
    Matrix<T, R, K> result{};
    for (int i = 0; i < R; i++)
      for (int j = 0; j < K; j++)
        for (int k = 0; k < C; k++)
          result.at[i][j] += at[i][k] * b.at[k][j];
    return result;
  }
};

constexpr Matrix<u32, 2, 2> step{{{1, 1}, {1, 0}}};

constexpr Matrix<u32, 2, 2> power(int n) { return n == 0 ? Matrix<u32, 2, 2>{{{1, 0}, {0, 1}}} : power(n - 1) * step; }

constexpr auto fibonacci = power(40);

template <class... T> constexpr u64 sum(T... values) { return (u64(0) + ... + u64(values)); }

template <class T, u32 N> class Vector {
  alignas(T) unsigned char storage[N * sizeof(T)];
  u32 length = 0;

public:
  T *begin() { return reinterpret_cast<T *>(storage); }
  T *end() { return begin() + length; }
  u32 count() const { return length; }
  T &operator[](u32 i) { return begin()[i]; }
  void push(const T &value) {
    if (length < N)
      begin()[length++] = value;
  }
  T pop() { return begin()[--length]; }
};

template <class I, class F> void each(I first, I last, F f) {
  for (; first != last; ++first)
    f(*first);
}

template <class T, class Less> void sort(T *first, T *last, Less less) {
  for (T *i = first; i != last; ++i)
    for (T *j = i; j != first && less(*j, j[-1]); --j) {
      T t = *j;
      *j = j[-1];
      j[-1] = t;
    }
}

template <class Derived> struct Counter {
  u32 run(u32 n) {
    u32 x = 1;
    while (n--)
      x = static_cast<Derived *>(this)->next(x);
    return x;
  }
};
struct Triple : Counter<Triple> { u32 next(u32 x) { return 3 * x + 1; } };
struct Shift : Counter<Shift> { u32 by; u32 next(u32 x) { return x ^ x << by; } };

struct Rational {
  i64 n, d;
  static i64 gcd(i64 a, i64 b) { return b ? gcd(b, a % b) : a; }
  Rational(i64 a, i64 b) : n(a), d(b) {
    i64 g = gcd(a < 0 ? -a : a, b);
    n /= g;
    d /= g;
  }
  friend Rational operator+(Rational x, Rational y) { return {x.n * y.d + y.n * x.d, x.d * y.d}; }
  friend Rational operator*(Rational x, Rational y) { return {x.n * y.n, x.d * y.d}; }
  friend auto operator<=>(Rational x, Rational y) { return x.n * y.d - y.n * x.d; }
};

enum class Kind : u8 { Small, Middle, Large };

Kind kind(u32 x) {
  if (x < 1u << 10)
    return Kind::Small;
  return x < 1u << 28 ? Kind::Middle : Kind::Large;
}

} // namespace

C_LINKAGE void item(const u32 *in, u32 *out) {
  Matrix<u32, 3, 4> a;
  Matrix<u32, 4, 2> b;
  Matrix<double, 2, 2> d;
  __builtin_memcpy(&a, in, sizeof a);
  __builtin_memcpy(&b, in + 12, sizeof b);
  for (int i = 0; i < 4; i++)
    d.at[i / 2][i % 2] = in[i] * 0x1p-16;
  auto c = a * b;
  out[0] = c.at[2][1] + fibonacci.at[0][1];
  d = d * d;
  __builtin_memcpy(out + 2, &d.at[1][0], 8);
  out[1] = u32(sum(in[0], u8(in[1]), i64(in[2]), in[3] > 5, 'x'));
  Vector<u32, 24> v;
  each(in, in + 30, [&](u32 x) {
    if (x % 3)
      v.push(x);
  });
  u32 offset = in[31];
  sort(v.begin(), v.end(), [offset](u32 x, u32 y) { return x + offset < y + offset; });
  out[4] = v.count();
  out[5] = v.pop() ^ v[0] ^ v[v.count() / 2];
  Shift shift;
  shift.by = in[32] & 15;
  out[6] = Triple().run(in[33] & 31) + shift.run(9);
  Rational r(i64(in[34] >> 20), 60), s(i64(in[35] >> 22) - 300, 84);
  Rational t = r * s + r;
  out[7] = u32(t.n);
  out[8] = u32(t.d) + (r < s ? 1000000 : 0);
  u32 kinds = 0;
  for (u32 i = 36; i < 50; i++)
    switch (kind(in[i])) {
    case Kind::Small: kinds += 1; break;
    case Kind::Middle: kinds += 100; break;
    case Kind::Large: kinds += 10000; break;
    }
  out[9] = kinds;
}
