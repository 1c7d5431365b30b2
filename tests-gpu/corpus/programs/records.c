// Structures by value, nested, packed, in unions, in arrays; pointers into constant tables.

typedef struct { u8 tag; u16 small; u32 large[3]; double real; } Record;
typedef struct { Record first, second; u64 sum; } Pair;
typedef struct __attribute__((packed)) { u8 a; u32 b; u16 c; u64 d; } Packed;
typedef union { u64 whole; struct { u32 low, high; } half; u8 byte[8]; double real; } Word;
typedef struct { u8 r, g, b; } Colour;
typedef struct { float x, y; } Point;
typedef struct Node { u32 value; const struct Node *next; } Node;

static const Node third = {7, 0}, second = {11, &third}, first = {13, &second};
static const Node *const heads[3] = {&first, &second, &third};
static u32 scratch[4] = {1, 2, 3, 4};
static u32 *const inner = &scratch[2];

__attribute__((noinline)) static Record make(u32 x, u32 y) {
  return (Record){(u8)x, (u16)y, {x, y, x ^ y}, (double)x / (y | 1)};
}

__attribute__((noinline)) static Pair join(Record a, Record b) {
  Pair p = {b, a, 0};
  for (int i = 0; i < 3; i++)
    p.sum += (u64)a.large[i] * b.large[2 - i];
  return p;
}

__attribute__((noinline)) static Colour blend(Colour a, Colour b, u8 t) {
  return (Colour){(u8)((a.r * t + b.r * (255 - t)) / 255), (u8)((a.g * t + b.g * (255 - t)) / 255),
                  (u8)((a.b * t + b.b * (255 - t)) / 255)};
}

__attribute__((noinline)) static Point turn(Point p, Point by) {
  return (Point){p.x * by.x - p.y * by.y, p.x * by.y + p.y * by.x};
}

void item(const u32 *in, u32 *out) {
  Pair p = join(make(in[0], in[1]), make(in[2], in[3]));
  Pair table[4];
  for (u32 i = 0; i < 4; i++) {
    table[i] = p;
    table[i].first.large[i % 3] += i;
    table[(in[4] + i) & 3 & i].second = table[i].first;
  }
  Pair *chosen = &table[in[5] & 3];
  __builtin_memcpy(out, &chosen->sum, 8);
  out[2] = chosen->first.tag | (u32)chosen->second.small << 8;
  out[3] = chosen->first.large[0] ^ chosen->second.large[in[6] % 3];
  __builtin_memcpy(out + 4, &chosen->second.real, 8);
  Packed packed[3];
  for (u32 i = 0; i < 3; i++)
    packed[i] = (Packed){(u8)in[i], in[i + 1], (u16)in[i + 2], (u64)in[i + 3] << 17};
  packed[1].d += packed[2].b;
  out[6] = (u32)packed[1].d + packed[0].a + packed[2].c;
  Word word = {.whole = (u64)in[7] << 32 | in[8]};
  word.byte[3] ^= word.byte[6];
  out[7] = word.half.low ^ word.half.high >> 3;
  Colour c = {(u8)in[9], (u8)in[10], (u8)in[11]};
  for (u32 i = 0; i < 5; i++)
    c = blend(c, (Colour){(u8)in[12 + i], 200, 3}, (u8)in[20 + i]);
  out[8] = c.r | (u32)c.g << 8 | (u32)c.b << 16;
  Point q = {(float)(in[30] >> 16), 1};
  for (int i = 0; i < 3; i++)
    q = turn(q, (Point){0.5f, -0.25f});
  __builtin_memcpy(out + 9, &q, 8);
  u32 chain = 0;
  for (const Node *n = heads[in[13] % 3]; n; n = n->next)
    chain = chain * 17 + n->value;
  out[11] = chain + *inner + scratch[in[14] & 3];
}
