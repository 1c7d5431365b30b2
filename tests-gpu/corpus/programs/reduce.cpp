// A block reduction as a template over the operator, with vector loads and a tree in shared memory; the
// blocks' results are combined by an atomic operation.

namespace {

struct Sum {
  static constexpr u64 identity = 0;
  u64 operator()(u64 a, u64 b) const { return a + b; }
};
struct Most {
  static constexpr u64 identity = 0;
  u64 operator()(u64 a, u64 b) const { return a > b ? a : b; }
};

} // namespace

#ifdef __NVPTX__
typedef u32 u32x4 __attribute__((ext_vector_type(4)));

static __attribute__((address_space(3))) u64 tree[THREADS];

template <class Op> static u64 block_reduce(u64 x, Op op) {
  u32 t = thread_id();
  tree[t] = x;
  barrier();
  for (u32 half = THREADS / 2; half > 0; half /= 2) {
    u64 other = t < half ? u64(tree[t + half]) : Op::identity;
    barrier();
    if (t < half)
      tree[t] = op(u64(tree[t]), other);
    barrier();
  }
  u64 result = tree[0];
  barrier();
  return result;
}

KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 i = block_id() * THREADS + thread_id();
  const u32x4 *row = reinterpret_cast<const u32x4 *>(in + i * IN);
  u64 sum = 0, most = 0;
  for (u32 k = 0; k < IN / 4; k++) {
    u32x4 v = row[k];
    sum += u64(v.x) + v.y + v.z + v.w;
    u32x4 w = v * v + (v >> 3u);
    most = Most()(most, u64(w.x) << 32 | w.w);
  }
  sum = block_reduce(sum, Sum());
  most = block_reduce(most, Most());
  if (thread_id() == 0) {
    __atomic_fetch_add(reinterpret_cast<u64 *>(out), sum, __ATOMIC_RELAXED);
    __atomic_fetch_max(reinterpret_cast<u64 *>(out) + 1, most, __ATOMIC_RELAXED);
  }
  (void)n;
}
#else
C_LINKAGE void reference(const u32 *in, u32 *out, u32 n) {
  u64 result[2] = {0, 0};
  for (u32 i = 0; i < n * IN; i += 4) {
    u32 w[2] = {in[i] * in[i] + (in[i] >> 3), in[i + 3] * in[i + 3] + (in[i + 3] >> 3)};
    for (u32 k = 0; k < 4; k++)
      result[0] = Sum()(result[0], in[i + k]);
    result[1] = Most()(result[1], u64(w[0]) << 32 | w[1]);
  }
  __builtin_memcpy(out, result, 16);
}
#endif
