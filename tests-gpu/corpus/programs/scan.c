// Prefix sums of a block: shuffles in a warp, then shared memory across warps; of integers, and a segmented
// scan.

#ifdef __NVPTX__
enum { WARPS = THREADS / 32 };

SHARED u32 totals[WARPS];
SHARED u64 wide[WARPS];

static u32 warp_scan(u32 x) {
  for (u32 offset = 1; offset < 32; offset *= 2) {
    u32 below = (u32)__nvvm_shfl_sync_up_i32(-1, (int)x, (int)offset, 0);
    if (lane_id() >= offset)
      x += below;
  }
  return x;
}

static u64 shuffle_up(u64 x, u32 offset) {
  u32 low = (u32)__nvvm_shfl_sync_up_i32(-1, (int)x, (int)offset, 0);
  u32 high = (u32)__nvvm_shfl_sync_up_i32(-1, (int)(x >> 32), (int)offset, 0);
  return (u64)high << 32 | low;
}

KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 i = block_id() * THREADS + thread_id(), warp = thread_id() / 32;
  (void)n;
  u32 x = warp_scan(in[i * IN]);
  if (lane_id() == 31)
    totals[warp] = x;
  barrier();
  for (u32 w = 0; w < warp; w++)
    x += totals[w];
  out[i * OUT] = x;

  u64 y = (u64)in[i * IN + 1] << 16;
  for (u32 offset = 1; offset < 32; offset *= 2) {
    u64 below = shuffle_up(y, offset);
    if (lane_id() >= offset)
      y = y > below ? y : below;
  }
  if (lane_id() == 31)
    wide[warp] = y;
  barrier();
  for (u32 w = 0; w < warp; w++)
    y = wide[w] > y ? wide[w] : y;
  out[i * OUT + 1] = (u32)(y >> 16);

  // Within the warp: the sum since the last lane whose value is a multiple of 4.
  bool head = lane_id() == 0 || in[i * IN + 2] % 4 == 0;
  u32 heads = __nvvm_vote_ballot_sync(-1u, head), mine = heads & (2u << lane_id()) - 1;
  u32 first = 31 - (u32)__builtin_clz(mine), z = in[i * IN + 2];
  for (u32 offset = 1; offset < 32; offset *= 2) {
    u32 below = (u32)__nvvm_shfl_sync_up_i32(-1, (int)z, (int)offset, 0);
    if (lane_id() >= first + offset)
      z += below;
  }
  out[i * OUT + 2] = z;
}
#else
void reference(const u32 *in, u32 *out, u32 n) {
  u32 x = 0, y = 0, z = 0;
  for (u32 i = 0; i < n; i++) {
    if (i % THREADS == 0)
      x = y = 0;
    x += in[i * IN];
    y = in[i * IN + 1] > y ? in[i * IN + 1] : y;
    z = i % 32 == 0 || in[i * IN + 2] % 4 == 0 ? in[i * IN + 2] : z + in[i * IN + 2];
    out[i * OUT] = x;
    out[i * OUT + 1] = y;
    out[i * OUT + 2] = z;
  }
}
#endif
