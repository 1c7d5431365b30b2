// Calls: recursion, mutual recursion, function pointers in tables and arguments, many arguments.

typedef u32 (*Operation)(u32, u32);

static u32 add(u32 a, u32 b) { return a + b; }
static u32 subtract(u32 a, u32 b) { return a - b; }
static u32 multiply(u32 a, u32 b) { return a * b; }
static u32 power(u32 a, u32 b) { return b == 0 ? 1 : (b & 1 ? a : 1) * power(a * a, b >> 1 & 0xff); }

static const Operation operations[4] = {add, subtract, multiply, power};

__attribute__((noinline)) static u32 ackermann(u32 m, u32 n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static u64 factorial(u32 n) { return n < 2 ? 1 : n * factorial(n - 1); }

static bool odd(u32 n);
static bool even(u32 n) { return n == 0 || odd(n - 1); }
__attribute__((noinline)) static bool odd(u32 n) { return n != 0 && even(n - 1); }

static u32 hanoi(int n, int from, int to, u32 moves) {
  if (n == 0)
    return moves;
  int other = 3 - from - to;
  moves = hanoi(n - 1, from, other, moves);
  moves = moves * 5 + (u32)(from * 3 + to);
  return hanoi(n - 1, other, to, moves);
}

__attribute__((noinline)) static double many(i8 a, u16 b, i32 c, u64 d, float e, double f, const u32 *g, bool h,
                                             i16 i, u8 j) {
  return a + b * 2.0 + c * 3.0 + (double)(d >> 40) + e + f + *g + h + i * 0.5 + j;
}

static u32 fold(const u32 *values, int n, u32 first, Operation by) {
  for (int i = 0; i < n; i++)
    first = by(first, values[i]);
  return first;
}

static int compare(const void *a, const void *b) {
  u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return x < y ? -1 : x > y;
}

static void heap_sort(void *base, int n, int width, int (*order)(const void *, const void *)) {
  char *p = base;
  for (int top = n, start = n / 2; top > 1;) {
    if (start > 0)
      start--;
    else {
      top--;
      for (int k = 0; k < width; k++) {
        char t = p[k];
        p[k] = p[top * width + k];
        p[top * width + k] = t;
      }
    }
    for (int root = start, child; (child = 2 * root + 1) < top; root = child) {
      if (child + 1 < top && order(p + child * width, p + (child + 1) * width) < 0)
        child++;
      if (order(p + root * width, p + child * width) >= 0)
        break;
      for (int k = 0; k < width; k++) {
        char t = p[root * width + k];
        p[root * width + k] = p[child * width + k];
        p[child * width + k] = t;
      }
    }
  }
}

void item(const u32 *in, u32 *out) {
  u32 x = in[0];
  for (int i = 1; i < 12; i++)
    x = operations[in[i] & 3](x, in[i] >> 2);
  out[0] = x;
  out[1] = ackermann(2, in[12] & 3);
  u64 f = factorial(in[13] % 21);
  __builtin_memcpy(out + 2, &f, 8);
  out[4] = (u32)even(in[14] & 31) + 2 * (u32)odd(in[15] & 15);
  out[5] = hanoi((int)(in[16] & 7), 0, 2, 0);
  double d = many((i8)in[17], (u16)in[18], (i32)in[19], (u64)in[20] << 32, 0.5f, in[21] / 4.0, &in[22],
                  in[23] & 1, (i16)in[24], (u8)in[25]);
  __builtin_memcpy(out + 6, &d, 8);
  out[8] = fold(in + 26, 9, in[35], in[36] & 1 ? add : multiply);
  u32 copy[20];
  __builtin_memcpy(copy, in + 40, sizeof copy);
  heap_sort(copy, 20, 4, compare);
  for (int i = 0; i < 6; i++)
    out[9 + i] = copy[3 * i];
}
