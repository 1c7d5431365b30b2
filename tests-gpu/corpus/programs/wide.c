// 128-bit integers: carries, products, shifts by variable amounts, division, comparison.

typedef __int128 i128;
typedef unsigned __int128 u128;

static u128 power(u128 base, u32 exponent) {
  u128 result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

static u128 gcd(u128 a, u128 b) {
  while (b) {
    u128 t = a % b;
    a = b;
    b = t;
  }
  return a;
}

static void put(u32 *out, u128 x) {
  for (int i = 0; i < 4; i++)
    out[i] = (u32)(x >> (32 * i));
}

void item(const u32 *in, u32 *out) {
  u128 a = (u128)in[0] << 96 | (u128)in[1] << 64 | (u64)in[2] << 32 | in[3];
  u128 b = (u128)in[4] << 70 | (u128)in[5] << 31 | in[6] | 1;
  i128 s = (i128)a >> (in[7] % 128);
  put(out, power(a + b, in[8] & 31) - (a << (in[9] % 128)) + (a >> (in[10] % 128)));
  put(out + 4, a / b ^ a % b);
  put(out + 8, (u128)(s / (i128)(b >> 40 | 1)) + (u128)(s % -(i128)b));
  put(out + 12, gcd(a, b) + (s < (i128)b) + 2 * (a < b) + 4 * (a == b * 3));
}
