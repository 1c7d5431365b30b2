// Operations of a warp: ballots, compaction, a bitonic sort by shuffles, matching of equal values, reductions
// in one instruction.

#ifdef __NVPTX__
static u32 exchange(u32 x, u32 mask) { return (u32)__nvvm_shfl_sync_bfly_i32(-1, (int)x, (int)mask, 31); }

static u32 sort(u32 x) {
  for (u32 size = 2; size <= 32; size *= 2)
    for (u32 step = size / 2; step; step /= 2) {
      u32 other = exchange(x, step);
      bool up = (lane_id() & size) == 0, low = (lane_id() & step) == 0;
      x = (up == low) == (x < other) ? x : other;
    }
  return x;
}

KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 i = block_id() * THREADS + thread_id(), lane = lane_id(), x = in[i * IN];
  (void)n;
  out += i * OUT;
  u32 odd = __nvvm_vote_ballot_sync(-1u, x & 1);
  out[0] = odd;
  out[1] = (u32)__nvvm_vote_all_sync(-1u, x > 5) + 2 * (u32)__nvvm_vote_any_sync(-1u, x % 40 == 0);
  // Odd values move to the front, in their order.
  if (x & 1) {
    u32 index = (u32)__builtin_popcount(odd & ((1u << lane) - 1));
    (out - lane * OUT + index * OUT)[2] = x;
  }
  out[3] = sort(x);
  out[4] = __nvvm_match_any_sync_i32(-1u, x % 5);
  out[5] = (u32)__nvvm_shfl_sync_idx_i32(-1, (int)x, (int)(in[i * IN + 1] % 32), 31);
  out[6] = (u32)__nvvm_shfl_sync_down_i32(-1, (int)x, 3, 31);
  float f = __nvvm_shfl_sync_bfly_f32(-1, (float)(x >> 8), 5, 31);
  __builtin_memcpy(&out[7], &f, 4);
  out[8] = (u32)__nvvm_redux_sync_add((int)x, -1) ^ (u32)__nvvm_redux_sync_umax((int)x, -1);
  out[9] = (u32)__nvvm_redux_sync_min((int)x, -1) ^ (u32)__nvvm_redux_sync_xor((int)x, -1);
  // Half of the warp, with the mask of its lanes.
  if (lane % 2)
    out[10] = __nvvm_vote_ballot_sync(0xaaaaaaaau, x & 2);
}
#else
void reference(const u32 *in, u32 *out, u32 n) {
  for (u32 warp = 0; warp < n; warp += 32) {
    u32 x[32], sorted[32], odd = 0, twos = 0, all = 1, any = 0, index = 0, sum = 0, most = 0, bits = 0;
    i32 least = 0x7fffffff;
    for (u32 l = 0; l < 32; l++) {
      u32 v = x[l] = in[(warp + l) * IN];
      odd |= (v & 1) << l;
      twos |= (l & 1 & v >> 1) << l;
      all &= v > 5;
      any |= v % 40 == 0;
      sum += v;
      most = v > most ? v : most;
      bits ^= v;
      least = (i32)v < least ? (i32)v : least;
      u32 k = l;
      for (; k > 0 && sorted[k - 1] > v; k--)
        sorted[k] = sorted[k - 1];
      sorted[k] = v;
      if (v & 1)
        out[(warp + index++) * OUT + 2] = v;
    }
    for (u32 l = 0; l < 32; l++) {
      u32 *o = out + (warp + l) * OUT, equal = 0;
      for (u32 k = 0; k < 32; k++)
        equal |= (u32)(x[k] % 5 == x[l] % 5) << k;
      o[0] = odd;
      o[1] = all + 2 * any;
      o[3] = sorted[l];
      o[4] = equal;
      o[5] = x[in[(warp + l) * IN + 1] % 32];
      o[6] = x[l + 3 < 32 ? l + 3 : l];
      float f = (float)(x[l ^ 5] >> 8);
      __builtin_memcpy(&o[7], &f, 4);
      o[8] = sum ^ most;
      o[9] = (u32)least ^ bits;
      if (l % 2)
        o[10] = twos;
    }
  }
}
#endif
