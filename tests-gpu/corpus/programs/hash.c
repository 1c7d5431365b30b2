// Hashes: FNV-1a, MurmurHash3's finaliser, xxHash32 and 64, CRC-32 by table, Adler-32, SHA-256.

static u64 fnv(const u8 *p, u32 n) {
  u64 h = 0xcbf29ce484222325ull;
  for (u32 i = 0; i < n; i++)
    h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}

static u32 rotate(u32 x, int n) { return x << n | x >> (32 - n); }
static u64 rotate64(u64 x, int n) { return x << n | x >> (64 - n); }

static u32 xx32(const u32 *p, u32 words, u32 seed) {
  const u32 p1 = 2654435761u, p2 = 2246822519u, p3 = 3266489917u, p4 = 668265263u;
  u32 v[4] = {seed + p1 + p2, seed + p2, seed, seed - p1};
  for (u32 i = 0; i + 4 <= words; i += 4)
    for (u32 k = 0; k < 4; k++)
      v[k] = rotate(v[k] + p[i + k] * p2, 13) * p1;
  u32 h = rotate(v[0], 1) + rotate(v[1], 7) + rotate(v[2], 12) + rotate(v[3], 18) + words * 4;
  for (u32 i = words & ~3u; i < words; i++)
    h = rotate(h + p[i] * p3, 17) * p4;
  h = (h ^ h >> 15) * p2;
  h = (h ^ h >> 13) * p3;
  return h ^ h >> 16;
}

static u64 murmur(u64 h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdull;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ull;
  return h ^ h >> 33;
}

static u64 wide_mix(u64 a, u64 b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (u64)product ^ (u64)(product >> 64);
}

static u32 crc(const u8 *p, u32 n) {
  u32 table[16];
  for (u32 i = 0; i < 16; i++) {
    u32 c = i;
    for (int k = 0; k < 4; k++)
      c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  u32 c = ~0u;
  for (u32 i = 0; i < n; i++) {
    c ^= p[i];
    c = table[c & 15] ^ c >> 4;
    c = table[c & 15] ^ c >> 4;
  }
  return ~c;
}

static u32 adler(const u8 *p, u32 n) {
  u32 a = 1, b = 0;
  for (u32 i = 0; i < n; i++) {
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

static const u32 K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sha256_block(u32 *state, const u32 *block) {
  u32 w[64], v[8];
  for (int i = 0; i < 16; i++)
    w[i] = __builtin_bswap32(block[i]);
  for (int i = 16; i < 64; i++) {
    u32 s0 = rotate(w[i - 15], 25) ^ rotate(w[i - 15], 14) ^ w[i - 15] >> 3;
    u32 s1 = rotate(w[i - 2], 15) ^ rotate(w[i - 2], 13) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  for (int i = 0; i < 8; i++)
    v[i] = state[i];
  for (int i = 0; i < 64; i++) {
    u32 s1 = rotate(v[4], 26) ^ rotate(v[4], 21) ^ rotate(v[4], 7);
    u32 t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
    u32 s0 = rotate(v[0], 30) ^ rotate(v[0], 19) ^ rotate(v[0], 10);
    u32 t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int k = 7; k > 0; k--)
      v[k] = v[k - 1];
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++)
    state[i] += v[i];
}

void item(const u32 *in, u32 *out) {
  const u8 *bytes = (const u8 *)in;
  u64 h = fnv(bytes, 61);
  out[0] = (u32)h;
  out[1] = (u32)(h >> 32);
  out[2] = xx32(in, 15, in[63]);
  h = murmur(rotate64(h, 23)) ^ wide_mix(h | 1, (u64)in[5] << 32 | in[6]);
  out[3] = (u32)h ^ (u32)(h >> 32);
  out[4] = crc(bytes, 77);
  out[5] = adler(bytes, 255);
  u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  sha256_block(state, in);
  sha256_block(state, in + 16);
  for (int i = 0; i < 8; i++)
    out[6 + i] = state[i];
}
