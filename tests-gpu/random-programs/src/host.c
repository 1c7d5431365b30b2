/* Runs programs on the host: each phase for all threads, then the exchange's meaning, by its definition.
   Inputs come from standard input, outputs go to standard output. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 64, IN = 64, OUT = 192, EXCHANGE = 128, CELLS = 8 };

struct exchange { int32_t kind, a, b, c; uint64_t initial; };
typedef void phase(const void *in, void *out, int32_t thread, int32_t depth);
struct program { int32_t phases, exchanges; phase *const *phase; const struct exchange *exchange; };
extern const struct program programs[];
extern const int32_t program_count;

static _Alignas(64) uint8_t in[THREADS][IN], out[THREADS][OUT];
static uint64_t value[THREADS], selector[THREADS], result[THREADS];

static uint64_t mask(int bits) { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
static int64_t sign(uint64_t v, int bits) { return (int64_t)(v << (64 - bits)) >> (64 - bits); }

/* add, min, umin, max, umax, and, or, xor, uinc_wrap up to v (atomics only). */
static uint64_t combine(int op, int bits, uint64_t old, uint64_t v) {
  old &= mask(bits), v &= mask(bits);
  switch (op) {
  case 0: return (old + v) & mask(bits);
  case 1: return sign(old, bits) < sign(v, bits) ? old : v;
  case 2: return old < v ? old : v;
  case 3: return sign(old, bits) > sign(v, bits) ? old : v;
  case 4: return old > v ? old : v;
  case 5: return old & v;
  case 6: return old | v;
  case 7: return old ^ v;
  default: return old >= v ? 0 : old + 1;
  }
}

static uint64_t shuffle(const struct exchange *x, int t) {
  int lane = t % 32, b = selector[t] & 31, j = lane, ok;
  int segment = 32 - x->b, first = lane & segment, last = first | (31 & ~segment);
  switch (x->a) {
  case 0: j = first | (b & ~segment), ok = j <= last; break;
  case 1: j = lane ^ b, ok = j <= last; break;
  case 2: j = lane - b, ok = j >= first; break;
  default: j = lane + b, ok = j <= last; break;
  }
  return (uint32_t)value[t - lane + (ok ? j : lane)] | (uint64_t)ok << 32;
}

static void exchange(const struct exchange *x) {
  uint64_t cells[CELLS];
  for (int c = 0; c < CELLS; c++) cells[c] = x->initial & mask(x->b ? x->b : 64);
  if (x->kind == 5)
    for (int t = 0; t < THREADS; t++) {
      uint64_t *cell = &cells[selector[t] % CELLS];
      *cell = combine(x->a, x->b, *cell, x->a == 8 ? x->initial : value[t]);
    }
  for (int t = 0; t < THREADS; t++) {
    int warp = t / 32 * 32;
    uint32_t ones = 0, same = 0;
    uint64_t key = x->kind == 2 && x->b == 32 ? (uint32_t)value[t] & 3 : value[t] & 0x300000001;
    uint64_t folded = (uint32_t)value[warp];
    int count = 0;
    for (int l = 0; l < 32; l++) {
      uint64_t v = value[warp + l];
      ones |= (uint32_t)(v & 1) << l;
      same |= (uint32_t)((x->b == 32 ? (uint32_t)v & 3 : v & 0x300000001) == key) << l;
      if (l) folded = combine(x->a, 32, folded, v);
    }
    for (int u = 0; u < THREADS; u++) count += value[u] & 1;
    switch (x->kind) {
    case 0: result[t] = shuffle(x, t); break;
    case 1:
      result[t] = x->a == 0 ? ones : x->a == 1 ? ones != 0 : x->a == 2 ? ones == ~0u : ones == 0 || ones == ~0u;
      break;
    case 2: result[t] = !x->a ? same : same == ~0u ? same | 1ull << 32 : 0; break;
    case 3: result[t] = (uint32_t)folded; break;
    case 4: result[t] = value[(t * 5 + 3) % THREADS]; break;
    case 5: result[t] = cells[t % CELLS]; break;
    case 6: { /* A cell that holds the selector; what was there, mixed with what is there afterwards. */
      uint64_t old = selector[t] & mask(x->b), v = value[t] & mask(x->b);
      result[t] = old ^ (x->a == 0 || !(value[t] & 1) ? v : old) * 3;
      break;
    }
    default: result[t] = x->a == 0 ? count : x->a == 1 ? count == THREADS : count != 0;
    }
  }
  memcpy(value, result, sizeof value);
}

static int take(void *to, size_t bytes) { return fread(to, 1, bytes, stdin) == bytes; }

int main(void) {
  alarm(60);
  for (int p = 0; p < program_count; p++) {
    const struct program *program = &programs[p];
    if (!take(in, sizeof in)) return 1;
    memset(out, 0, sizeof out);
    for (int n = 0; n < program->phases; n++) {
      for (int t = 0; t < THREADS; t++) program->phase[n](in[t], out[t], t, 0);
      if (n >= program->exchanges) continue;
      for (int t = 0; t < THREADS; t++) {
        memcpy(&value[t], out[t] + EXCHANGE, 8);
        memcpy(&selector[t], out[t] + EXCHANGE + 8, 8);
      }
      exchange(&program->exchange[n]);
      for (int t = 0; t < THREADS; t++) memcpy(out[t] + EXCHANGE, &value[t], 8);
    }
    if (fwrite(out, 1, sizeof out, stdout) != sizeof out) return 1;
  }
  return fflush(stdout) != 0;
}

/* What older support libraries lack: rounding to bfloat, to nearest even. The result is declared as a float, in
   whose register's low half a __bf16 is returned: with __bf16 the compiler would call what is defined here. */
static float to_bfloat(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  if ((bits & 0x7fffffff) > 0x7f800000) bits = 0x7fc0;
  else bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  memcpy(&f, &bits, 4);
  return f;
}

float __truncsfbf2(float f) { return to_bfloat(f); }

float __truncdfbf2(double d) {
  /* Rounded towards zero to float, with the last bit set if inexact: rounding that again is right. */
  float f = (float)d;
  if (d == d && (double)f != d) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if ((f < 0 ? -(double)f : f) > (d < 0 ? -d : d)) bits--;
    bits |= 1;
    memcpy(&f, &bits, 4);
  }
  return to_bfloat(f);
}
