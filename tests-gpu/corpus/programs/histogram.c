// Histograms: counts in shared memory, added to those of the grid; and every other atomic on global memory.

enum { BINS = 64 };

#ifdef __NVPTX__
SHARED u32 bins[BINS];

KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 t = thread_id(), i = block_id() * THREADS + t;
  (void)n;
  for (u32 b = t; b < BINS; b += THREADS)
    bins[b] = 0;
  barrier();
  for (u32 k = 0; k < IN; k++)
    __atomic_fetch_add(&bins[in[i * IN + k] % BINS], 1, __ATOMIC_RELAXED);
  barrier();
  for (u32 b = t; b < BINS; b += THREADS)
    __atomic_fetch_add(&out[b], bins[b], __ATOMIC_RELAXED);
  u32 x = in[i * IN];
  __atomic_fetch_and(&out[BINS], x | 0xffff, __ATOMIC_ACQ_REL);
  __atomic_fetch_or(&out[BINS + 1], x & 0xf0f0f0f0, __ATOMIC_RELEASE);
  __atomic_fetch_xor(&out[BINS + 2], x, __ATOMIC_ACQUIRE);
  __atomic_fetch_sub(&out[BINS + 3], x, __ATOMIC_SEQ_CST);
  __atomic_fetch_max(&out[BINS + 4], x, __ATOMIC_RELAXED);
  __atomic_fetch_min((i32 *)&out[BINS + 5], (i32)x, __ATOMIC_RELAXED);
  __atomic_fetch_add((u64 *)&out[BINS + 6], (u64)x << 9, __ATOMIC_RELAXED);
  __atomic_fetch_max((i64 *)&out[BINS + 8], (i64)x << 20, __ATOMIC_RELAXED);
  // A product by compare and swap: the order does not matter.
  u32 old = __atomic_load_n(&out[BINS + 10], __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&out[BINS + 10], &old, (old | 1) * (x | 1), 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
    ;
  __atomic_fetch_add((u16 *)&out[BINS + 11], (u16)x, __ATOMIC_RELAXED);
  __atomic_fetch_xor((u8 *)&out[BINS + 12] + 1, (u8)x, __ATOMIC_RELAXED);
  __nvvm_atom_add_gen_f((float *)&out[BINS + 13], (float)(x % 16));
  __nvvm_atom_add_gen_d((double *)&out[BINS + 14], (double)(x % 1024) / 8);
}
#else
void reference(const u32 *in, u32 *out, u32 n) {
  i64 most = 0;
  u64 sum = 0;
  float f = 0;
  double d = 0;
  u16 shorts = 0;
  for (u32 i = 0; i < n * IN; i++)
    out[in[i] % BINS]++;
  out[BINS] = 0;
  for (u32 i = 0; i < n; i++) {
    u32 x = in[i * IN];
    out[BINS] &= x | 0xffff;
    out[BINS + 1] |= x & 0xf0f0f0f0;
    out[BINS + 2] ^= x;
    out[BINS + 3] -= x;
    out[BINS + 4] = x > out[BINS + 4] ? x : out[BINS + 4];
    out[BINS + 5] = (i32)x < (i32)out[BINS + 5] ? x : out[BINS + 5];
    sum += (u64)x << 9;
    most = (i64)x << 20 > most ? (i64)x << 20 : most;
    out[BINS + 10] = (out[BINS + 10] | 1) * (x | 1);
    shorts += (u16)x;
    out[BINS + 12] ^= (u32)(u8)x << 8;
    f += (float)(x % 16);
    d += (double)(x % 1024) / 8;
  }
  __builtin_memcpy(&out[BINS + 6], &sum, 8);
  __builtin_memcpy(&out[BINS + 8], &most, 8);
  __builtin_memcpy(&out[BINS + 11], &shorts, 2);
  __builtin_memcpy(&out[BINS + 13], &f, 4);
  __builtin_memcpy(&out[BINS + 14], &d, 8);
}
#endif
