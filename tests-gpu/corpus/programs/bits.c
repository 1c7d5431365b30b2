// Bit manipulation, by builtin functions and in plain C.

static u32 deposit(u32 x, u32 mask) {
  u32 result = 0;
  for (u32 bit = 1; mask; bit <<= 1) {
    u32 low = mask & -mask;
    if (x & bit)
      result |= low;
    mask ^= low;
  }
  return result;
}

static u32 extract(u32 x, u32 mask) {
  u32 result = 0;
  for (u32 bit = 1; mask; bit <<= 1) {
    u32 low = mask & -mask;
    if (x & low)
      result |= bit;
    mask ^= low;
  }
  return result;
}

static u64 spread(u32 x) {
  u64 v = x;
  v = (v | v << 16) & 0x0000ffff0000ffffull;
  v = (v | v << 8) & 0x00ff00ff00ff00ffull;
  v = (v | v << 4) & 0x0f0f0f0f0f0f0f0full;
  v = (v | v << 2) & 0x3333333333333333ull;
  return (v | v << 1) & 0x5555555555555555ull;
}

static u32 gray(u32 x) { return x ^ x >> 1; }

static u32 from_gray(u32 x) {
  for (int s = 1; s < 32; s *= 2)
    x ^= x >> s;
  return x;
}

struct Fields { i32 a : 5; u32 b : 11; i32 c : 16; u64 d : 37; i64 e : 27; };

void item(const u32 *in, u32 *out) {
  u32 a = in[0], b = in[1], n = in[2] & 31;
  u64 w = (u64)in[3] << 32 | in[4];
  out[0] = (u32)__builtin_popcount(a) | (u32)__builtin_popcountll(w) << 8 | (u32)__builtin_parity(b) << 16;
  out[1] = (a ? (u32)__builtin_clz(a) : 99) | (w ? (u32)__builtin_clzll(w) : 99) << 8;
  out[2] = (b ? (u32)__builtin_ctz(b) : 99) | (w >> n ? (u32)__builtin_ctzll(w >> n) : 99) << 8;
  out[3] = __builtin_bitreverse32(a) ^ __builtin_bswap32(b) ^ __builtin_bitreverse8((u8)a);
  u64 r = __builtin_bitreverse64(w) + __builtin_bswap64(w) + __builtin_bswap16((u16)b);
  out[4] = (u32)r ^ (u32)(r >> 32);
  out[5] = __builtin_rotateleft32(a, n) ^ __builtin_rotateright32(b, n);
  r = __builtin_rotateleft64(w, n + 17) ^ __builtin_rotateleft16((u16)a, (u16)n);
  out[6] = (u32)r ^ (u32)(r >> 32);
  out[7] = deposit(a, b);
  out[8] = extract(a, b);
  r = spread(a) | spread(b) << 1;
  out[9] = (u32)r * 31 + (u32)(r >> 32);
  out[10] = gray(a) + from_gray(b);
  struct Fields f = {(i32)a, b, (i32)(a >> 7), w, (i64)(w >> 13)};
  f.a += f.c;
  f.d ^= (u64)f.e;
  out[11] = (u32)f.a + f.b * 3 + (u32)f.c * 5;
  out[12] = (u32)f.d ^ (u32)((u64)f.e >> 3);
  out[13] = (u32)__builtin_clrsb((i32)a) | (u32)__builtin_ffs((i32)b) << 8;
  out[14] = (a & b) | (~a & (u32)w) ? (a & b) ^ (a & (u32)w) ^ (b & (u32)w) : 0;
  i32 sum;
  u64 product;
  bool over = __builtin_sadd_overflow((i32)a, (i32)b, &sum);
  over ^= __builtin_umulll_overflow(w, a, &product);
  out[15] = (u32)sum ^ (u32)product ^ (u32)over;
}
