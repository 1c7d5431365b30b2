// Matrix products in integers of each width, float and double.

#define PRODUCT(name, type)                                                                                 \
  static void name(const type *a, const type *b, type *c, int n) {                                          \
    for (int i = 0; i < n; i++)                                                                             \
      for (int j = 0; j < n; j++) {                                                                         \
        type sum = 0;                                                                                       \
        for (int k = 0; k < n; k++)                                                                         \
          sum = (type)(sum + a[i * n + k] * b[k * n + j]);                                                  \
        c[i * n + j] = sum;                                                                                 \
      }                                                                                                     \
  }

PRODUCT(bytes, u8)
PRODUCT(shorts, u16)
PRODUCT(words, u32)
PRODUCT(longs, u64)
PRODUCT(floats, float)
PRODUCT(doubles, double)

#define RUN(name, type, value, at)                                                                          \
  {                                                                                                         \
    type a[25], b[25], c[25];                                                                               \
    for (int i = 0; i < 25; i++) {                                                                          \
      a[i] = (type)value(in[i]);                                                                            \
      b[i] = (type)value(in[i + 25]);                                                                       \
    }                                                                                                       \
    name(a, b, c, 5);                                                                                       \
    name(c, b, a, 5);                                                                                       \
    __builtin_memcpy(&out[at], &a[7], sizeof(type));                                                        \
    __builtin_memcpy(&out[at + 1], (char *)&a[24] + sizeof(type) - 1, 1);                                   \
  }

static u32 same(u32 x) { return x; }
static double real(u32 x) { return (i32)x / 65536.0; }

void item(const u32 *in, u32 *out) {
  RUN(bytes, u8, same, 0)
  RUN(shorts, u16, same, 2)
  RUN(words, u32, same, 4)
  RUN(longs, u64, same, 6)
  RUN(floats, float, real, 9)
  RUN(doubles, double, real, 11)
}
