// Half precision: every operation rounds to 11 bits.

typedef _Float16 half;

static half value(u32 x) { return (half)((i32)(x % 4001) - 2000) / (half)64; }

static u16 bits(half x) {
  u16 b;
  __builtin_memcpy(&b, &x, 2);
  return b;
}

void item(const u32 *in, u32 *out) {
  half sum = 0, product = 1, least = 100, most = -100;
  u32 order = 0;
  for (int i = 0; i < 32; i++) {
    half x = value(in[i]), y = value(in[i + 32]);
    sum += x * y;
    sum -= x / (y * y + (half)1);
    product *= x < y ? (half)1.0625 : (half)0.9375;
    least = x < least ? x : least;
    most = y > most ? y : most;
    order = order * 2 + (x == y || x >= -y);
  }
  out[0] = bits(sum);
  out[1] = bits(product);
  out[2] = bits(least) | (u32)bits(most) << 16;
  out[3] = order;
  out[4] = (u32)(i32)product;
  float f = (float)sum * 3.0f;
  double d = (double)least / 7.0;
  __builtin_memcpy(out + 5, &f, 4);
  __builtin_memcpy(out + 6, &d, 8);
  out[8] = bits((half)f) | (u32)bits((half)d) << 16;
  out[9] = (u16)(i16)most;
  out[10] = bits((half)(i32)in[0]) | (u32)bits((half)(u64)in[1]) << 16;
}
