// Integers of 512 bits: sums with carry chains, products, Montgomery reduction, decimal digits.

enum { LIMBS = 16 };

static u32 add(u32 *r, const u32 *a, const u32 *b) {
  u32 carry = 0;
  for (int i = 0; i < LIMBS; i++)
    r[i] = __builtin_addc(a[i], b[i], carry, &carry);
  return carry;
}

static u32 subtract(u32 *r, const u32 *a, const u32 *b) {
  u32 borrow = 0;
  for (int i = 0; i < LIMBS; i++)
    r[i] = __builtin_subc(a[i], b[i], borrow, &borrow);
  return borrow;
}

static void multiply(u32 *r, const u32 *a, const u32 *b) {
  for (int i = 0; i < 2 * LIMBS; i++)
    r[i] = 0;
  for (int i = 0; i < LIMBS; i++) {
    u64 carry = 0;
    for (int j = 0; j < LIMBS; j++) {
      carry += (u64)a[i] * b[j] + r[i + j];
      r[i + j] = (u32)carry;
      carry >>= 32;
    }
    r[i + LIMBS] = (u32)carry;
  }
}

// a * b / 2^512 modulo the odd m.
static void montgomery(u32 *r, const u32 *a, const u32 *b, const u32 *m) {
  u32 inverse = 1;
  for (int i = 0; i < 5; i++)
    inverse *= 2 - m[0] * inverse;
  u32 t[LIMBS + 2] = {0};
  for (int i = 0; i < LIMBS; i++) {
    u64 c = 0;
    for (int j = 0; j < LIMBS; j++) {
      c += (u64)a[i] * b[j] + t[j];
      t[j] = (u32)c;
      c >>= 32;
    }
    c += t[LIMBS];
    t[LIMBS] = (u32)c;
    t[LIMBS + 1] = (u32)(c >> 32);
    u32 q = t[0] * -inverse;
    c = ((u64)q * m[0] + t[0]) >> 32;
    for (int j = 1; j < LIMBS; j++) {
      c += (u64)q * m[j] + t[j];
      t[j - 1] = (u32)c;
      c >>= 32;
    }
    c += t[LIMBS];
    t[LIMBS - 1] = (u32)c;
    t[LIMBS] = t[LIMBS + 1] + (u32)(c >> 32);
  }
  u32 less = subtract(r, t, m);
  if (less && !t[LIMBS])
    __builtin_memcpy(r, t, 4 * LIMBS);
}

static u32 digits(u32 *a) {
  u32 hash = 0;
  for (int round = 0; round < 18; round++) {
    u64 rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
      rest = rest << 32 | a[i];
      a[i] = (u32)(rest / 1000000000);
      rest %= 1000000000;
    }
    hash = hash * 31 + (u32)rest;
  }
  return hash;
}

void item(const u32 *in, u32 *out) {
  u32 a[LIMBS], b[LIMBS], m[LIMBS], sum[LIMBS], product[2 * LIMBS], r[LIMBS];
  for (int i = 0; i < LIMBS; i++) {
    a[i] = in[i];
    b[i] = in[i + LIMBS];
    m[i] = in[i + 2 * LIMBS];
  }
  m[0] |= 1;
  m[LIMBS - 1] |= 0x80000000u;
  out[0] = add(sum, a, b) + 2 * subtract(r, a, b);
  out[1] = sum[7] ^ r[9];
  multiply(product, a, b);
  for (int i = 0; i < 4; i++)
    out[2 + i] = product[5 * i + 9];
  montgomery(r, a, b, m);
  for (int i = 0; i < 8; i++)
    out[6 + i] = r[2 * i] ^ r[2 * i + 1];
  out[14] = digits(a);
}
