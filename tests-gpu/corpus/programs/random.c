// Random number generators: a Mersenne twister, PCG, xorshift, a lagged generator, and distributions.

typedef struct { u32 state[25]; u32 at; } Twister; // a small one, of 25 words

static u32 twist(Twister *t) {
  u32 i = t->at, j = (i + 1) % 25, k = (i + 7) % 25;
  u32 y = (t->state[i] & 0x80000000u) | (t->state[j] & 0x7fffffffu);
  t->state[i] = t->state[k] ^ y >> 1 ^ (y & 1 ? 0x8ebfd028u : 0);
  y = t->state[i];
  t->at = j;
  y ^= y << 7 & 0x2b5b2500u;
  y ^= y << 15 & 0xdb8b0000u;
  return y ^ y >> 16;
}

static u32 pcg(u64 *state) {
  u64 s = *state;
  *state = s * 6364136223846793005ull + 1442695040888963407ull;
  u32 x = (u32)((s >> 18 ^ s) >> 27), r = (u32)(s >> 59);
  return x >> r | x << (-r & 31);
}

static u64 xorshift(u64 *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

// An unbiased number below `bound`, by rejection.
static u32 below(u64 *state, u32 bound, u32 *tries) {
  u32 limit = -bound % bound;
  for (;;) {
    ++*tries;
    u64 product = (u64)pcg(state) * bound;
    if ((u32)product >= limit)
      return (u32)(product >> 32);
  }
}

void item(const u32 *in, u32 *out) {
  Twister t = {{0}, 0};
  for (int i = 0; i < 25; i++)
    t.state[i] = in[i];
  u32 fold = 0;
  for (int i = 0; i < 60; i++)
    fold = fold * 3 + twist(&t);
  u64 state = (u64)in[30] << 32 | in[31], other = state | 1;
  u32 tries = 0, deck[52], inside = 0;
  for (u32 i = 0; i < 52; i++)
    deck[i] = i;
  for (u32 i = 51; i > 0; i--) {
    u32 j = below(&state, i + 1, &tries), c = deck[i];
    deck[i] = deck[j];
    deck[j] = c;
  }
  for (int i = 0; i < 100; i++) {
    double x = (double)(xorshift(&other) >> 11) * 0x1p-53, y = (double)(xorshift(&other) >> 11) * 0x1p-53;
    inside += x * x + y * y < 1;
  }
  out[0] = fold;
  out[1] = tries;
  out[2] = inside;
  for (u32 i = 0; i < 52; i++)
    out[3 + i % 13] = (i < 13 ? 0 : out[3 + i % 13] * 53) + deck[i];
}
